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
#include <exception>
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

  ~state() { try_to_finish_state(); }
  state(const state&) = delete;

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
    using vertex_numbers = dynamics::vertex_numbers<Id>;
    numbered.resize(count);
    std::atomic<bool> inserts{false}, erases{false};
    parallel_blocks(threads, count, operations_per_block, [&](std::size_t begin, std::size_t end) {
      bool inserts_here = false, erases_here = false;
      for (std::size_t i = begin; i < end; ++i) {
        const dynamic_operation<Id> operation = operation_of(i);
        const dynamic_edge<Id>& edge = operation.edge;
        if (operation.kind == dynamic_operation_kind::erase_key && !options.keys)
          throw usage_error{"erasing an edge by its key: construct the dynamic graph with the option keys"};
        const bool is_insert = operation.kind == dynamic_operation_kind::insert;
        (is_insert ? inserts_here : erases_here) = true;
        std::uint32_t u = dynamics::none, v = dynamics::none;
        if constexpr (vertex_numbers::are_ids) {
          u = edge.u, v = edge.v;
          if (is_insert) vertex_numbers::expect_valid(std::max(u, v));
        }
        numbered[i] = {operation.kind, u, v, edge.weight, edge.time, edge.key};
      }
      if (inserts_here) inserts.store(true, std::memory_order_relaxed);
      if (erases_here) erases.store(true, std::memory_order_relaxed);
    });
    if constexpr (!vertex_numbers::are_ids) {
      numbers->number(
          2 * count, inserts,
          [&](std::size_t i) {
            const auto& edge = operation_of(i / 2).edge;
            return i % 2 == 0 ? edge.u : edge.v;
          },
          [&](std::size_t i, std::uint32_t number) { (i % 2 == 0 ? numbered[i / 2].u : numbered[i / 2].v) = number; });
    }
    const std::uint64_t bytes = commit([&] { return dynamics::record_of<Id>(options, count, operation_of); });
    const std::uint64_t links = forest_edges();
    const dynamic_batch done = graph->apply(numbered);
    if (bytes != 0) note_logged(bytes, graph->has_table() || erases ? 1 : share_of(forest_edges() - links, count));
    return done;
  }
  dynamic_batch expire(std::int64_t before) {
    if (!options.times) throw usage_error{"expire: construct the dynamic graph with the option times"};
    note_logged(commit([&] {
                  std::string record;
                  dynamics::put_value(record, dynamics::record_kind::expiry);
                  dynamics::put_value(record, before);
                  return record;
                }),
                1);
    return settled(graph->expire(before));
  }
  dynamic_batch revert(std::uint64_t batch, revert_conflicts conflicts) {
    const auto found = graph->conflicts(batch);
    if (!found.empty() && conflicts == revert_conflicts::refuse) {
      throw usage_error{"batch " + std::to_string(batch) + " cannot be reverted: later batches touched " + std::to_string(found.size()) +
                        " of its changes; conflicts() lists them, and revert_conflicts::skip leaves them as they are"};
    }
    note_logged(commit([&] {
                  std::string record;
                  dynamics::put_value(record, dynamics::record_kind::revert);
                  dynamics::put_value(record, batch);
                  dynamics::put_value(record, static_cast<std::uint8_t>(conflicts));
                  return record;
                }),
                1);
    return settled(graph->revert(batch, found));
  }

  /// Writes the next batch to the store, unless it was read from there. `record` returns its bytes. Returns how many were written.
  template <class Record>
  std::uint64_t commit(Record record) {
    if (!store || replays) return 0;
    expect_writer();
    const std::string bytes = record();
    store->append(graph->last_batch() + 1, bytes, next_remark);
    return bytes.size();
  }
  void expect_writer() const {
    if (reads) throw usage_error{"the dynamic graph is open for reading: open it without read_only to change it"};
  }

  // ---- whole states in the folder

  /// Begins to write the state once the batches since the last one would take too long to apply again. It is written while further batches
  /// are applied, and counts from the first one on that ends after that.
  dynamic_batch settled(const dynamic_batch& done) {
    if (!store || replays) return done;
    if (store->is_state_written()) try_to_finish_state();
    if (log_cost < save_at || store->has_state_ahead()) return done;
    try {
      ahead = state_now();
      std::vector<std::string> pieces;
      dynamics::byte_sink to{[&](std::string_view piece) { pieces.emplace_back(piece); }};
      put_state(to, {});
      to.finish();
      ahead.bytes = to.size();
      store->begin_state(ahead.batch, std::move(pieces));
    } catch (const std::exception&) {
      try_later();
    }
    return done;
  }
  void try_to_finish_state() noexcept {
    if (!store || !store->has_state_ahead()) return;
    try {
      store->finish_state(options.history, logs_of(ahead));
      note_saved();
    } catch (const std::exception&) {
      try_later();
    }
  }
  /// Nothing is lost if a state cannot be written, as the folder has the batches. The next attempt is made when there are twice as many.
  void try_later() noexcept { save_at = 2 * log_cost; }
  void save() {
    try_to_finish_state();
    ahead = state_now();
    const auto write = [&](dynamics::byte_sink& to) {
      put_state(to, {});
      ahead.bytes = to.size();
    };
    store->put_state(ahead.batch, options.history, write, logs_of(ahead));
    note_saved();
  }
  /// A state, and what is known when it is written: its logs are those that the folder does not have.
  struct whole_state {
    std::uint64_t batch = 0, bytes = 0, log_cost = 0;
    std::vector<std::shared_ptr<const dynamics::batch_log>> logs{};  // the logs of the last batches up to this one
  };
  whole_state state_now() const {
    whole_state found{.batch = graph->last_batch(), .bytes = ahead.bytes, .log_cost = log_cost};
    for (std::uint64_t batch = std::max(saved + 1, graph->oldest_batch()); batch <= found.batch; ++batch)
      found.logs.push_back(graph->log(batch));
    return found;
  }
  static dynamics::batch_store::log_range logs_of(const whole_state& state) {
    const std::uint64_t end = state.batch + 1, first = end - state.logs.size();
    return {first, end, [&state, first](std::uint64_t batch) { return dynamics::bytes_of(*state.logs[batch - first]); }};
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
  void note_saved() {
    note_state(ahead.batch, ahead.bytes, ahead.log_cost);
    archive_logs(graph->oldest_batch());
  }
  /// Notes the last state in the folder. `cost`: of the batches up to it.
  void note_state(std::uint64_t batch, std::uint64_t bytes, std::uint64_t cost) {
    ahead = {.bytes = bytes};
    saved = batch;
    log_cost -= cost;
    save_at = std::max(least_log_cost, bytes / 2);
  }
  /// Notes `bytes` of batches that were written after the last state. A share of them is applied one by one when the folder is opened; this
  /// takes longer than loading a state, so it counts more.
  void note_logged(std::uint64_t bytes, double share_one_by_one) {
    log_cost += static_cast<std::uint64_t>(static_cast<double>(bytes) * (1 + (one_by_one_cost - 1) * share_one_by_one));
  }
  [[nodiscard]] std::uint64_t forest_edges() const noexcept { return graph->graph().vertices() - graph->graph().components(); }
  static double share_of(std::uint64_t part, std::uint64_t all) noexcept {
    return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all);
  }
  void archive_logs(std::uint64_t oldest) {
    graph->archive_logs(oldest, saved, [this](std::uint64_t batch) {
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
    try_to_finish_state();
    if (store) store->begin_with(done.number, pieces);
    std::size_t next = 0;
    dynamics::byte_source from{[&] { return next == pieces.size() ? std::string_view{} : std::string_view{pieces[next++]}; }};
    take_state(from);
    note_state(done.number, to.size(), log_cost);
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
          if (!replay_later(bytes)) {
            replay_waiting();
            replay_one(bytes);
            note_logged(bytes.size(), 1);
          }
        } catch (const resource_error&) {
          throw;
        } catch (const error& failure) {
          throw input_error{"batch " + std::to_string(number) + " of the dynamic graph cannot be applied: " + failure.what()};
        }
      });
      replay_waiting();
    });
  }
  /// Adds a batch that only inserts edges which carry nothing to those that are applied together. Returns false for other batches.
  bool replay_later(const std::string& bytes) {
    dynamics::record_reader from{bytes};
    if (graph->has_table() || from.value<dynamics::record_kind>() != dynamics::record_kind::operations) return false;
    const auto operations = dynamics::operations_in<Id>(options, from);
    from.expect_end();
    const bool inserts = std::all_of(operations.begin(), operations.end(),
                                     [](const auto& operation) { return operation.kind == dynamic_operation_kind::insert; });
    if (!inserts) return false;
    const std::size_t begin = waiting.size();
    waiting.resize(begin + operations.size());
    numbers->number(
        2 * operations.size(), true, [&](std::size_t i) { return i % 2 == 0 ? operations[i / 2].edge.u : operations[i / 2].edge.v; },
        [&](std::size_t i, std::uint32_t number) {
          dynamics::dynamic_components::pair& edge = waiting[begin + i / 2];
          (i % 2 == 0 ? edge.u : edge.v) = number;
        },
        threads);
    waiting_ends.push_back(waiting.size());
    waiting_bytes += bytes.size();
    if (waiting.size() >= least_waiting + graph->edges() / 4) replay_waiting();
    return true;
  }
  void replay_waiting() {
    const std::uint64_t links = forest_edges();
    graph->replay_inserts(waiting, waiting_ends);
    note_logged(std::exchange(waiting_bytes, 0), share_of(forest_edges() - links, waiting.size()));
    waiting.clear();
    waiting_ends.clear();
  }
  void read_state(std::uint64_t batch, std::uint64_t horizon) {
    store->read_state(batch, [&](dynamics::byte_source& from) {
      take_state(from);
      note_state(batch, from.read(), log_cost);
    });
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
  std::vector<dynamics::numbered_operation> numbered;       // the operations of the last batch; kept to reuse its memory
  std::vector<dynamics::dynamic_components::pair> waiting;  // edges of batches from the store that are to be applied together
  std::vector<std::size_t> waiting_ends;                    // where each of these batches ends
  std::uint64_t waiting_bytes = 0;                          // the bytes of these batches in the store
  std::mutex snapshots;                                     // held while a snapshot is taken, and while `numbers` and `graph` are replaced
  std::unique_ptr<dynamics::batch_store> store;
  std::optional<std::string> next_remark;  // the caller's text that is committed with the next batch; none: that in the store stays
  std::uint64_t until = UINT64_MAX;        // the last batch that a reader asked for
  bool reads = false;                      // true if the graph is open for reading only
  bool replays = false;                    // true while the batches that are applied come from the store

  static constexpr std::size_t operations_per_block = 1 << 12;
  static constexpr std::uint64_t least_waiting = 1 << 16;
  static constexpr std::uint64_t least_log_cost = 3 << 20;
  static constexpr double one_by_one_cost = 3;
  std::uint64_t saved = 0;         // the batch of the last state in the folder
  std::uint64_t oldest_saved = 1;  // the oldest batch that could be reverted after batch `saved`, as the state of that batch records it
  std::uint64_t log_cost = 0;      // the bytes of the batches after `saved`, those that are applied one by one counted several times
  std::uint64_t save_at = least_log_cost;  // the next state is written when log_cost reaches this
  whole_state ahead;                       // the state that is being written, or the size of the last one
};

}  // namespace copse
