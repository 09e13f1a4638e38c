// Rules share one source for host and device; only nvcc needs the annotation.
#pragma once

#if defined(__CUDACC__)
#define COPSE_HOST_DEVICE __host__ __device__
#else
#define COPSE_HOST_DEVICE
#endif

// A rule without the annotation would be left out of a kernel with no more than a warning: here that is an error.
#if defined(__CUDACC__)
#pragma nv_diag_error 20011
#pragma nv_diag_error 20014
#endif
