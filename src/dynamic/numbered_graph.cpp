#include <core/parallel.hpp>
#include <core/team.hpp>
#include <dynamic/numbered_graph.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

namespace copse::dynamics {
namespace {

constexpr std::size_t group_size = 32;

}  // namespace

numbered_graph::numbered_graph(const dynamic_options& options, vertex_order order, std::pmr::memory_resource* memory, unsigned threads)
    : options_{options},
      order_{std::move(order)},
      graph_{memory, threads},
      table_{{options.weights, options.times, options.keys, options.count_window != 0}, memory} {}

bool numbered_graph::has_edge(std::uint32_t u, std::uint32_t v) const noexcept {
  return graph_.present(u) && graph_.present(v) && graph_.has_edge(u, v);
}

edge_state numbered_graph::state_of(const edge_name& edge) const noexcept {
  return has_edge(edge.u, edge.v) ? table_.find(edge) : edge_state{};
}

// ---- one batch

void numbered_graph::begin() {
  if (options_.history > 1) make_rows();
  graph_.forget_batch();
  if (spare_) log_ = std::move(spare_);
  if (!log_) log_ = std::make_shared<batch_log>();
  log_->clear();
  summary_ = {.number = last_ + 1};
}

dynamic_batch numbered_graph::finish(const revival* undo) {
  compact_queues();
  log_->events = settle_ids(graph_, next_id_, order_, undo);
  ++last_;
  if (options_.snapshots) {
    log_->rows = changed_ids(graph_);
    log_->has_rows = true;
    versions_.apply(log_->rows, last_);
  }
  if (options_.history != 0) history_.push_back(std::move(log_));
  if (last_ >= options_.history) oldest_ = std::max(oldest_, last_ - options_.history + 1);
  while (history_.size() > last_ + 1 - oldest_) {
    if (history_.front().use_count() == 1) spare_ = std::move(history_.front());
    history_.pop_front();
  }
  return summary_;
}

void numbered_graph::add_vertex(std::uint32_t v) {
  if (v >= graph_.slots()) graph_.reserve(v + 1);
  graph_.add_vertex(v);
}

void numbered_graph::set(const edge_name& edge, const edge_state& state) {
  has_table() ? set(edge, state_of(edge), state) : set_pair(edge.u, edge.v, state.present);
}

// Inserts or erases an edge that carries only its ends, unless that is the case already.
void numbered_graph::set_pair(std::uint32_t u, std::uint32_t v, bool present) {
  if (present) {
    if (has_edge(u, v)) return;
    graph_.insert_new(u, v);
    ++summary_.inserted;
  } else {
    if (std::max(u, v) >= graph_.slots() || !graph_.erase_later(u, v)) return;
    ++summary_.erased;
  }
  if (options_.history != 0) log_->edges.push(u, v, present);
}

// The edge carries more than its ends, and `before` is its state.
void numbered_graph::set(const edge_name& edge, const edge_state& before, const edge_state& state) {
  if (before == state) return;
  if (options_.history != 0) log_->edges.push({edge, before, state});
  // with keys, several edges may have the same ends
  const bool is_pair_there = before.present || (options_.keys && has_edge(edge.u, edge.v));
  table_.set(edge, state, is_pair_there);
  if (state.present && !before.present) {
    ++summary_.inserted;
    if (!is_pair_there) graph_.insert_new(edge.u, edge.v);
  } else if (before.present && !state.present) {
    ++summary_.erased;
    if (!options_.keys || !table_.has_pair(edge.u, edge.v)) graph_.erase_later(edge.u, edge.v);
  }
}

void numbered_graph::insert(const numbered_operation& operation) {
  if (options_.times && operation.time < cutoff_) {
    ++summary_.dropped;
    return;
  }
  ++operations_;
  if (const std::uint32_t last = std::max(operation.u, operation.v); last >= graph_.slots()) graph_.reserve(last + 1);
  if (!has_table()) return set_pair(operation.u, operation.v, true);
  const edge_name edge{operation.u, operation.v, options_.keys ? operation.key : 0};
  const edge_state before = state_of(edge);
  edge_state after{.present = true};
  if (options_.weights) after.weight = operation.weight;
  if (options_.times) after.time = before.present ? std::max(before.time, operation.time) : operation.time;
  if (options_.count_window != 0) after.sequence = operations_;
  set(edge, before, after);
  if (options_.times && (!before.present || after.time != before.time)) by_time_.push(after.time, edge);
  if (options_.count_window != 0) by_operation_.push(static_cast<std::int64_t>(operations_), edge);
}

void numbered_graph::erase_pair(std::uint32_t u, std::uint32_t v) {
  if (!has_table()) return set_pair(u, v, false);
  if (!has_edge(u, v)) return;
  if (!options_.keys) return set({u, v, 0}, {});
  std::vector<edge_name> parallel;
  table_.for_each_of(u, v, [&](const edge_name& edge, const edge_state&) { parallel.push_back(edge); });
  for (const edge_name& edge : parallel) set(edge, {});
}

void numbered_graph::erase_vertex(std::uint32_t v) {
  if (!graph_.present(v)) return;
  std::vector<std::uint32_t> neighbours;
  graph_.for_each_neighbour(v, [&](std::uint32_t w) { neighbours.push_back(w); });
  for (const std::uint32_t w : neighbours) erase_pair(v, w);
  graph_.remove_vertex(v);
}

// Load into the cache what the operations need, each after what the function before it has loaded.
void numbered_graph::prefetch_vertices(std::span<const numbered_operation> operations) const noexcept {
  for (const numbered_operation& operation : operations) {
    graph_.prefetch(operation.u);
    graph_.prefetch(operation.v);
  }
}
void numbered_graph::prefetch_edges(std::span<const numbered_operation> operations) const noexcept {
  for (const numbered_operation& operation : operations) {
    graph_.prefetch_edge(operation.u, operation.v);
    table_.prefetch(operation.u, operation.v);
  }
}
void numbered_graph::prefetch_climbs(std::span<const numbered_operation> operations) const noexcept {
  std::array<dynamic_components::pair, group_size> climbs;
  std::size_t count = 0;
  for (const numbered_operation& operation : operations) {
    table_.prefetch_row(operation.u, operation.v);
    if (operation.kind == dynamic_operation_kind::insert) climbs[count++] = {operation.u, operation.v};
  }
  if (count != 0) graph_.prefetch_climbs(std::span{climbs}.first(count));
}

// If all operations erase edges, and edges carry no values, erases the edges on all threads. Otherwise returns false.
bool numbered_graph::erase_together(std::span<const numbered_operation> operations) {
  constexpr std::size_t fewest_together = 64, block = 4096;
  const auto is_erase = [](const numbered_operation& operation) { return operation.kind == dynamic_operation_kind::erase; };
  if (operations.size() < fewest_together || has_table() || !is_erase(operations.front())) return false;
  const unsigned threads = graph_.threads();
  std::atomic<bool> are_erases{true};
  leaving_.resize(operations.size());
  parallel_blocks(threads, operations.size(), block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      leaving_[i] = {operations[i].u, operations[i].v};
      if (!is_erase(operations[i])) are_erases.store(false, std::memory_order_relaxed);
    }
  });
  if (!are_erases) return false;
  has_left_.assign(operations.size(), 0);
  summary_.erased += graph_.erase_together(leaving_, has_left_);
  const auto log = [this] {
    for (std::size_t i = 0; i < leaving_.size(); ++i)
      if (has_left_[i] != 0) log_->edges.push(leaving_[i].u, leaving_[i].v, false);
  };
  const bool logs_beside = threads > 1 && operations.size() > block && options_.history != 0;
  if (!logs_beside && options_.history != 0) log();
  on_workers(logs_beside ? 2 : 1, [&](unsigned number) { number == 0 ? graph_.reconnect() : log(); });
  return true;
}

