// Which GPUs there are for rows of the backend cuda.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace copse {

struct gpu_facts {
  unsigned index;  ///< i of cuda:i
  std::string name;
  unsigned capability_major, capability_minor;
  unsigned multiprocessors;
  std::uint64_t memory_bytes, free_bytes;
};

/// Does this build have the GPU part? Without it there are no rows of cuda.
bool built_with_cuda() noexcept;

/// The GPUs of this machine that work; none without the GPU part.
std::vector<gpu_facts> gpus();

}  // namespace copse
