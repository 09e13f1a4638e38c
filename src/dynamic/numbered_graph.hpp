// A dynamic graph whose vertices are numbers: batches, windows, what each batch changed, and how it is taken back.
#pragma once
#include <copse/dynamic.hpp>
#include <dynamic/connectivity.hpp>
#include <dynamic/edge_table.hpp>
#include <dynamic/expiry_queue.hpp>
#include <dynamic/identities.hpp>
#include <dynamic/snapshots.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <memory_resource>
#include <span>
#include <string>
#include <vector>

namespace copse::dynamics {

struct numbered_operation {
  dynamic_operation_kind kind;
  std::uint32_t u, v;
  double weight;
  std::int64_t time;
  std::uint64_t key;
};

/// What one operation did to its edge.
struct edge_change {
  edge_name edge;
  edge_state before, after;
};

/// The history of one batch.
struct batch_log {
  std::vector<edge_change> edges;
  identity_changes ids;
  bool has_expiries = false;
};

/// A change that later batches touched: an edge, or the vertex `edge.u`.
struct touched_change {
  edge_name edge;
  bool is_vertex;
};

class numbered_graph {
public:
  numbered_graph(const dynamic_options& options, vertex_order order, std::pmr::memory_resource* memory);

  [[nodiscard]] const dynamic_components& graph() const noexcept { return graph_; }
  [[nodiscard]] std::uint64_t edges() const noexcept { return has_table() ? table_.size() : graph_.edges(); }
  [[nodiscard]] bool has_edge(std::uint32_t u, std::uint32_t v) const noexcept;
  /// Calls visit(edge_name, edge_state) for all edges.
  template <class Visit>
  void for_each_edge(Visit visit) const {
    if (has_table()) return table_.for_each(visit);
    for (std::uint32_t u = 0; u < graph_.slots(); ++u) {
      if (!graph_.present(u)) continue;
      graph_.for_each_neighbour(u, [&](std::uint32_t v) {
        if (v >= u) visit(edge_name{u, v, 0}, edge_state{.present = true});
      });
    }
  }

  dynamic_batch apply(std::span<const numbered_operation> operations);
  dynamic_batch expire(std::int64_t before);
  dynamic_batch revert(std::uint64_t batch, std::span<const touched_change> skipped);
  [[nodiscard]] std::vector<touched_change> conflicts(std::uint64_t batch) const;

  /// Thread-safe. Precondition: the options allow it.
  [[nodiscard]] std::shared_ptr<const components_version> snapshot() { return versions_.now(); }
  [[nodiscard]] std::uint64_t last_batch() const noexcept { return last_; }
  [[nodiscard]] std::uint64_t oldest_batch() const noexcept { return last_ + 1 - history_.size(); }
  /// Throws usage_error when the history does not have it.
  [[nodiscard]] const batch_log& log(std::uint64_t batch) const;
  /// Sorted by vertex.
  [[nodiscard]] std::vector<id_row> changes(std::uint64_t since) const;

private:
  [[nodiscard]] bool has_table() const noexcept {
    return options_.weights || options_.times || options_.keys || options_.count_window != 0;
  }
  [[nodiscard]] edge_state state_of(const edge_name& edge) const noexcept;
  void prefetch(std::span<const numbered_operation> operations, std::size_t i, bool sets) const noexcept;
  void begin();
  dynamic_batch finish(const revival* undo = nullptr);
  void add_vertex(std::uint32_t v);
  void set(const edge_name& edge, const edge_state& state);
  void restore(const edge_name& edge, edge_state state, bool exact);
  void insert(const numbered_operation& operation);
  void erase_pair(std::uint32_t u, std::uint32_t v);
  void erase_vertex(std::uint32_t v);
  void leave(const expiry_queue::entry& due, bool by_time);
  void shorten_window();
  void compact_queues();
  [[nodiscard]] std::vector<edge_change> net_changes(std::uint64_t batch) const;
  [[nodiscard]] std::vector<std::uint64_t> ids_ended_in(std::uint64_t batch) const;

  dynamic_options options_;
  vertex_order order_;
  dynamic_components graph_;
  edge_table table_;
  expiry_queue by_time_, by_operation_;
  versions versions_;
  std::deque<batch_log> history_;
  batch_log log_;          // the batch that runs
  dynamic_batch summary_;  // likewise
  std::int64_t cutoff_ = INT64_MIN;
  std::uint64_t operations_ = 0;  // inserts so far
  std::uint64_t last_ = 0, next_id_ = 0;
};

}  // namespace copse::dynamics
