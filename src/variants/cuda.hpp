// The backend cuda for code that does not include CUDA.
#pragma once
#include <copse/errors.hpp>

#include <string_view>

namespace copse::variant {

inline constexpr std::string_view cuda_name = "cuda";

[[noreturn]] inline void refuse_wide_ids() { throw usage_error{"cuda: found 64-bit ids, expected at most 2^32 - 1 vertices"}; }

}  // namespace copse::variant
