// What a dynamic graph consists of: names, the graph of their numbers, and the store of batches where it is kept in a folder.
#pragma once
#include <copse/dynamic.hpp>
#include <copse/errors.hpp>
#include <dynamic/batch_records.hpp>
#include <dynamic/batch_store.hpp>
#include <dynamic/names.hpp>
#include <dynamic/numbered_graph.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace copse {

template <dynamic_id Id>
struct basic_dynamic<Id>::state {
  state(const dynamic_options& wanted, std::pmr::memory_resource* memory)
      : options{wanted}, numbers{std::make_shared<dynamics::vertex_numbers<Id>>(memory)}, graph{wanted, order(), memory} {}

  dynamics::vertex_order order() {
    if constexpr (std::same_as<Id, std::uint32_t>) return {};
    return [this](std::uint32_t a, std::uint32_t b) { return numbers->less(a, b); };
  }
  /// The number of a vertex that exists; dynamics::none.
  std::uint32_t find(Id id) {
    const std::uint32_t v = numbers->find(id);
    return graph.graph().present(v) ? v : dynamics::none;
  }
  const dynamics::component_record& record(std::uint32_t v) const { return graph.graph().record(graph.graph().record_of(v)); }
  /// Applies `count` operations, made by operation_of(i).
  template <class OperationOf>
  dynamic_batch apply(std::size_t count, OperationOf operation_of) {
    std::vector<dynamics::numbered_operation> numbered;
    numbered.reserve(count);
    const auto number_ends = [&](bool adds) {
      numbers->number(
          2 * count, adds,
          [&](std::size_t i) {
            const auto& edge = operation_of(i / 2).edge;
            return i % 2 == 0 ? edge.u : edge.v;
          },
          [&](std::size_t i, std::uint32_t number) { (i % 2 == 0 ? numbered[i / 2].u : numbered[i / 2].v) = number; });
    };
    bool inserts = false;
    for (std::size_t i = 0; i < count; ++i) {
      const dynamic_operation<Id> operation = operation_of(i);
      const dynamic_edge<Id>& edge = operation.edge;
      if (operation.kind == dynamic_operation_kind::erase_key && !options.keys)
        throw usage_error{"erasing an edge by its key: construct the dynamic graph with the option keys"};
      inserts = inserts || operation.kind == dynamic_operation_kind::insert;
      numbered.push_back({operation.kind, dynamics::none, dynamics::none, edge.weight, edge.time, edge.key});
    }
    number_ends(inserts);
    commit([&] { return dynamics::record_of<Id>(options, count, operation_of); });
    return graph.apply(numbered);
  }
  dynamic_batch expire(std::int64_t before) {
    if (!options.times) throw usage_error{"expire: construct the dynamic graph with the option times"};
    commit([&] {
      std::string record;
      dynamics::put_value(record, dynamics::record_kind::expiry);
      dynamics::put_value(record, before);
      return record;
    });
    return graph.expire(before);
  }
  dynamic_batch revert(std::uint64_t batch, revert_conflicts conflicts) {
    const auto found = graph.conflicts(batch);
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
    return graph.revert(batch, found);
  }

  /// Writes the batch that comes, unless it was read.
  template <class Record>
  void commit(Record record) {
    if (!store || replays) return;
    if (reads) throw usage_error{"the dynamic graph is open for reading: open it without read_only to change it"};
    store->append(graph.last_batch() + 1, record());
  }
  /// Applies the batches of the store that are not here yet.
  void replay() {
    replays = true;
    store->read(graph.last_batch() + 1, until, [this](std::uint64_t number, const std::string& bytes) {
      try {
        replay_one(bytes);
      } catch (const resource_error&) {
        throw;
      } catch (const error& failure) {
        throw input_error{"batch " + std::to_string(number) + " of the dynamic graph cannot be applied: " + failure.what()};
      }
    });
    replays = false;
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
    graph.graph().for_each_member(r, [&](std::uint32_t v) { least = least == dynamics::none || numbers->less(v, least) ? v : least; });
    return least;
  }

  dynamic_options options;
  std::shared_ptr<dynamics::vertex_numbers<Id>> numbers;
  dynamics::numbered_graph graph;
  std::unique_ptr<dynamics::batch_store> store;
  std::uint64_t until = UINT64_MAX;  // the last batch that a reader wants
  bool reads = false;                // it is open for reading
  bool replays = false;              // the batches that are applied come from the store
};

}  // namespace copse
