// Functions of a GPU graph that benchmarks and tests need, and users of the library do not.
#pragma once
#include <copse/cuda.hpp>
#include <gpu/runtime/memory_rates.hpp>
#include <gpu/settings.hpp>

#include <cstdint>
#include <string_view>

namespace copse {

struct gpu_benchmark {
  using memory_rates = backend::memory_rates;

  /// Like gpu_graph::copy_of(), but kernels traverse the graph by these `techniques`, for example in another way of loading edges.
  [[nodiscard]] static gpu_graph copy_of(graph_view in_host_memory, const gpu_graph_options& options, const execution& on,
                                         const gpu_techniques& techniques);

  /// gpu_graph::generate(), with rows in the order that gen::unsorted_rows gives them for that seed.
  [[nodiscard]] static gpu_graph generate_unsorted(std::string_view spec, std::uint64_t seed, const gpu_graph_options& options = {},
                                                   const execution& on = {});

  /// Returns a graph over the arrays of `g`, which must outlive it; kernels traverse it by the given `techniques`.
  [[nodiscard]] static gpu_graph view_of(const gpu_graph& g, const gpu_graph_options& options, const gpu_techniques& techniques);

  /// Measures the memory of the GPU of `g` in some 20 ms: bytes copied (read and written) per second, and 4-byte words fetched per second
  /// from random places of an array of `words`. Takes 2 GiB for that time, or half of what is free.
  [[nodiscard]] static memory_rates measure_memory(const gpu_graph& g, std::uint32_t words);
};

}  // namespace copse
