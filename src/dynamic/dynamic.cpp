#include <copse/dynamic.hpp>
#include <copse/errors.hpp>
#include <dynamic/names.hpp>
#include <dynamic/numbered_graph.hpp>

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>

namespace copse {

using dynamics::none;

template <dynamic_id Id>
struct basic_dynamic<Id>::state {
  state(const dynamic_options& wanted, std::pmr::memory_resource* memory)
      : options{wanted}, numbers{std::make_shared<dynamics::vertex_numbers<Id>>(memory)}, graph{wanted, order(), memory} {}

  dynamics::vertex_order order() {
    if constexpr (std::same_as<Id, std::uint32_t>) return {};
    return [this](std::uint32_t a, std::uint32_t b) { return numbers->less(a, b); };
  }
  /// The number of a vertex that exists; none.
  std::uint32_t find(Id id) {
    const std::uint32_t v = numbers->find(id);
    return graph.graph().present(v) ? v : none;
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
      numbered.push_back({operation.kind, none, none, edge.weight, edge.time, edge.key});
    }
    number_ends(inserts);
    return graph.apply(numbered);
  }
  std::vector<Id> named(std::vector<std::uint32_t> vertices) const {
    std::sort(vertices.begin(), vertices.end(), [this](std::uint32_t a, std::uint32_t b) { return numbers->less(a, b); });
    std::vector<Id> names;
    names.reserve(vertices.size());
    for (const std::uint32_t v : vertices) names.push_back(numbers->name(v));
    return names;
  }
  std::uint32_t smallest(std::uint32_t r) const {
    std::uint32_t least = none;
    graph.graph().for_each_member(r, [&](std::uint32_t v) { least = least == none || numbers->less(v, least) ? v : least; });
    return least;
  }

  dynamic_options options;
  std::shared_ptr<dynamics::vertex_numbers<Id>> numbers;
  dynamics::numbered_graph graph;
};

template <dynamic_id Id>
basic_dynamic<Id>::basic_dynamic(const dynamic_options& options, const execution& on)
    : state_{std::make_unique<state>(options, on.memory)} {
  if (options.count_window > static_cast<std::uint64_t>(INT64_MAX))
    throw usage_error{"a count window of " + std::to_string(options.count_window) + " operations: give at most " +
                      std::to_string(INT64_MAX)};
}
template <dynamic_id Id>
basic_dynamic<Id>::basic_dynamic(basic_dynamic&&) noexcept = default;
template <dynamic_id Id>
basic_dynamic<Id>& basic_dynamic<Id>::operator=(basic_dynamic&&) noexcept = default;
template <dynamic_id Id>
basic_dynamic<Id>::~basic_dynamic() = default;

template <dynamic_id Id>
dynamic_batch basic_dynamic<Id>::apply(std::span<const dynamic_operation<Id>> operations) {
  return state_->apply(operations.size(), [&](std::size_t i) {
    dynamic_operation<Id> operation = operations[i];
    if (operation.kind == dynamic_operation_kind::erase_vertex) operation.edge.v = operation.edge.u;
    return operation;
  });
}
template <dynamic_id Id>
dynamic_batch basic_dynamic<Id>::insert(std::span<const edge_type> edges) {
  return state_->apply(edges.size(), [&](std::size_t i) { return dynamic_operation<Id>{dynamic_operation_kind::insert, edges[i]}; });
}
template <dynamic_id Id>
dynamic_batch basic_dynamic<Id>::insert(Id u, Id v) {
  const edge_type edge{.u = u, .v = v};
  return insert(std::span{&edge, 1});
}
template <dynamic_id Id>
dynamic_batch basic_dynamic<Id>::erase(std::span<const edge_type> pairs) {
  return state_->apply(pairs.size(), [&](std::size_t i) { return dynamic_operation<Id>{dynamic_operation_kind::erase, pairs[i]}; });
}
template <dynamic_id Id>
dynamic_batch basic_dynamic<Id>::erase(Id u, Id v) {
  const edge_type edge{.u = u, .v = v};
  return erase(std::span{&edge, 1});
}
template <dynamic_id Id>
dynamic_batch basic_dynamic<Id>::erase_keys(std::span<const edge_type> edges) {
  return state_->apply(edges.size(), [&](std::size_t i) { return dynamic_operation<Id>{dynamic_operation_kind::erase_key, edges[i]}; });
}
template <dynamic_id Id>
dynamic_batch basic_dynamic<Id>::erase_vertices(std::span<const Id> vertices) {
  return state_->apply(vertices.size(), [&](std::size_t i) {
    return dynamic_operation<Id>{dynamic_operation_kind::erase_vertex, {.u = vertices[i], .v = vertices[i]}};
  });
}
template <dynamic_id Id>
dynamic_batch basic_dynamic<Id>::expire(std::int64_t before) {
  if (!state_->options.times) throw usage_error{"expire: construct the dynamic graph with the option times"};
  return state_->graph.expire(before);
}

