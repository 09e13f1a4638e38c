// The finishes of the backend cuda: one function per finish, for 32-bit ids. They have many kernels, so they are compiled in several units
// in parallel.
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

/// Returns the function that runs the unite number `finish` of `finishes`, in which all unites come first.
cuda_finish cuda_unite_function(std::size_t finish);
/// Returns the function that runs a finish that is not a unite; `finish` counts from the first of these.
cuda_finish cuda_rounds_function(std::size_t finish);

}  // namespace copse::variant
