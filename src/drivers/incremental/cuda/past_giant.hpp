// The fast path's rule of incremental connectivity on a GPU: Rem's algorithm with splitting, and past the giant in large batches.
#pragma once
#include <drivers/incremental/gpu_rule.hpp>

namespace copse::drivers {

gpu_rule past_giant_rule() noexcept;

}  // namespace copse::drivers
