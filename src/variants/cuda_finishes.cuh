// The finishes of the backend cuda: one function each, for 32-bit ids. They are many kernels, so they are compiled in parallel units.
#pragma once
#include <finish/moving_edges.cuh>
#include <finish/written_edges.cuh>
#include <gpu/loops/binned.cuh>
#include <gpu/loops/by_degree.cuh>
#include <gpu/loops/cuda.cuh>
#include <gpu/loops/forest.cuh>
#include <gpu/loops/frontier.cuh>
#include <gpu/loops/gather.cuh>
#include <gpu/loops/partition.cuh>
#include <gpu/loops/visit.cuh>
#include <loops/solve_context.hpp>
#include <variants/axes.hpp>
#include <variants/functions.hpp>

#include <cstddef>
#include <cstdint>

namespace copse::variant {

using cuda_finish = backend::finish_function<backend::cuda, std::uint32_t>;

/// The code of a unite: these come first in `finishes`.
cuda_finish cuda_unite_function(std::size_t finish);
/// The code of all other finishes, counted from the first of them.
cuda_finish cuda_rounds_function(std::size_t finish);

}  // namespace copse::variant
