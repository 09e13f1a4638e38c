// Graphs in host memory, streamed through GPUs. Compiled without CUDA's headers; a build without the GPU part refuses.
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

/// One label per vertex. Preconditions: views are what they claim, `labels` has room. Throws usage_error for 64-bit ids.
solve_report stream_into(graph_view g, std::span<std::uint32_t> labels, const request<streaming_options>& options);
solve_report stream_into(edge_columns_view<std::uint32_t> edges, std::span<std::uint32_t> labels,
                         const request<streaming_options>& options);

/// The edges of a spanning forest, and labels if there is room for them. Precondition: options.keep_forest.
struct streamed_forest {
  buffer<edge<std::uint32_t>> edges;
  solve_report report;
};
streamed_forest forest_by_streaming(graph_view g, std::span<std::uint32_t> labels, const request<streaming_options>& options);

/// Takes edges of any number of batches, whose ids are below 2^32 - 1 and not strings, and unites them on the GPUs. Ids of resident edges
/// are checked there: finish() throws input_error.
std::unique_ptr<streaming::uniting_sink> sink_to_gpus(const request<streaming_options>& options);

/// The components of files.
struct streamed_components : components_result {
  std::uint64_t arcs = 0;  ///< as many as report.edges, but for rows that store both directions: there a pair of arcs is an edge
  graph forest;            ///< a spanning forest of the vertices that have labels, none of which is absent then; if options.keep_forest
};

}  // namespace copse::device
