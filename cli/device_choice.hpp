// --device auto: the CPU or a GPU, by what each is expected to take for one solve. Arithmetic only: the sizes, the rates and the GPUs are
// told, so the same facts give the same device. Reading the input is left out, as it costs both the same. device_auto.hpp asks the machine.
#pragma once
#include <copse/cuda.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "estimate.hpp"
#include "gpu_ways.hpp"

namespace copse::cli {

struct device_question {
  graph_size graph;
  unsigned threads = 1;
  std::uint64_t gpu_memory_bytes = UINT64_MAX;  ///< the most that may be taken of a GPU
};

struct device_choice {
  std::optional<unsigned> gpu;  ///< i of cuda:i; none: the CPU
  std::string reason;           ///< one line: what is expected of both sides
  std::string way = {};         ///< of that GPU, by the name that ways_of_gpus gives it
};

/// No GPU is awake sooner. What the CPU solves in this time needs no GPU, nor a look at one, which would wake it.
inline constexpr double quickest_gpu_start_seconds = 0.1;

/// Of one solve, once the input is read, whatever parsing takes. The GPU that is expected to be done first, if that is sooner than the CPU.
/// Precondition: with GPUs, the rates are of one, too, unless the CPU takes less than quickest_gpu_start_seconds.
device_choice choose_device(const device_question& asked, const machine_rates& rates, std::span<const gpu_facts> all);

}  // namespace copse::cli
