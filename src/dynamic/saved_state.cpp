// The state of a graph as bytes: what save() writes, load() takes over in bulk, without applying anything again.
//
// The forest is kept by the parent of each vertex, edges outside it by the set of each vertex, so that both are read in order. Whatever
// follows from the rest is left out: sizes, lists of children, queues of edges that leave a window.
#include <copse/errors.hpp>
#include <dynamic/batch_records.hpp>
#include <dynamic/numbered_graph.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace copse::dynamics {
namespace {

std::uint32_t checked(std::uint32_t number, std::uint64_t bound) {
  if (number >= bound && number != none)
    throw input_error{"found the number " + std::to_string(number) + " in the state of a dynamic graph, expected one below " +
                      std::to_string(bound)};
  return number;
}

}  // namespace

void dynamic_components::save(byte_sink& to, const renumbering& now) const {
  std::vector<std::uint32_t> place(records_.size(), none);  // of a record among those that are in use
  std::uint32_t used = 0;
  for (std::size_t r = 0; r < records_.size(); ++r)
    if (records_[r].size != 0) place[r] = used++;
  std::uint32_t bound = slots();
  while (bound != 0 && nodes_[bound - 1].component == none) --bound;
  to.value(now.count(bound));
  to.value(used);
  to.value(edges_);
  const auto for_each_record = [&](auto visit) {
    for (const component_record& r : records_)
      if (r.size != 0) visit(r);
  };
  for_each_record([&](const component_record& r) { to.value(r.id); });
  for_each_record([&](const component_record& r) { to.value(now(r.root)); });
  const auto for_each_node = [&](auto visit) { now.for_each(bound, [&](std::uint32_t v) { visit(nodes_[v]); }); };
  for_each_node([&](const node& x) { to.value(x.component == none ? none : place[x.component]); });
  for_each_node([&](const node& x) { to.value(now(x.parent)); });
  for_each_node([&](const node& x) { to.value(x.outside.count); });
  for_each_node([&](const node& x) {
    sets_.any_of(x.outside, [&](std::uint32_t w) {
      to.value(now(w));
      return false;
    });
  });
}

void dynamic_components::load(byte_source& from) {
  const auto slots = from.value<std::uint32_t>(), used = from.value<std::uint32_t>();
  edges_ = from.value<std::uint64_t>();
  reserve(slots);
  records_.resize(used);
  for (component_record& r : records_) r.id = from.value<std::uint64_t>();
  for (component_record& r : records_) r.root = checked(from.value<std::uint32_t>(), slots);
  components_ = used;
  for (node& x : nodes_) {
    x.component = checked(from.value<std::uint32_t>(), used);
    if (x.component == none) continue;
    ++records_[x.component].size;
    ++vertices_;
  }
  for (node& x : nodes_) x.parent = checked(from.value<std::uint32_t>(), slots);
  for (std::uint32_t v = slots; v-- > 0;) {
    if (v >= 16 && nodes_[v - 16].parent != none) __builtin_prefetch(&nodes_[nodes_[v - 16].parent], 1);
    if (nodes_[v].parent != none) hang(v, nodes_[v].parent);
  }
  for (node& x : nodes_) x.outside.count = from.value<std::uint32_t>();
  for (node& x : nodes_) {
    const std::uint32_t count = std::exchange(x.outside.count, 0);
    sets_.fill(x.outside, count, [&] { return checked(from.value<std::uint32_t>(), slots); });
  }
}

void edge_table::save(byte_sink& to, const renumbering& now, const carried_values& carried) const {
  to.value(size_);
  const auto column = [&](bool is_kept, auto value_of) {
    if (!is_kept) return;
    for (const record& r : records_)
      if (r.u != none) to.value(value_of(r));
  };
  column(true, [&](const record& r) { return now(r.u); });
  column(true, [&](const record& r) { return now(r.v); });
  column(carried.keys, [](const record& r) { return r.key; });
  column(carried.weights, [](const record& r) { return r.state.weight; });
  column(carried.times, [](const record& r) { return r.state.time; });
  column(carried.sequences, [](const record& r) { return r.state.sequence; });
}

