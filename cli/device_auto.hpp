// --device auto asks the machine: how large the graph is, what solving costs here, which GPUs there are. device_choice.hpp decides.
#pragma once
#include <cstdint>
#include <string>

#include "device_choice.hpp"
#include "input.hpp"

namespace copse::cli {

/// Why nobody looks at the graph before it is read, so that the CPU takes it; empty when it can be looked at.
std::string hidden(const input& graph);

/// Where to solve `graph`. Nothing is measured, and no GPU woken, for what measuring would take longer than solving; `explained`: it is
/// all the same, so that the reason has seconds. `gpu_memory_bytes`: the most that may be taken of a GPU.
device_choice device_for(const input& graph, std::uint64_t gpu_memory_bytes, bool explained, resources& context);

}  // namespace copse::cli
