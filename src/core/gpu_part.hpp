// Tells whether this build includes the GPU part. Calls of functions that only the GPU part defines must be inside `if constexpr
// (has_gpu_part)`.
#pragma once

namespace copse {

#if defined(COPSE_HAS_CUDA)
inline constexpr bool has_gpu_part = true;
#else
inline constexpr bool has_gpu_part = false;
#endif

}  // namespace copse
