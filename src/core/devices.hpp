// Determines the GPU of a call that can use at most one.
#pragma once
#include <copse/execution.hpp>

#include <optional>

namespace copse {

/// The number of the GPU that the execution names; nullopt for the CPU. Throws usage_error for several GPUs, and for a CPU and a GPU
/// together.
std::optional<unsigned> gpu_of(const execution& on);
/// The number of the GPU that the execution names, alone or together with the CPU; nullopt for the CPU alone. Throws usage_error for
/// several GPUs.
std::optional<unsigned> gpu_of_hybrid(const execution& on);

/// A copy of the execution without a CUDA stream, for input in host memory.
execution without_stream(execution on);

}  // namespace copse
