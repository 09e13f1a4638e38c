// The devices that execution::device names.
#pragma once
#include <copse/execution.hpp>

#include <optional>
#include <vector>

namespace copse {

struct named_devices {
  std::vector<unsigned> gpus;  ///< in the order of the name; empty for the CPU, and for all GPUs
  bool all_gpus = false;       ///< every GPU of this machine
  bool hybrid = false;         ///< the CPU together with the GPU
  bool by_cost = false;        ///< `auto`: the CPU, except for components(), which chooses

  /// True if the edges are divided among GPUs, of which there may be one.
  [[nodiscard]] bool several() const noexcept { return all_gpus || gpus.size() > 1; }
};

/// Throws usage_error for a name that is none.
named_devices devices_of(const execution& on);

/// The GPU of a call that takes one GPU at most; nothing for the CPU. Throws usage_error for several GPUs, and for the CPU and a GPU
/// together.
std::optional<unsigned> gpu_of(const execution& on);
/// As gpu_of(), for a call that the CPU and a GPU may do together.
std::optional<unsigned> gpu_of_hybrid(const execution& on);

}  // namespace copse