void numbered_graph::apply_one(const numbered_operation& operation) {
  switch (operation.kind) {
    case dynamic_operation_kind::insert:
      return insert(operation);
    case dynamic_operation_kind::erase:
      return erase_pair(operation.u, operation.v);
    case dynamic_operation_kind::erase_key:
      if (has_edge(operation.u, operation.v)) set({operation.u, operation.v, operation.key}, {});
      return;
    case dynamic_operation_kind::erase_vertex:
      return erase_vertex(operation.u);
  }
}

// Each group of operations is prefetched in three steps, while the three groups before it are applied.
void numbered_graph::apply_in_groups(std::span<const numbered_operation> operations) {
  const auto groups = static_cast<std::ptrdiff_t>((operations.size() + group_size - 1) / group_size);
  const auto group = [&](std::ptrdiff_t g) {
    const std::size_t from = static_cast<std::size_t>(g) * group_size;
    return operations.subspan(from, std::min(group_size, operations.size() - from));
  };
  for (std::ptrdiff_t g = -3; g < groups; ++g) {
    if (g + 3 < groups) prefetch_vertices(group(g + 3));
    if (g + 2 >= 0 && g + 2 < groups) prefetch_edges(group(g + 2));
    if (g + 1 >= 0 && g + 1 < groups) prefetch_climbs(group(g + 1));
    if (g < 0) continue;
    for (const numbered_operation& operation : group(g)) apply_one(operation);
  }
}

