// The contents of a gpu_graph, and of the answers that were computed from it.
#pragma once
#include <copse/cuda.hpp>
#include <core/hide.hpp>
#include <core/request.hpp>
#include <device/current_device.hpp>
#include <device/solver.hpp>
#include <device/weighted_forest.hpp>
#include <gpu/settings.hpp>
#include <variants/gpu_choice.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace copse {

/// A GPU and a stream, shared by a graph and all its answers. Call enter() before the solver is used: its result restores the calling
/// thread's current device when it is destroyed.
class gpu_session {
public:
  gpu_session(const gpu_graph_options& options, const execution& on, const gpu_techniques& techniques);
  gpu_session(const gpu_session&) = delete;
  ~gpu_session();

  [[nodiscard]] device::on_device enter() const { return device::on_device{static_cast<int>(solver_->device())}; }
  [[nodiscard]] device::solver& solver() noexcept { return *solver_; }
  /// Returns the caller's arrays as a graph. Throws usage_error as gpu_graph::borrow() does.
  [[nodiscard]] device::solver::graph reachable(const graph_view& shape) const;
  void expect_callers_stream(const std::string& call) const;
  [[nodiscard]] solve_report report_of(std::string variant, std::string explanation) const;
  [[nodiscard]] bool times_phases() const noexcept { return times_phases_; }
  /// Returns the finder of weighted forests by this variant; its memory stays for the next search. Throws usage_error for a variant that is
  /// not of cuda.
  [[nodiscard]] device::forest_finder& finder_for(const std::string& variant);
  [[nodiscard]] const device::forest_finder& last_finder() const noexcept { return *finder_; }
  /// Copies the last weighted forest out of the memory of its finder, which the next search overwrites; null if there is nothing to copy.
  std::function<void()> before_next_search;

private:
  std::optional<device::solver> solver_;
  std::optional<device::forest_finder> finder_;
  weighted::algorithm method_{};  ///< the algorithm of finder_
  bool on_callers_stream_, times_phases_;
};

struct gpu_graph::parts {
  explicit parts(std::shared_ptr<gpu_session> where) : on{std::move(where)} {}

  /// Chooses the variant by what is known about the rows, and writes to `report` what is known before the solve.
  const variant::table_entry& variant_of(const solve_options& options, problem_kind problem, solve_report& report) const;

  std::shared_ptr<gpu_session> on;
  graph_view shape;  ///< for choosing a variant: its sizes are read, but not its arrays
  device::solver::graph arcs;
  std::optional<device::solver::device_graph> copy;  ///< empty if the graph borrows the caller's arrays
  std::optional<weights_view> weights;               ///< the weights of the graph, if it has any, in the memory of the GPU
  buffer<std::byte> weight_bytes;                    ///< the memory of `weights`, unless it is the caller's
  bool trusted = true;                               ///< false if the arrays are the caller's and calls that check views have to check them
  variant::chosen_gpu_variant tree{};                ///< the choice of gconn_tree, made when the rows were in host memory
  std::optional<std::uint64_t> loops;                ///< number of edges from a vertex to itself, if they were counted
};

struct gpu_labels::parts {
  explicit parts(std::shared_ptr<gpu_session> where) : on{std::move(where)} {}

  std::shared_ptr<gpu_session> on;
  buffer<std::uint32_t> labels;
  solve_report report;
};

struct gpu_spanning_forest::parts {
  parts(std::shared_ptr<gpu_session> where, std::uint32_t vertex_count, bool with_labels)
      : on{std::move(where)}, vertices{vertex_count}, labelled{with_labels} {}

  parts(const parts&) = delete;
  ~parts() {
    if (searched) on->before_next_search = nullptr;
  }
  /// Finds the edges of a weighted forest, of which a search returns only the arcs. Called on demand, or before the next search in the same
  /// graph; later calls do nothing.
  void find_edges();

  std::shared_ptr<gpu_session> on;
  std::uint32_t vertices;
  bool labelled;
  std::optional<device::solver::graph> searched;  ///< the graph of a weighted forest, until find_edges() has found its edges
  buffer<edge<std::uint32_t>> edges;
  buffer<std::uint32_t> arcs, labels;
  solve_report report;
};

/// Gives functions of the library access to the parts of the public classes.
struct gpu_access {
  using graph_parts = gpu_graph::parts;
  using label_parts = gpu_labels::parts;
  using forest_parts = gpu_spanning_forest::parts;

  static graph_parts& of(const gpu_graph& g) noexcept { return *g.parts_; }
  static label_parts& of(const gpu_labels& labels) noexcept { return *labels.parts_; }
  static gpu_graph owner_of(std::unique_ptr<graph_parts> parts) noexcept { return gpu_graph{hide(std::move(parts))}; }
  static gpu_labels owner_of(std::unique_ptr<label_parts> parts) noexcept { return gpu_labels{hide(std::move(parts))}; }
  static gpu_spanning_forest owner_of(std::unique_ptr<forest_parts> parts) noexcept { return gpu_spanning_forest{hide(std::move(parts))}; }
};

}  // namespace copse
