// The GPU of calls that take one GPU at most.
#pragma once
#include <copse/execution.hpp>

#include <optional>

namespace copse {

/// The GPU of a call that takes one GPU at most; nothing for the CPU. Throws usage_error for several GPUs, and for the CPU and a GPU
/// together.
std::optional<unsigned> gpu_of(const execution& on);
/// As gpu_of(), for a call that the CPU and a GPU may do together.
std::optional<unsigned> gpu_of_hybrid(const execution& on);

/// The same execution for input in host memory, which has no stream.
execution without_stream(execution on);

}  // namespace copse
