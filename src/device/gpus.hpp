// The GPUs of a call that takes one or several.
#pragma once
#include <copse/execution.hpp>

#include <vector>

namespace copse::device {

/// The GPUs that `on` names, those of cuda:all, and GPU 0 where it names the CPU. One where there is no GPU at all: the solve on it says
/// so. Throws usage_error for the CPU and a GPU together.
std::vector<unsigned> gpus_of(const execution& on);

}  // namespace copse::device