template <dynamic_id Id>
dynamic_batch basic_dynamic<Id>::revert(std::uint64_t batch, revert_conflicts conflicts) {
  const auto found = state_->graph.conflicts(batch);
  if (!found.empty() && conflicts == revert_conflicts::refuse) {
    throw usage_error{"batch " + std::to_string(batch) + " cannot be reverted: later batches touched " + std::to_string(found.size()) +
                      " of its changes; conflicts() lists them, and revert_conflicts::skip leaves them as they are"};
  }
  return state_->graph.revert(batch, found);
}

template <dynamic_id Id>
std::vector<revert_conflict<Id>> basic_dynamic<Id>::conflicts(std::uint64_t batch) const {
  std::vector<revert_conflict<Id>> named;
  for (const auto& [edge, is_vertex] : state_->graph.conflicts(batch))
    named.push_back({is_vertex, state_->numbers->name(edge.u), state_->numbers->name(edge.v), edge.key});
  return named;
}

template <dynamic_id Id>
bool basic_dynamic<Id>::contains(Id v) const {
  return state_->find(v) != none;
}
template <dynamic_id Id>
bool basic_dynamic<Id>::contains(Id u, Id v) const {
  const std::uint32_t a = state_->find(u), b = state_->find(v);
  return a != none && b != none && state_->graph.has_edge(a, b);
}
template <dynamic_id Id>
bool basic_dynamic<Id>::connected(Id u, Id v) const {
  const std::uint32_t a = state_->find(u), b = state_->find(v);
  return a != none && b != none && state_->graph.graph().record_of(a) == state_->graph.graph().record_of(b);
}
template <dynamic_id Id>
std::uint64_t basic_dynamic<Id>::component_of(Id v) const {
  const std::uint32_t a = state_->find(v);
  return a == none ? no_component : state_->record(a).id;
}
template <dynamic_id Id>
std::uint64_t basic_dynamic<Id>::size_of(Id v) const {
  const std::uint32_t a = state_->find(v);
  return a == none ? 0 : state_->record(a).size;
}
template <dynamic_id Id>
std::vector<Id> basic_dynamic<Id>::members(Id v) const {
  const std::uint32_t a = state_->find(v);
  if (a == none) return {};
  std::vector<std::uint32_t> vertices;
  state_->graph.graph().for_each_member(state_->graph.graph().record_of(a), [&](std::uint32_t x) { vertices.push_back(x); });
  return state_->named(std::move(vertices));
}
template <dynamic_id Id>
std::optional<Id> basic_dynamic<Id>::label(Id v) const {
  const std::uint32_t a = state_->find(v);
  if (a == none) return std::nullopt;
  return state_->numbers->name(state_->smallest(state_->graph.graph().record_of(a)));
}
template <dynamic_id Id>
std::vector<std::pair<Id, Id>> basic_dynamic<Id>::labels() const {
  const dynamics::dynamic_components& graph = state_->graph.graph();
  std::vector<std::uint32_t> vertices;
  vertices.reserve(graph.vertices());
  for (std::uint32_t v = 0; v < graph.slots(); ++v)
    if (graph.present(v)) vertices.push_back(v);
  std::sort(vertices.begin(), vertices.end(), [this](std::uint32_t a, std::uint32_t b) { return state_->numbers->less(a, b); });
  std::vector<std::uint32_t> first(graph.records(), none);
  std::vector<std::pair<Id, Id>> labels;
  labels.reserve(vertices.size());
  for (const std::uint32_t v : vertices) {
    std::uint32_t& least = first[graph.record_of(v)];
    if (least == none) least = v;
    labels.emplace_back(state_->numbers->name(v), state_->numbers->name(least));
  }
  return labels;
}
template <dynamic_id Id>
std::vector<dynamic_edge<Id>> basic_dynamic<Id>::edges() const {
  std::vector<edge_type> edges;
  edges.reserve(edge_count());
  state_->graph.for_each_edge([&](const dynamics::edge_name& edge, const dynamics::edge_state& carried) {
    Id u = state_->numbers->name(edge.u), v = state_->numbers->name(edge.v);
    if (v < u) std::swap(u, v);
    edges.push_back({u, v, carried.weight, carried.time, edge.key});
  });
  return edges;
}

