// The backend cuda for code that does not include CUDA.
#pragma once
#include <copse/errors.hpp>

#include <string>
#include <string_view>

namespace copse::variant {

inline constexpr std::string_view cuda_name = "cuda";

[[noreturn]] inline void refuse_wide_ids() { throw usage_error{"a GPU needs 32-bit ids: at most 2^32 - 1 vertices"}; }

/// Throws the usage_error for a variant of the CPU that is requested on a GPU.
[[noreturn]] inline void refuse_cpu_variant(const std::string& name) {
  throw usage_error{"variant " + name + " runs on the CPU: leave out device, or choose a variant of cuda"};
}

}  // namespace copse::variant
