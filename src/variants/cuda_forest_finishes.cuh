// The finishes of spanning forests on a GPU, for 32-bit ids. Their kernels are in separate units, compiled in parallel.
#pragma once
#include <gpu/loops/recording.cuh>
#include <variants/forest_code.hpp>

#include <cstddef>
#include <cstdint>

namespace copse::variant {

using cuda_recorder = backend::finish_function<backend::recording_cuda, std::uint32_t>;

/// Returns the function by which the unite finish_entries[finish] records the edge of each link; null if the unite cannot do so, or is not
/// valid on a GPU.
cuda_recorder cuda_recorder_of(std::size_t finish);

}  // namespace copse::variant
