// What stands behind the rows of spanning forests on a GPU, for 32-bit ids. Their kernels are in units of their own, which are compiled
// side by side.
#pragma once
// What stands in for the headers of the same names on the host comes before those that call it: see visit() there.
#include <backend/cuda/recording.cuh>
//
#include <registry/forest_solvers.hpp>

#include <cstddef>
#include <cstdint>

namespace copse::registry {

using cuda_recorder = backend::settler<backend::recording_cuda, std::uint32_t>;

/// forest_solvers_cuda_unites.cu: of finish_entries[finish]; null where the backend refuses it. Precondition: a unite.
cuda_recorder cuda_recorder_of(std::size_t finish);

}  // namespace copse::registry
