// The state of a dynamic graph: names of vertices, the graph of their numbers, and, if it is kept in a folder, the store of batches.
#pragma once
#include <copse/dynamic.hpp>
#include <copse/errors.hpp>
#include <core/parallel.hpp>
#include <dynamic/batch_records.hpp>
#include <dynamic/batch_store.hpp>
#include <dynamic/names.hpp>
#include <dynamic/numbered_graph.hpp>
#include <dynamic/state_bytes.hpp>

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace copse {

template <dynamic_id Id>
struct basic_dynamic<Id>::state {
  state(const dynamic_options& wanted, const execution& on) : options{wanted}, memory{on.memory}, threads{usable_threads(on.threads)} {
    begin();
  }

  /// Makes an empty graph.
  void begin() {
    auto fresh_numbers = std::make_shared<dynamics::vertex_numbers<Id>>(memory);
    auto fresh_graph = std::make_unique<dynamics::numbered_graph>(options, order(), memory, threads);
    take(std::move(fresh_numbers), std::move(fresh_graph));
  }
  void take(std::shared_ptr<dynamics::vertex_numbers<Id>> its_numbers, std::unique_ptr<dynamics::numbered_graph> its_graph) {
    const std::lock_guard lock{snapshots};
    numbers = std::move(its_numbers);
    graph = std::move(its_graph);
  }

  dynamics::vertex_order order() {
    if constexpr (std::same_as<Id, std::uint32_t>) return {};
    return [this](std::uint32_t a, std::uint32_t b) { return numbers->less(a, b); };
  }
  /// Returns the number of a vertex; dynamics::none if it does not exist.
  std::uint32_t find(Id id) {
    const std::uint32_t v = numbers->find(id);
    return graph->graph().present(v) ? v : dynamics::none;
  }
  const dynamics::component_record& record(std::uint32_t v) const { return graph->graph().record(graph->graph().record_of(v)); }
  /// Applies `count` operations, made by operation_of(i).
  template <class OperationOf>
  dynamic_batch apply(std::size_t count, OperationOf operation_of) {
    return settled(apply_only(count, operation_of));
  }
  template <class OperationOf>
  dynamic_batch apply_only(std::size_t count, OperationOf operation_of) {
    numbered.resize(count);
    const auto number_ends = [&](bool adds) {
      numbers->number(
          2 * count, adds,
          [&](std::size_t i) {
            const auto& edge = operation_of(i / 2).edge;
            return i % 2 == 0 ? edge.u : edge.v;
          },
          [&](std::size_t i, std::uint32_t number) { (i % 2 == 0 ? numbered[i / 2].u : numbered[i / 2].v) = number; }, threads);
    };
    std::atomic<bool> inserts{false};
    parallel_blocks(threads, count, operations_per_block, [&](std::size_t begin, std::size_t end) {
      bool here = false;
      for (std::size_t i = begin; i < end; ++i) {
        const dynamic_operation<Id> operation = operation_of(i);
        const dynamic_edge<Id>& edge = operation.edge;
        if (operation.kind == dynamic_operation_kind::erase_key && !options.keys)
          throw usage_error{"erasing an edge by its key: construct the dynamic graph with the option keys"};
        here = here || operation.kind == dynamic_operation_kind::insert;
        numbered[i] = {operation.kind, dynamics::none, dynamics::none, edge.weight, edge.time, edge.key};
      }
      if (here) inserts.store(true, std::memory_order_relaxed);
    });
    number_ends(inserts);
    commit([&] { return dynamics::record_of<Id>(options, count, operation_of); });
    return graph->apply(numbered);
  }
  dynamic_batch expire(std::int64_t before) {
    if (!options.times) throw usage_error{"expire: construct the dynamic graph with the option times"};
    commit([&] {
      std::string record;
      dynamics::put_value(record, dynamics::record_kind::expiry);
      dynamics::put_value(record, before);
      return record;
    });
    return settled(graph->expire(before));
  }
  dynamic_batch revert(std::uint64_t batch, revert_conflicts conflicts) {
    const auto found = graph->conflicts(batch);
    if (!found.empty() && conflicts == revert_conflicts::refuse) {
      throw usage_error{"batch " + std::to_string(batch) + " cannot be reverted: later batches touched " + std::to_string(found.size()) +
                        " of its changes; conflicts() lists them, and revert_conflicts::skip leaves them as they are"};
    }
    commit([&] {
      std::string record;
      dynamics::put_value(record, dynamics::record_kind::revert);
      dynamics::put_value(record, batch);
      dynamics::put_value(record, static_cast<std::uint8_t>(conflicts));
      return record;
    });
    return settled(graph->revert(batch, found));
  }

  /// Writes the next batch to the store, unless it was read from there. `record` returns its bytes.
  template <class Record>
  void commit(Record record) {
    if (!store || replays) return;
    expect_writer();
    const std::string bytes = record();
    store->append(graph->last_batch() + 1, bytes, next_remark);
    log_bytes += bytes.size();
  }
  void expect_writer() const {
    if (reads) throw usage_error{"the dynamic graph is open for reading: open it without read_only to change it"};
  }

  // ---- whole states in the folder

  /// Writes the state once the batches since the last one have a sixth of its size, so that the cost of states is in proportion to that
  /// of batches, and opening applies few of them again.
  dynamic_batch settled(const dynamic_batch& done) {
    if (!store || replays || log_bytes < save_at) return done;
    try {
      save();
    } catch (const uncommitted_batch&) {
      // Nothing is lost if the state cannot be written, as the folder has the log of the batch. The next attempt is made when there are
      // twice as many bytes of logs.
      save_at = 2 * log_bytes;
    }
    return done;
  }
  void save() {
    const std::uint64_t last = graph->last_batch();
    const auto write = [&](dynamics::byte_sink& to) {
      put_state(to, {});
      state_bytes = to.size();
    };
    store->put_state(last, options.history, write, {std::max(saved + 1, graph->oldest_batch()), last + 1, [this](std::uint64_t batch) {
                                                      return dynamics::bytes_of(*graph->log(batch));
                                                    }});
    note_saved(last);
    archive_logs(graph->oldest_batch());
  }
  void put_state(dynamics::byte_sink& to, const dynamics::renumbering& now) const {
    to.value(graph->oldest_batch());
    numbers->save(to, now);
    graph->save(to, now);
  }
  void take_state(dynamics::byte_source& from) {
    auto fresh_numbers = std::make_shared<dynamics::vertex_numbers<Id>>(memory);
    auto fresh_graph = std::make_unique<dynamics::numbered_graph>(options, order(), memory, threads);
    oldest_saved = from.value<std::uint64_t>();
    fresh_numbers->load(from);
    fresh_graph->load(from);
    take(std::move(fresh_numbers), std::move(fresh_graph));
  }
  void note_saved(std::uint64_t batch) {
    saved = batch;
    log_bytes = 0;
    save_at = std::max(least_log_bytes, state_bytes / 6);
  }
  void archive_logs(std::uint64_t oldest) {
    graph->archive_logs(oldest, [this](std::uint64_t batch) {
      const auto bytes = store->read_log(batch);
      if (!bytes) {
        throw usage_error{"batch " + std::to_string(batch) +
                          " is not in the history of the dynamic graph any more: its writer has dropped it since; refresh() first"};
      }
      return dynamics::log_in(*bytes);
    });
  }
  /// Erases vertices, and all traces of them in memory and in the folder. Vertices are numbered anew, and the history begins anew.
  dynamic_batch purge(std::span<const Id> vertices) {
    const dynamic_batch done = apply_only(vertices.size(), [&](std::size_t i) {
      return dynamic_operation<Id>{dynamic_operation_kind::erase_vertex, {.u = vertices[i], .v = vertices[i]}};
    });
    dynamics::renumbering now;  // with dense ids, vertices keep their numbers
    if constexpr (!std::same_as<Id, std::uint32_t>)
      now = dynamics::renumbering{numbers->count(), [&](std::uint32_t v) { return graph->graph().present(v); }};
    std::vector<std::string> pieces;
    dynamics::byte_sink to{[&](std::string_view piece) { pieces.emplace_back(piece); }};
    put_state(to, now);
    to.finish();
    if (store) store->begin_with(done.number, pieces);
    std::size_t next = 0;
    dynamics::byte_source from{[&] { return next == pieces.size() ? std::string_view{} : std::string_view{pieces[next++]}; }};
    take_state(from);
    state_bytes = to.size();
    note_saved(done.number);
    if (store) store->scrub();
    return done;
  }
  /// Reads what the store has and this object does not: a state, if there is nothing yet or if the next batches were dropped, and then
  /// batches.
  void replay() {
    struct replaying {
      bool& on;
      ~replaying() { on = false; }
    } const until_the_end{replays = true};
    store->view([this] {
      const std::uint64_t horizon = store->horizon();
      if (graph->last_batch() == 0 || graph->last_batch() < horizon) {
        const std::uint64_t newest = store->newest_state(until);
        if (until < horizon) {
          throw usage_error{"batch " + std::to_string(until) +
                            " is before what the folder keeps: the oldest batch after which it can be read is " + std::to_string(horizon)};
        }
        if (newest < horizon)
          throw input_error{"found no state as of batch " + std::to_string(horizon) + " of the dynamic graph, expected what was committed"};
        if (newest > graph->last_batch()) read_state(newest, horizon);
      }
      store->read(graph->last_batch() + 1, until, [this](std::uint64_t number, const std::string& bytes) {
        try {
          replay_one(bytes);
          log_bytes += bytes.size();
        } catch (const resource_error&) {
          throw;
        } catch (const error& failure) {
          throw input_error{"batch " + std::to_string(number) + " of the dynamic graph cannot be applied: " + failure.what()};
        }
      });
    });
  }
  void read_state(std::uint64_t batch, std::uint64_t horizon) {
    store->read_state(batch, [&](dynamics::byte_source& from) {
      take_state(from);
      state_bytes = from.read();
    });
    note_saved(batch);
    archive_logs(std::max(oldest_saved, horizon + 1));
  }
  void replay_one(const std::string& bytes) {
    dynamics::record_reader from{bytes};
    switch (from.value<dynamics::record_kind>()) {
      case dynamics::record_kind::operations: {
        const auto operations = dynamics::operations_in<Id>(options, from);
        from.expect_end();
        apply(operations.size(), [&](std::size_t i) { return operations[i]; });
        return;
      }
      case dynamics::record_kind::expiry: {
        const auto before = from.value<std::int64_t>();
        from.expect_end();
        expire(before);
        return;
      }
      case dynamics::record_kind::revert: {
        const auto batch = from.value<std::uint64_t>();
        const auto conflicts = static_cast<revert_conflicts>(from.value<std::uint8_t>());
        from.expect_end();
        revert(batch, conflicts);
        return;
      }
    }
    throw input_error{"found a record of a batch of an unknown kind, expected operations, an expiry or a revert"};
  }
  std::vector<Id> named(std::vector<std::uint32_t> vertices) const {
    std::sort(vertices.begin(), vertices.end(), [this](std::uint32_t a, std::uint32_t b) { return numbers->less(a, b); });
    std::vector<Id> names;
    names.reserve(vertices.size());
    for (const std::uint32_t v : vertices) names.push_back(numbers->name(v));
    return names;
  }
  std::uint32_t smallest(std::uint32_t r) const {
    std::uint32_t least = dynamics::none;
    graph->graph().for_each_member(r, [&](std::uint32_t v) { least = least == dynamics::none || numbers->less(v, least) ? v : least; });
    return least;
  }

  dynamic_options options;
  std::pmr::memory_resource* memory;
  unsigned threads;
  std::shared_ptr<dynamics::vertex_numbers<Id>> numbers;
  std::unique_ptr<dynamics::numbered_graph> graph;
  std::vector<dynamics::numbered_operation> numbered;  // the operations of the last batch; kept to reuse its memory
  std::mutex snapshots;                                // held while a snapshot is taken, and while `numbers` and `graph` are replaced
  std::unique_ptr<dynamics::batch_store> store;
  std::optional<std::string> next_remark;  // the caller's text that is committed with the next batch; none: that in the store stays
  std::uint64_t until = UINT64_MAX;        // the last batch that a reader asked for
  bool reads = false;                      // true if the graph is open for reading only
  bool replays = false;                    // true while the batches that are applied come from the store

  static constexpr std::size_t operations_per_block = 8192;
  static constexpr std::uint64_t least_log_bytes = 1 << 20;
  std::uint64_t saved = 0;         // the batch of the last state in the folder
  std::uint64_t oldest_saved = 1;  // the oldest batch that could be reverted after batch `saved`, as the state of that batch records it
  std::uint64_t state_bytes = 0;   // the size of the last state that was written or read
  std::uint64_t log_bytes = 0;     // the size of all batches after `saved`
  std::uint64_t save_at = least_log_bytes;  // the next state is written when log_bytes reaches this size
};

}  // namespace copse
