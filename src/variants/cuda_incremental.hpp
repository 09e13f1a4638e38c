// The code of the variants of incremental connectivity on a GPU. Their kernels are in several units, which compile in parallel
// (cmake/copse_gpu.cmake).
#pragma once
#include <drivers/incremental/gpu_rule.hpp>

#include <cstddef>
#include <cstdint>

namespace copse::variant {

/// Returns the functions by which finish_entries[finish] inserts edges and answers queries on a GPU. Precondition: it is a valid variant of
/// cuda for incremental connectivity.
drivers::gpu_rule cuda_rule_of(std::size_t finish);

using cuda_inserter = void (*)(drivers::device_forest&, drivers::gpu_batch);
using cuda_answerer = void (*)(drivers::device_forest&, drivers::gpu_batch, std::uint32_t* answers);
// The functions that insert edges or answer queries by a rule for incremental connectivity, each compiled in a unit of its own.
cuda_inserter cuda_insert_function(std::size_t unite);
cuda_answerer cuda_mix_function(std::size_t unite);
cuda_inserter cuda_insert_in_rounds_function(std::size_t other);  ///< `other` counts from the first finish that is not a unite
cuda_answerer cuda_query_function(std::size_t finish);

}  // namespace copse::variant
