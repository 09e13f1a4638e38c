// The history of a dynamic graph: the logs of its batches, the changes since one of them, and batches that are taken back.
#include <copse/errors.hpp>
#include <dynamic/numbered_graph.hpp>

#include <algorithm>
#include <set>
#include <utility>

namespace copse::dynamics {

// Adds to the log of the last batch the vertices whose component got another id. The graph knows these only until the next batch begins.
void numbered_graph::make_rows() const {
  const std::lock_guard lock{makes_rows_};
  if (history_.empty() || history_.back()->has_rows) return;
  history_.back()->rows = changed_ids(graph_);
  history_.back()->has_rows = true;
}

std::shared_ptr<const batch_log> numbered_graph::log(std::uint64_t batch) const {
  if (batch < oldest_ || batch > last_) {
    const std::string kept = oldest_ > last_ ? "none is kept" : "the oldest kept is " + std::to_string(oldest_batch());
    throw usage_error{"batch " + std::to_string(batch) + " is not in the history of the dynamic graph: the last is " +
                      std::to_string(last_) + ", and " + kept + "; ask for more with the option history"};
  }
  if (batch == last_) make_rows();
  const std::uint64_t first = last_ + 1 - history_.size();
  return batch >= first ? history_[batch - first] : std::make_shared<const batch_log>(archive_(batch));
}

void numbered_graph::archive_logs(std::uint64_t oldest, std::uint64_t until, log_archive archive) {
  oldest_ = oldest;
  archive_ = std::move(archive);
  while (history_.size() > std::max<std::uint64_t>(1, last_ - until)) history_.pop_front();
}

std::vector<id_row> numbered_graph::changes(std::uint64_t since) const {
  if (since > last_) throw usage_error{"changes since batch " + std::to_string(since) + ": the last batch is " + std::to_string(last_)};
  std::vector<id_row> rows;
  for (std::uint64_t batch = since + 1; batch <= last_; ++batch) {
    const auto more = log(batch);
    rows.insert(rows.end(), more->rows.begin(), more->rows.end());
  }
  std::stable_sort(rows.begin(), rows.end(), [](const id_row& a, const id_row& b) { return a.vertex < b.vertex; });
  std::size_t kept = 0;
  for (std::size_t i = 0, j = 0; i < rows.size(); i = j) {
    while (j < rows.size() && rows[j].vertex == rows[i].vertex) ++j;
    const id_row net{rows[i].vertex, rows[i].before, rows[j - 1].after};
    if (net.before != net.after) rows[kept++] = net;
  }
  rows.resize(kept);
  return rows;
}

std::vector<touched_change> numbered_graph::conflicts(std::uint64_t batch) const {
  const auto undone = log(batch);
  if (undone->has_expiries) throw usage_error{"batch " + std::to_string(batch) + " cannot be reverted: edges left a window in it"};
  std::set<edge_name> edges;
  std::set<std::uint32_t> vertices, ends;  // vertices that came or left in later batches, and the ends of edges that these changed
  for (std::uint64_t later = batch + 1; later <= last_; ++later) {
    const auto log_of_later = log(later);
    for (const edge_change& change : net_changes(*log_of_later)) {
      edges.insert(change.edge);
      ends.insert({change.edge.u, change.edge.v});
    }
    for (const id_row& row : log_of_later->rows)
      if (row.before == no_component || row.after == no_component) vertices.insert(row.vertex);
  }
  std::vector<touched_change> found;
  for (const id_row& row : undone->rows) {
    const bool came = row.before == no_component, left = row.after == no_component;
    if ((came || left) && (vertices.contains(row.vertex) || (came && ends.contains(row.vertex))))
      found.push_back({{row.vertex, row.vertex, 0}, true});
  }
  for (const edge_change& change : net_changes(*undone)) {
    const edge_name& edge = change.edge;
    if (edges.contains(edge) || vertices.contains(edge.u) || vertices.contains(edge.v)) found.push_back({edge, false});
  }
  return found;
}

// Returns the ids of components that ended in a batch and are not in use now.
std::vector<std::uint64_t> numbered_graph::ids_ended_in(std::uint64_t batch) const {
  std::set<std::uint64_t> ended;
  const auto undone = log(batch);
  for (const component_event& event : undone->events)
    if (event.kind == component_event_kind::merged || event.kind == component_event_kind::vanished) ended.insert(event.from);
  std::set<std::uint64_t> in_use;
  for (std::uint64_t later = batch + 1; later <= last_; ++later) {
    const auto log_of_later = log(later);
    for (const component_event& event : log_of_later->events) {
      if (event.kind == component_event_kind::revived) in_use.insert(event.into);
      if (event.kind == component_event_kind::merged || event.kind == component_event_kind::vanished) in_use.erase(event.from);
    }
  }
  std::vector<std::uint64_t> result;
  std::set_difference(ended.begin(), ended.end(), in_use.begin(), in_use.end(), std::back_inserter(result));
  return result;
}

// Gives an edge back the state that it had before the batch that is reverted. If the edge is too old for the time window or the count
// window by now, it is dropped, unless `exact` (the last batch is reverted): then it comes back, even if it leaves a count window with the
// next batch.
void numbered_graph::restore(const edge_name& edge, edge_state state, bool exact) {
  const bool is_late =
      (options_.times && state.time < cutoff_) || (options_.count_window != 0 && state.sequence + options_.count_window <= operations_);
  if (state.present && is_late && !exact) {
    ++summary_.dropped;
    state = {};
  }
  set(edge, state);
  if (!state.present) return;
  if (options_.times) by_time_.push(state.time, edge);
  if (options_.count_window != 0) by_operation_.push(static_cast<std::int64_t>(state.sequence), edge);
}

dynamic_batch numbered_graph::revert(std::uint64_t batch, std::span<const touched_change> skipped) {
  const auto log_of_batch = log(batch);
  const std::vector<edge_change> undone = net_changes(*log_of_batch);
  const std::vector<id_row>& rows = log_of_batch->rows;
  const std::vector<std::uint64_t> ended = ids_ended_in(batch);
  std::set<edge_name> skipped_edges;
  std::set<std::uint32_t> skipped_vertices;
  for (const touched_change& change : skipped) {
    if (change.is_vertex) {
      skipped_vertices.insert(change.edge.u);
    } else {
      skipped_edges.insert(change.edge);
    }
  }
  const revival undo{.undone = rows, .ended = ended, .exact = batch == last_};
  begin();
  summary_.skipped = skipped.size();
  for (const id_row& row : rows)
    if (row.after == no_component && !skipped_vertices.contains(row.vertex)) add_vertex(row.vertex);
  for (const edge_change& change : undone)
    if (!skipped_edges.contains(change.edge)) restore(change.edge, change.before, undo.exact);
  for (const id_row& row : rows) {
    const std::uint32_t v = row.vertex;
    if (row.before == no_component && !skipped_vertices.contains(v) && graph_.present(v) && graph_.isolated(v)) graph_.remove_vertex(v);
  }
  return finish(&undo);
}

}  // namespace copse::dynamics