dynamic_batch numbered_graph::apply(std::span<const numbered_operation> operations) {
  begin();
  if (erase_together(operations)) return finish();
  if (operations.size() == 1) {
    prefetch_vertices(operations);
    prefetch_edges(operations);
    apply_one(operations.front());
  } else {
    apply_in_groups(operations);
  }
  shorten_window();
  return finish();
}

// ---- windows

// Erases the edges in the queue whose rank is below `before`, unless they were erased or inserted again since they were queued. The rank of
// an edge is its time in the queue by_time_, and the number of the operation that inserted it in by_operation_. Then erases those of their
// ends that have no edges any more, unless options_.keep_vertices is set.
void numbered_graph::leave(expiry_queue& queue, std::int64_t before) {
  const bool by_time = &queue == &by_time_;
  std::vector<std::uint32_t> ends;
  for (expiry_queue::entry due; queue.pop(before, due);) {
    const edge_state state = state_of(due.edge);
    if (!state.present || (by_time ? state.time : static_cast<std::int64_t>(state.sequence)) != due.rank) continue;
    set(due.edge, {});
    log_->has_expiries = true;
    if (!options_.keep_vertices) ends.insert(ends.end(), {due.edge.u, due.edge.v});
  }
  for (const std::uint32_t v : ends)
    if (graph_.present(v) && graph_.isolated(v)) graph_.remove_vertex(v);
}

void numbered_graph::shorten_window() {
  if (options_.count_window == 0 || operations_ <= options_.count_window) return;
  leave(by_operation_, static_cast<std::int64_t>(operations_ - options_.count_window + 1));
}

dynamic_batch numbered_graph::expire(std::int64_t before) {
  begin();
  log_->has_expiries = true;
  cutoff_ = std::max(cutoff_, before);
  leave(by_time_, before);
  return finish();
}

void numbered_graph::compact_queues() {
  if (!options_.times && options_.count_window == 0) return;
  if (by_time_.is_stale(table_.size()) || by_operation_.is_stale(table_.size())) begin_queues();
}

void numbered_graph::begin_queues() {
  const auto begin = [this](expiry_queue& queue, auto rank_of) {
    std::vector<expiry_queue::entry> entries;
    entries.reserve(table_.size());
    table_.for_each([&](const edge_name& edge, const edge_state& state) { entries.push_back({rank_of(state), edge}); });
    queue.assign(std::move(entries));
  };
  if (options_.times) begin(by_time_, [](const edge_state& state) { return state.time; });
  if (options_.count_window != 0) begin(by_operation_, [](const edge_state& state) { return static_cast<std::int64_t>(state.sequence); });
}

}  // namespace copse::dynamics
