// What a gpu_graph holds, and what was found in one.
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

/// One GPU and a stream, of a graph and of all that is found in it. Whoever calls the solver has entered, so that the calling
/// thread's current device is the same afterwards.
class gpu_session {
public:
  gpu_session(const gpu_graph_options& options, const execution& on, const gpu_techniques& techniques);
  gpu_session(const gpu_session&) = delete;
  ~gpu_session();

  [[nodiscard]] device::on_device enter() const { return device::on_device{static_cast<int>(solver_->device())}; }
  [[nodiscard]] device::solver& solver() noexcept { return *solver_; }
  /// The arrays of the caller. Throws usage_error as gpu_graph::borrow() does.
  [[nodiscard]] device::solver::graph reachable(const graph_view& shape) const;
  void expect_callers_stream(const std::string& call) const;
  [[nodiscard]] solve_report report_of(std::string variant, std::string explanation) const;
  [[nodiscard]] bool times_phases() const noexcept { return times_phases_; }
  /// Finds weighted forests by this variant, in memory that stays for the next one. Throws usage_error for one that is not of cuda.
  [[nodiscard]] device::forest_finder& finder_for(const std::string& variant);
  [[nodiscard]] const device::forest_finder& last_finder() const noexcept { return *finder_; }
  /// Copies the last forest out of the memory of the finder, which the next search overwrites; null if there is nothing to copy.
  std::function<void()> before_next_search;

private:
  std::optional<device::solver> solver_;
  std::optional<device::forest_finder> finder_;
  weighted::algorithm method_{};  ///< that of finder_
  bool on_callers_stream_, times_phases_;
};

struct gpu_graph::parts {
  explicit parts(std::shared_ptr<gpu_session> where) : on{std::move(where)} {}

  /// Says what it can before the solve.
  const variant::table_entry& variant_of(const solve_options& options, problem_kind problem, solve_report& report) const;

  std::shared_ptr<gpu_session> on;
  graph_view shape;  ///< for choosers, which look at numbers only
  device::solver::graph arcs;
  std::optional<device::solver::device_graph> copy;  ///< unless the arrays are the caller's
  std::optional<weights_view> weights;               ///< in the memory of the GPU
  buffer<std::byte> weight_bytes;                    ///< theirs, unless they are the caller's
  bool trusted = true;                               ///< false for a caller's arrays that are to be checked by calls that check
  variant::known_rows known{};                       ///< unless the arrays are the caller's
  std::optional<std::uint64_t> loops;                ///< where they were counted
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
  /// Finds the edges of a weighted forest, once: when they are asked for, or before the next search in that graph.
  void find_edges();

  std::shared_ptr<gpu_session> on;
  std::uint32_t vertices;
  bool labelled;
  std::optional<device::solver::graph> searched;  ///< the graph of a weighted forest, until its edges are found
  buffer<edge<std::uint32_t>> edges;
  buffer<std::uint32_t> arcs, labels;
  solve_report report;
};

/// The parts of the public classes, for the functions that take or return one.
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