template <dynamic_id Id>
std::uint64_t basic_dynamic<Id>::vertices() const noexcept {
  return state_->graph.graph().vertices();
}
template <dynamic_id Id>
std::uint64_t basic_dynamic<Id>::edge_count() const noexcept {
  return state_->graph.edges();
}
template <dynamic_id Id>
std::uint64_t basic_dynamic<Id>::count() const noexcept {
  return state_->graph.graph().components();
}
template <dynamic_id Id>
std::uint64_t basic_dynamic<Id>::last_batch() const noexcept {
  return state_->graph.last_batch();
}
template <dynamic_id Id>
std::uint64_t basic_dynamic<Id>::oldest_batch() const noexcept {
  return state_->graph.oldest_batch();
}
template <dynamic_id Id>
std::vector<component_event> basic_dynamic<Id>::events(std::uint64_t batch) const {
  return state_->graph.log(batch).ids.events;
}
template <dynamic_id Id>
std::vector<component_change<Id>> basic_dynamic<Id>::changes(std::uint64_t since) const {
  std::vector<dynamics::id_row> rows = state_->graph.changes(since);
  std::sort(rows.begin(), rows.end(),
            [this](const dynamics::id_row& a, const dynamics::id_row& b) { return state_->numbers->less(a.vertex, b.vertex); });
  std::vector<component_change<Id>> changes;
  changes.reserve(rows.size());
  for (const auto& [vertex, before, after] : rows) changes.push_back({state_->numbers->name(vertex), before, after});
  return changes;
}

template <dynamic_id Id>
struct dynamic_snapshot<Id>::view {
  std::shared_ptr<dynamics::vertex_numbers<Id>> numbers;
  std::shared_ptr<const dynamics::components_version> version;
};

template <dynamic_id Id>
dynamic_snapshot<Id> basic_dynamic<Id>::snapshot() const {
  if (!state_->options.snapshots) throw usage_error{"snapshot: construct the dynamic graph with the option snapshots"};
  using view = typename dynamic_snapshot<Id>::view;
  return dynamic_snapshot<Id>{std::make_shared<const view>(view{state_->numbers, state_->graph.snapshot()})};
}

template <dynamic_id Id>
std::uint64_t dynamic_snapshot<Id>::batch() const noexcept {
  return view_->version->batch;
}
template <dynamic_id Id>
std::uint64_t dynamic_snapshot<Id>::vertices() const noexcept {
  return view_->version->vertices;
}
template <dynamic_id Id>
std::uint64_t dynamic_snapshot<Id>::count() const noexcept {
  return view_->version->components;
}
template <dynamic_id Id>
std::uint64_t dynamic_snapshot<Id>::component_of(Id v) const {
  const std::uint32_t number = view_->numbers->find(v);
  return number == none ? no_component : view_->version->component[number];
}
template <dynamic_id Id>
bool dynamic_snapshot<Id>::connected(Id u, Id v) const {
  const std::uint64_t id = component_of(u);
  return id != no_component && id == component_of(v);
}
template <dynamic_id Id>
std::uint64_t dynamic_snapshot<Id>::size_of(Id v) const {
  const std::uint64_t id = component_of(v);
  return id == no_component ? 0 : view_->version->size[id];
}

template class basic_dynamic<std::uint32_t>;
template class basic_dynamic<std::uint64_t>;
template class basic_dynamic<std::int64_t>;
template class basic_dynamic<std::string_view>;
template class dynamic_snapshot<std::uint32_t>;
template class dynamic_snapshot<std::uint64_t>;
template class dynamic_snapshot<std::int64_t>;
template class dynamic_snapshot<std::string_view>;

}  // namespace copse
