// The parts of a gpu_ranker, and the arguments of the functions that launch kernels.
#pragma once
#include <gpu/runtime/gpu.hpp>
#include <gpu/runtime/gpu_events.hpp>
#include <gpu/settings.hpp>
#include <list_ranking/cuda/gpu_ranker.hpp>

namespace copse::list_ranking {

struct gpu_ranker::parts {
  backend::gpu on;
  backend::gpu_memory device;
  tracked_memory memory;
  observer* watcher;
  backend::copy_settings copies;

  parts(unsigned index, observer* who, unsigned threads, std::pmr::memory_resource* source, std::uint64_t memory_limit_bytes)
      : on{index}, device{on}, memory{memory_limit_bytes, source != nullptr ? source : &device}, watcher{who}, copies{.threads = threads} {}
};

/// A list in the memory of a GPU, and everything needed to rank it.
struct gpu_task {
  const backend::gpu& on;
  std::pmr::memory_resource* memory;  ///< memory of the GPU
  observer* watcher;
  gpu_job job;
  const list_settings& tuning;
  list_outcome& report;
  backend::gpu_laps& laps;
};

using gpu_list = std::span<const std::uint32_t>;

/// These functions are defined in rank.cu.
void count_lists(const gpu_task& task, gpu_list successors, std::span<std::uint32_t> ranks);
void scan_lists(const gpu_task& task, gpu_list successors, std::span<const std::int64_t> weights, rank_operation operation,
                std::span<std::int64_t> ranks);

}  // namespace copse::list_ranking
