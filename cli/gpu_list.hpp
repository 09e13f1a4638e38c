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

/// What a GPU needs free for a graph.
struct gpu_needs {
  std::optional<std::uint64_t> bytes;  ///< nothing: no GPU takes it, whatever its memory
};
/// By auto. Precondition: this build has the GPU part.
gpu_needs needs_on_gpu(graph_view g);

/// `needs`: that of a graph to judge, or null.
json gpu_list_json(std::span<const gpu_facts> all, const gpu_needs* needs);
std::string gpu_list_text(std::span<const gpu_facts> all, const gpu_needs* needs);

/// The GPUs of this machine.
json gpu_list_json(const graph* g = nullptr);
std::string gpu_list_text(const graph* g = nullptr);

}  // namespace copse::cli
