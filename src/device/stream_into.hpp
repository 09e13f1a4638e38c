// Solves of graphs in host memory whose edges are streamed through GPUs. Compiled without CUDA's headers; a build without the GPU part
// throws.
#pragma once
#include <copse/components.hpp>
#include <copse/graph.hpp>
#include <copse/memory.hpp>
#include <core/request.hpp>
#include <device/gpus.hpp>
#include <drivers/streaming/streaming_sink.hpp>

#include <cstdint>
#include <memory>
#include <span>

namespace copse::device {

/// Writes one label per vertex. Preconditions: what a view claims (sorted, symmetric) is true, and `labels` has an element per vertex.
/// Throws usage_error for 64-bit ids.
solve_report stream_into(graph_view g, std::span<std::uint32_t> labels, const request<streaming_options>& options);
solve_report stream_into(edge_columns_view<std::uint32_t> edges, std::span<std::uint32_t> labels,
                         const request<streaming_options>& options);

/// The edges of a spanning forest. forest_by_streaming() also writes labels unless `labels` is empty. Precondition: options.keep_forest.
struct streamed_forest {
  buffer<edge<std::uint32_t>> edges;
  solve_report report;
};
streamed_forest forest_by_streaming(graph_view g, std::span<std::uint32_t> labels, const request<streaming_options>& options);

/// Unites edges on the GPUs, in any number of batches. Ids must be below 2^32 - 1 and not strings. Ids of edges in the memory of a GPU
/// are checked there: finish() throws input_error.
std::unique_ptr<streaming::uniting_sink> sink_to_gpus(const request<streaming_options>& options);

/// The components of files that were streamed through GPUs.
struct streamed_components : components_result {
  std::uint64_t arcs = 0;  ///< equals report.edges, except for rows that store both directions, where two arcs are one edge
  /// set if options.keep_forest is true: a spanning forest of the vertices that have labels. Without it, `labels` may also have elements
  /// for ids that do not occur in the files.
  graph forest;
};

}  // namespace copse::device
