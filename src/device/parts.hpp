// The members of a solver: a GPU, its memory, and the settings for kernels and copies.
#pragma once
#include <device/solver.hpp>
#include <gpu/runtime/gpu.hpp>

namespace copse::device {

struct solver::parts {
  explicit parts(const settings& how)
      : on{how.stream ? backend::gpu{backend::callers_stream{*how.stream}} : backend::gpu{how.device}},
        device{on},
        memory{how.memory_limit_bytes, how.source != nullptr ? how.source : &device},
        most_blocks{how.most_blocks},
        techniques{how.techniques},
        copies{how.copies},
        time_phases{how.time_phases},
        settings{how.fast} {}

  template <class T>
  [[nodiscard]] buffer<T> copied_in(const T* first, std::size_t count, const char* doing);

  backend::gpu on;
  backend::gpu_memory device;
  tracked_memory memory;
  unsigned most_blocks;
  gpu_techniques techniques;
  backend::copy_settings copies;
  bool time_phases;
  fast::gpu_settings settings;
};

}  // namespace copse::device
