// Rules share one source for host and device; COPSE_HOST_DEVICE adds the annotations that only nvcc needs.
#pragma once

#if defined(__CUDACC__)
#define COPSE_HOST_DEVICE __host__ __device__
#else
#define COPSE_HOST_DEVICE
#endif

// nvcc only warns if a kernel calls a rule that lacks the annotation, and leaves the call out; these lines make the warning an error.
#if defined(__CUDACC__)
#pragma nv_diag_error 20011
#pragma nv_diag_error 20014
#endif
