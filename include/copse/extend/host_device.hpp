// Rules share one source for host and device; only nvcc needs the annotation.
#pragma once

#if defined(__CUDACC__)
#define COPSE_HOST_DEVICE __host__ __device__
#else
#define COPSE_HOST_DEVICE
#endif