void edge_table::load(byte_source& from, const carried_values& carried) {
  size_ = from.value<std::uint64_t>();
  if (size_ >= none) throw input_error{"found a state of " + std::to_string(size_) + " edges that carry anything, expected fewer"};
  const record unset{.u = none, .v = none, .next = none, .key = 0, .state = {.present = true}};
  // Not all at once: a size that the bytes do not bear out must not take memory.
  for (std::uint64_t i = 0; i < size_; ++i) {
    records_.push_back(unset);
    records_.back().u = from.value<std::uint32_t>();
  }
  const auto column = [&](bool is_kept, auto set) {
    for (std::size_t i = 0; is_kept && i < records_.size(); ++i) set(records_[i]);
  };
  column(true, [&](record& r) { r.v = from.value<std::uint32_t>(); });
  column(carried.keys, [&](record& r) { r.key = from.value<std::uint64_t>(); });
  column(carried.weights, [&](record& r) { r.state.weight = from.value<double>(); });
  column(carried.times, [&](record& r) { r.state.time = from.value<std::int64_t>(); });
  column(carried.sequences, [&](record& r) { r.state.sequence = from.value<std::uint64_t>(); });
  slots_.assign(std::bit_ceil(std::max<std::size_t>(16, size_ * 4 / 3 + 1)), none);
  for (std::size_t i = 0; i < records_.size(); ++i) {
    if (i + 16 < records_.size()) __builtin_prefetch(&slots_[home(records_[i + 16].u, records_[i + 16].v)], 1);
    std::uint32_t& head = slots_[slot_of(records_[i].u, records_[i].v)];
    records_[i].next = head;
    head = static_cast<std::uint32_t>(i);
  }
}

void numbered_graph::save(byte_sink& to, const renumbering& now) const {
  to.value(last_);
  to.value(next_id_);
  to.value(operations_);
  to.value(cutoff_);
  graph_.save(to, now);
  if (has_table()) table_.save(to, now, carried());
}

void numbered_graph::load(byte_source& from) {
  last_ = from.value<std::uint64_t>();
  oldest_ = last_ + 1;
  next_id_ = from.value<std::uint64_t>();
  operations_ = from.value<std::uint64_t>();
  cutoff_ = from.value<std::int64_t>();
  graph_.load(from);
  if (has_table()) table_.load(from, carried());
  begin_queues();
  if (!options_.snapshots) return;
  std::vector<id_row> rows;
  rows.reserve(graph_.vertices());
  for (std::uint32_t v = 0; v < graph_.slots(); ++v)
    if (graph_.present(v)) rows.push_back({v, no_component, graph_.record(graph_.record_of(v)).id});
  versions_.apply(rows, last_);
}

// ---- logs

std::string bytes_of(const batch_log& log) {
  std::string to;
  put_value(to, log.has_expiries);
  for (const std::uint64_t count : {log.edges.size(), log.ids.rows.size(), log.ids.events.size()}) put_value(to, count);
  const auto put_state = [&](const edge_state& state) {
    put_value(to, state.present);
    if (!state.present) return;
    put_value(to, state.weight);
    put_value(to, state.time);
    put_value(to, state.sequence);
  };
  for (const edge_change& change : log.edges) {
    put_value(to, change.edge.u);
    put_value(to, change.edge.v);
    put_value(to, change.edge.key);
    put_state(change.before);
    put_state(change.after);
  }
  for (const id_row& row : log.ids.rows) {
    put_value(to, row.vertex);
    put_value(to, row.before);
    put_value(to, row.after);
  }
  for (const component_event& event : log.ids.events) {
    put_value(to, event.kind);
    put_value(to, event.from);
    put_value(to, event.into);
    put_value(to, event.vertices);
  }
  return to;
}

batch_log log_in(std::string_view bytes) {
  record_reader from{bytes};
  batch_log log;
  log.has_expiries = from.value<std::uint8_t>() != 0;
  const auto edges = from.value<std::uint64_t>(), rows = from.value<std::uint64_t>(), events = from.value<std::uint64_t>();
  const auto state = [&] {
    edge_state found;
    found.present = from.value<std::uint8_t>() != 0;
    if (!found.present) return found;
    found.weight = from.value<double>();
    found.time = from.value<std::int64_t>();
    found.sequence = from.value<std::uint64_t>();
    return found;
  };
  for (std::uint64_t i = 0; i < edges; ++i) {
    edge_change change;
    change.edge.u = from.value<std::uint32_t>();
    change.edge.v = from.value<std::uint32_t>();
    change.edge.key = from.value<std::uint64_t>();
    change.before = state();
    change.after = state();
    log.edges.push_back(change);
  }
  for (std::uint64_t i = 0; i < rows; ++i) {
    const auto vertex = from.value<std::uint32_t>();
    const auto before = from.value<std::uint64_t>(), after = from.value<std::uint64_t>();
    log.ids.rows.push_back({vertex, before, after});
  }
  for (std::uint64_t i = 0; i < events; ++i) {
    const auto kind = from.value<component_event_kind>();
    const auto a = from.value<std::uint64_t>(), b = from.value<std::uint64_t>(), vertices = from.value<std::uint64_t>();
    log.ids.events.push_back({kind, a, b, vertices});
  }
  from.expect_end();
  return log;
}

}  // namespace copse::dynamics
