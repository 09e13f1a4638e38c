// Whether this build has the GPU part. `if constexpr (has_gpu_part)` stands before calls of what only the GPU part defines.
#pragma once

namespace copse {

#if defined(COPSE_HAS_CUDA)
inline constexpr bool has_gpu_part = true;
#else
inline constexpr bool has_gpu_part = false;
#endif

}  // namespace copse
