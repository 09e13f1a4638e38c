// The GPUs of this machine, for `copse info --device`, and whether a graph fits their memory.
#pragma once
#include <copse/cuda.hpp>
#include <copse/graph.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "json.hpp"

namespace copse::cli {

/// The free memory that a GPU needs for a graph.
struct gpu_needs {
  std::optional<std::uint64_t> bytes;  ///< nothing if no GPU can solve the graph, however much memory it has
};
/// Returns what a solve by auto needs. Precondition: this build has the GPU part.
gpu_needs needs_on_gpu(graph_view g);

/// Describes these GPUs and, unless `needs` is null, whether a graph with these needs fits each.
json gpu_list_json(std::span<const gpu_facts> all, const gpu_needs* needs);
std::string gpu_list_text(std::span<const gpu_facts> all, const gpu_needs* needs);

/// The GPUs of this machine.
json gpu_list_json(const graph* g = nullptr);
std::string gpu_list_text(const graph* g = nullptr);

}  // namespace copse::cli
