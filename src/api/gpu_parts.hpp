// What a gpu_graph holds, and what was found in one.
#pragma once
#include <copse/cuda.hpp>
#include <core/request.hpp>
#include <device/current_device.hpp>
#include <device/solver.hpp>
#include <gpu/settings.hpp>
#include <variants/gpu_choice.hpp>

#include <cstdint>
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
  [[nodiscard]] solve_report report_of(const variant_info& chosen, std::string explanation) const;

private:
  std::optional<device::solver> solver_;
  bool on_callers_stream_;
};

struct gpu_graph::parts {
  explicit parts(std::shared_ptr<gpu_session> where) : on{std::move(where)} {}

  /// Says what it can before the solve.
  const variant::table_entry& variant_of(const solve_options& options, problem_kind problem, solve_report& report) const;

  std::shared_ptr<gpu_session> on;
  graph_view shape;  ///< for choosers, which look at numbers only
  device::solver::graph arcs;
  std::optional<device::solver::device_graph> copy;  ///< unless the arrays are the caller's
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

  std::shared_ptr<gpu_session> on;
  std::uint32_t vertices;
  bool labelled;
  buffer<edge<std::uint32_t>> edges;
  buffer<std::uint32_t> labels;
  solve_report report;
};

/// The parts of the public classes, for the functions that take or return one.
struct gpu_access {
  using graph_parts = gpu_graph::parts;
  using label_parts = gpu_labels::parts;
  using forest_parts = gpu_spanning_forest::parts;

  static graph_parts& of(const gpu_graph& g) noexcept { return *g.parts_; }
  static label_parts& of(const gpu_labels& labels) noexcept { return *labels.parts_; }
  static gpu_graph owner_of(std::unique_ptr<graph_parts> parts) noexcept { return gpu_graph{std::move(parts)}; }
  static gpu_labels owner_of(std::unique_ptr<label_parts> parts) noexcept { return gpu_labels{std::move(parts)}; }
  static gpu_spanning_forest owner_of(std::unique_ptr<forest_parts> parts) noexcept { return gpu_spanning_forest{std::move(parts)}; }
};

}  // namespace copse
