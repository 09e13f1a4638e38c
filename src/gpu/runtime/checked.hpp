// What the CUDA runtime says, as exceptions.
#pragma once
#include <cuda_runtime_api.h>
#include <copse/errors.hpp>

#include <string>

namespace copse::backend {

/// Throws when `status` is no success: resource_error when memory ended, error otherwise. `doing`: "copying labels".
inline void checked(cudaError_t status, const char* doing) {
  if (status == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());  // a later call must not be blamed for this one
  const std::string text = std::string{"cuda: "}.append(doing).append(": ").append(cudaGetErrorString(status));
  if (status == cudaErrorMemoryAllocation) throw resource_error{text};
  throw error{text};
}

}  // namespace copse::backend
