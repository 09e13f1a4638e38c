#include <core/parallel_sort.hpp>
#include <dynamic/dynamic_state.hpp>

#include <algorithm>
#include <mutex>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace copse {

using dynamics::none;

template <dynamic_id Id>
basic_dynamic<Id>::basic_dynamic(const dynamic_options& options, const execution& on) : state_{std::make_unique<state>(options, on)} {
  if (options.count_window > static_cast<std::uint64_t>(INT64_MAX))
    throw usage_error{"a count window of " + std::to_string(options.count_window) + " operations: give at most " +
                      std::to_string(INT64_MAX)};
}
template <dynamic_id Id>
basic_dynamic<Id> basic_dynamic<Id>::open(const std::filesystem::path& folder, const std::optional<dynamic_options>& options,
                                          const dynamic_store_options& store, const execution& on) {
  if (store.until != UINT64_MAX && !store.read_only)
    throw usage_error{"the state after a batch of the past can only be read: open it with read_only"};
  const auto access = store.read_only ? dynamics::database_access::read : dynamics::database_access::write;
  auto opened = std::make_unique<dynamics::batch_store>(folder, access, store.durable);
  dynamic_options wanted = options.value_or(dynamic_options{});
  const std::string header = dynamics::header_of(dynamics::kind_of_ids<Id>(), wanted);
  if (opened->described()) {
    const dynamic_store_facts held = dynamics::facts_in(opened->described()->header);
    dynamics::expect_same(folder.string(), held, dynamics::kind_of_ids<Id>(), options);
    const bool snapshots = wanted.snapshots;
    wanted = held.options;
    wanted.snapshots = snapshots;
  } else if (store.read_only) {
    throw input_error::at(folder.string(), 0, "a dynamic graph that is not made yet", "one with its header");
  } else {
    opened->describe({header, store.remark});
  }
  basic_dynamic graph{wanted, on};
  graph.state_->store = std::move(opened);
  graph.state_->reads = store.read_only;
  graph.state_->until = store.until;
  graph.state_->replay();
  if (store.until != UINT64_MAX && graph.last_batch() != store.until)
    throw usage_error{folder.string() + ": batch " + std::to_string(store.until) + " is not there, the last is " +
                      std::to_string(graph.last_batch())};
  return graph;
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
dynamic_batch basic_dynamic<Id>::apply(std::span<const dynamic_operation<Id>> operations, std::string remark) {
  if (!state_->store) throw usage_error{"apply with a remark: open the dynamic graph in a folder"};
  state_->next_remark = std::move(remark);
  try {
    const dynamic_batch done = apply(operations);
    state_->next_remark.reset();
    return done;
  } catch (...) {
    state_->next_remark.reset();
    throw;
  }
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
dynamic_batch basic_dynamic<Id>::purge_vertices(std::span<const Id> vertices) {
  return state_->purge(vertices);
}
template <dynamic_id Id>
void basic_dynamic<Id>::compact() {
  if (!state_->store) throw usage_error{"compact: open the dynamic graph in a folder"};
  state_->expect_writer();
  state_->save();
}
template <dynamic_id Id>
dynamic_batch basic_dynamic<Id>::expire(std::int64_t before) {
  return state_->expire(before);
}
template <dynamic_id Id>
dynamic_batch basic_dynamic<Id>::revert(std::uint64_t batch, revert_conflicts conflicts) {
  return state_->revert(batch, conflicts);
}

template <dynamic_id Id>
std::uint64_t basic_dynamic<Id>::refresh() {
  if (!state_->reads) throw usage_error{"refresh: open the dynamic graph with read_only; one that is written to is always up to date"};
  state_->replay();
  return last_batch();
}
template <dynamic_id Id>
void basic_dynamic<Id>::set_remark(std::string remark) {
  if (!state_->store || state_->reads) throw usage_error{"set_remark: open the dynamic graph in a folder, for writing"};
  state_->store->describe({state_->store->described()->header, std::move(remark)});
}
template <dynamic_id Id>
std::vector<revert_conflict<Id>> basic_dynamic<Id>::conflicts(std::uint64_t batch) const {
  std::vector<revert_conflict<Id>> named;
  for (const auto& [edge, is_vertex] : state_->graph->conflicts(batch))
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
  return a != none && b != none && state_->graph->has_edge(a, b);
}
template <dynamic_id Id>
bool basic_dynamic<Id>::connected(Id u, Id v) const {
  const std::uint32_t a = state_->find(u), b = state_->find(v);
  return a != none && b != none && state_->graph->graph().record_of(a) == state_->graph->graph().record_of(b);
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
  state_->graph->graph().for_each_member(state_->graph->graph().record_of(a), [&](std::uint32_t x) { vertices.push_back(x); });
  return state_->named(std::move(vertices));
}
template <dynamic_id Id>
std::optional<Id> basic_dynamic<Id>::label(Id v) const {
  const std::uint32_t a = state_->find(v);
  if (a == none) return std::nullopt;
  return state_->numbers->name(state_->smallest(state_->graph->graph().record_of(a)));
}
template <dynamic_id Id>
std::vector<std::pair<Id, Id>> basic_dynamic<Id>::labels() const {
  const dynamics::dynamic_components& graph = state_->graph->graph();
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
  state_->graph->for_each_edge([&](const dynamics::edge_name& edge, const dynamics::edge_state& carried) {
    Id u = state_->numbers->name(edge.u), v = state_->numbers->name(edge.v);
    if (v < u) std::swap(u, v);
    edges.push_back({u, v, carried.weight, carried.time, edge.key});
  });
  const auto less = [](const edge_type& a, const edge_type& b) { return std::tie(a.u, a.v, a.key) < std::tie(b.u, b.v, b.key); };
  parallel_sort(std::span{edges}, less, state_->threads);
  return edges;
}

template <dynamic_id Id>
std::uint64_t basic_dynamic<Id>::vertices() const noexcept {
  return state_->graph->graph().vertices();
}
template <dynamic_id Id>
std::uint64_t basic_dynamic<Id>::edge_count() const noexcept {
  return state_->graph->edges();
}
template <dynamic_id Id>
std::uint64_t basic_dynamic<Id>::count() const noexcept {
  return state_->graph->graph().components();
}
template <dynamic_id Id>
std::uint64_t basic_dynamic<Id>::last_batch() const noexcept {
  return state_->graph->last_batch();
}
template <dynamic_id Id>
std::uint64_t basic_dynamic<Id>::oldest_batch() const noexcept {
  return state_->graph->oldest_batch();
}
template <dynamic_id Id>
std::vector<component_event> basic_dynamic<Id>::events(std::uint64_t batch) const {
  return state_->graph->log(batch)->events;
}
template <dynamic_id Id>
std::vector<component_change<Id>> basic_dynamic<Id>::changes(std::uint64_t since) const {
  std::vector<dynamics::id_row> rows = state_->graph->changes(since);
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
  const std::lock_guard lock{state_->snapshots};
  return dynamic_snapshot<Id>{std::make_shared<const view>(view{state_->numbers, state_->graph->snapshot()})};
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
