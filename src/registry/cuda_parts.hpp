// What a cuda_solver holds.
#pragma once
#include <backend/cuda/gpu.hpp>
#include <backend/cuda/gpu_memory.hpp>
#include <registry/cuda.hpp>

namespace copse::registry {

struct cuda_solver::parts {
  explicit parts(const settings& how)
      : on{how.device},
        device{on},
        memory{how.memory_limit_bytes, &device},
        most_blocks{how.most_blocks},
        rows{how.rows},
        piece_bytes{how.piece_bytes},
        time_phases{how.time_phases},
        ideas{how.own} {}

  backend::gpu on;
  backend::gpu_memory device;
  tracked_memory memory;
  unsigned most_blocks;
  gpu_row_loop rows;
  std::size_t piece_bytes;
  bool time_phases;
  own::gpu_ideas ideas;
};

}  // namespace copse::registry
