// A dynamic graph whose vertices are numbers: it applies batches, keeps windows and the history of batches, and reverts batches.
#pragma once
#include <copse/dynamic.hpp>
#include <dynamic/batch_log.hpp>
#include <dynamic/connectivity.hpp>
#include <dynamic/edge_table.hpp>
#include <dynamic/expiry_queue.hpp>
#include <dynamic/identities.hpp>
#include <dynamic/snapshots.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace copse::dynamics {

struct numbered_operation {
  dynamic_operation_kind kind;
  std::uint32_t u, v;
  double weight;
  std::int64_t time;
  std::uint64_t key;
};

/// What both a batch that is to be reverted and later batches changed: an edge, or the vertex `edge.u`.
struct touched_change {
  edge_name edge;
  bool is_vertex;
};

class numbered_graph {
public:
  numbered_graph(const dynamic_options& options, vertex_order order, std::pmr::memory_resource* memory, unsigned threads);

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
  /// Applies batches that insert edges which carry nothing; batch i is that up to edges[ends[i]]. Does not note the changes of batches that
  /// leave the history before the last of these.
  void replay_inserts(std::span<const dynamic_components::pair> edges, std::span<const std::size_t> ends);
  dynamic_batch expire(std::int64_t before);
  dynamic_batch revert(std::uint64_t batch, std::span<const touched_change> skipped);
  [[nodiscard]] std::vector<touched_change> conflicts(std::uint64_t batch) const;

  /// Returns the latest snapshot. Thread-safe. Precondition: the option snapshots is on.
  [[nodiscard]] std::shared_ptr<const components_version> snapshot() { return versions_.now(); }
  [[nodiscard]] std::uint64_t last_batch() const noexcept { return last_; }
  [[nodiscard]] std::uint64_t oldest_batch() const noexcept { return oldest_; }
  /// Returns the log of a batch. Throws usage_error if the history does not have it. Calls may overlap.
  [[nodiscard]] std::shared_ptr<const batch_log> log(std::uint64_t batch) const;
  /// Returns the vertices whose component has another id than after the batch `since`, sorted by vertex.
  [[nodiscard]] std::vector<id_row> changes(std::uint64_t since) const;

  /// Writes everything but the logs of batches, with the numbers that `now` gives to vertices. Precondition: vertices that it leaves out
  /// are absent.
  void save(byte_sink& to, const renumbering& now) const;
  /// Reads what save() wrote. Precondition: nothing was applied yet. The history is empty afterwards.
  void load(byte_source& from);
  using log_archive = std::function<batch_log(std::uint64_t batch)>;
  /// Makes `oldest` the first batch of the history, and removes the logs up to batch `until` from memory, but not the last one: from then
  /// on archive(batch) reads them, which several threads may call at the same time.
  void archive_logs(std::uint64_t oldest, std::uint64_t until, log_archive archive);

  /// True if edges carry anything but their ends.
  [[nodiscard]] bool has_table() const noexcept {
    return options_.weights || options_.times || options_.keys || options_.count_window != 0;
  }

private:
  [[nodiscard]] edge_state state_of(const edge_name& edge) const noexcept;
  void prefetch_vertices(std::span<const numbered_operation> operations) const noexcept;
  void prefetch_edges(std::span<const numbered_operation> operations) const noexcept;
  void prefetch_climbs(std::span<const numbered_operation> operations) const noexcept;
  void apply_one(const numbered_operation& operation);
  void apply_in_groups(std::span<const numbered_operation> operations);
  void begin();
  void make_rows() const;
  dynamic_batch finish(const revival* undo = nullptr);
  void add_vertex(std::uint32_t v);
  void set(const edge_name& edge, const edge_state& state);
  void set(const edge_name& edge, const edge_state& before, const edge_state& state);
  void set_pair(std::uint32_t u, std::uint32_t v, bool present);
  void restore(const edge_name& edge, edge_state state, bool exact);
  void insert(const numbered_operation& operation);
  void erase_pair(std::uint32_t u, std::uint32_t v);
  bool erase_together(std::span<const numbered_operation> operations);
  void erase_vertex(std::uint32_t v);
  void leave(expiry_queue& queue, std::int64_t before);
  void shorten_window();
  void compact_queues();
  void begin_queues();
  [[nodiscard]] std::vector<std::uint64_t> ids_ended_in(std::uint64_t batch) const;

  dynamic_options options_;
  vertex_order order_;
  dynamic_components graph_;
  edge_table table_;
  expiry_queue by_time_, by_operation_;
  versions versions_;
  std::deque<std::shared_ptr<batch_log>> history_;  // the logs of the last batches
  std::uint64_t oldest_ = 1;                        // the first batch of the history; archive_ reads logs older than those in history_
  mutable std::mutex makes_rows_;
  log_archive archive_;
  std::shared_ptr<batch_log> log_;    // the log of the running batch
  std::shared_ptr<batch_log> spare_;  // the log of an older batch, whose memory is to be reused; may be null
  dynamic_batch summary_;             // the result of apply(); kept to reuse its memory
  std::vector<dynamic_components::pair> leaving_;
  std::vector<unsigned char> has_left_;
  std::int64_t cutoff_ = INT64_MIN;
  std::uint64_t operations_ = 0;  // the number of inserts so far
  std::uint64_t last_ = 0, next_id_ = 0;
};

}  // namespace copse::dynamics
