// What stays in the memory of a GPU between calls of gpu_solver.
#pragma once
#include <copse/cuda.hpp>
#include <core/request.hpp>
#include <device/solver.hpp>
#include <variants/gpu_choice.hpp>

#include <cstdint>
#include <memory>
#include <optional>

namespace copse {

struct gpu_solver::resident_graph::parts {
  graph_view shape;  ///< for choosers, which look at numbers only
  device::solver::graph arcs;
  std::optional<device::solver::device_graph> copy;  ///< unless the arrays are the caller's
  variant::known_rows known{};                       ///< unless the arrays are the caller's
};
struct gpu_solver::resident_labels::parts {
  buffer<std::uint32_t> labels;
  solve_report report;
};
struct gpu_solver::resident_forest::parts {
  std::uint32_t vertices;
  buffer<edge<std::uint32_t>> edges;
  buffer<std::uint32_t> labels;
  bool labelled;
  solve_report report;
};

struct gpu_solver::prepared_solve::parts {
  solve_request options;
  device::graph_sizes most;
  device::solver::workspace space;
  std::unique_ptr<resident_labels> labels;

  /// Throws usage_error for a graph that it was not made for.
  void expect_suits(const device::solver::graph& arcs) const;
};

}  // namespace copse
