// What benchmarks and tests ask of a GPU, and users of the library do not.
#pragma once
#include <copse/cuda.hpp>
#include <gpu/runtime/memory_rates.hpp>
#include <gpu/settings.hpp>

#include <cstdint>
#include <string_view>

namespace copse {

struct gpu_benchmark {
  using memory_rates = backend::memory_rates;

  /// gpu_graph::copy_of(). `techniques`: how variants go over the graph.
  [[nodiscard]] static gpu_graph copy_of(graph_view in_host_memory, const gpu_graph_options& options, const execution& on,
                                         const gpu_techniques& techniques);

  /// gpu_graph::generate(), but the rows are in the order that gen::unsorted_rows gives them by that seed.
  [[nodiscard]] static gpu_graph generate_unsorted(std::string_view spec, std::uint64_t seed, const gpu_graph_options& options = {},
                                                   const execution& on = {});

  /// The arrays of `g`, which outlives what is returned, gone over by these techniques.
  [[nodiscard]] static gpu_graph view_of(const gpu_graph& g, const gpu_techniques& techniques);

  /// What the memory of the GPU of `g` can do, measured in some 20 ms: bytes copied (read and written) a second, and 4-byte words fetched a
  /// second from random places of an array of `words`. Takes 2 GiB for that time, or half of what is free.
  [[nodiscard]] static memory_rates measure_memory(const gpu_graph& g, std::uint32_t words);
};

}  // namespace copse
