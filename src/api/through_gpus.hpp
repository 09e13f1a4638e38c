// components() and spanning_forest() by edges that are streamed through GPUs: several, or one GPU that has too little memory. Tests choose
// the size of the pieces.
#pragma once
#include <copse/errors.hpp>
#include <copse/spanning_forest.hpp>
#include <core/devices.hpp>
#include <core/request.hpp>
#include <device/stream_into.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace copse::api {

/// Finds the components of a graph in host memory by streaming its edges through GPUs. Views are checked first unless they are trusted.
/// Throws usage_error for 64-bit ids. Without `names` vertices are named by their numbers.
components_result components_through_gpus(graph_view g, const vertex_names& names, const request<device::streaming_options>& options);
components_result components_through_gpus(graph_view g, const request<device::streaming_options>& options);
components_result components_through_gpus(edge_columns_view<std::uint32_t> edges, const request<device::streaming_options>& options);

/// Finds a spanning forest of a graph in host memory by streaming its edges through GPUs, as if `options` asked to keep the forest.
forest_result spanning_forest_through_gpus(graph_view g, const vertex_names& names, const request<device::streaming_options>& options,
                                           bool with_labels);

/// Solves a file, or several edge lists that are one graph, as components() of files does; it also returns the forest if the options keep
/// it.
device::streamed_components components_of_files_through_gpus(std::span<const std::filesystem::path> paths, const io::read_options& input,
                                                             const request<device::streaming_options>& options);

/// Throws usage_error if the options name a variant other than auto or ask to count operations: streaming through GPUs can do neither.
inline void expect_streamed_variant(const solve_options& options) {
  if (options.variant != "auto")
    throw usage_error{"the variant must be auto for several GPUs, not " + options.variant + ": edges are streamed to them in pieces"};
  if (options.count)
    throw usage_error{"count: edges that are streamed to several GPUs in pieces cannot be counted; use the CPU or one GPU"};
}

/// Throws usage_error if the options ask to count operations or to solve on the CPU and a GPU together, which only components() can do.
inline void expect_forest_possible(const solve_request& options) {
  if (options.count) throw usage_error{"count: only components can be counted, not spanning forests"};
  if (devices_of(options).hybrid)
    throw usage_error{"device must be the CPU or GPUs, not " + options.device + ": the CPU and a GPU together find components only"};
}

/// The last words of streaming_explanation(), which say what was done with the edges.
inline constexpr std::string_view united_as_they_come = "united as they come";
inline constexpr std::string_view joining_edges_kept = "and the edges that joined two components are kept";

/// Returns the explanation of a solve by streaming, for its report. `why`: that there are several GPUs, or what did not fit the GPU.
/// `done`: what was done with the edges, united_as_they_come or joining_edges_kept.
inline std::string streaming_explanation(std::string_view why, std::size_t gpus, std::string_view done) {
  std::string text{why};
  text.append(": the edges are streamed through ").append(gpus == 1 ? "the GPU" : std::to_string(gpus) + " GPUs");
  return text.append(" in pieces, ").append(done);
}

}  // namespace copse::api
