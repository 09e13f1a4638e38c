// The GPU of calls that take one GPU at most.
#pragma once
#include <copse/execution.hpp>

#include <optional>

namespace copse {

/// The GPU of a call that takes one GPU at most; nothing for the CPU. Throws usage_error for several GPUs, and for the CPU and a GPU
/// together.
std::optional<unsigned> gpu_of(const execution& on);
/// Like gpu_of(), but also accepts the CPU and a GPU together.
std::optional<unsigned> gpu_of_hybrid(const execution& on);

/// The execution for input in host memory: without a stream.
execution without_stream(execution on);

}  // namespace copse
