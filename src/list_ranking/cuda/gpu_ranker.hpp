// Ranks lists of 32-bit ids in the memory of a GPU. Compiled without CUDA's headers.
#pragma once
#include <copse/list_ranking.hpp>
#include <list_ranking/list.hpp>
#include <list_ranking/variants.hpp>

#include <cstdint>
#include <memory>
#include <span>

namespace copse::list_ranking {

/// The parts of a variant that its algorithm does not fix.
struct gpu_job {
  list_algorithm method = list_algorithm::helman_jaja;  ///< not walk
  bool bits_from_cpu = false;                           ///< hybrid.fis
  bool splitters_on_cpu = false;                        ///< cuda.helman_jaja_cpu
  unsigned threads = 1;                                 ///< that make bits
};

/// One GPU, and lists in its memory. For one thread at a time. Everything that it allocates must be freed before it is destroyed.
class gpu_ranker {
public:
  /// `threads` copy lists and ranks; 0: all cores. `source`: of all memory on the GPU; null: a pool of the device, in the order of the
  /// work. Throws resource_error when there is no GPU, usage_error when it has a smaller number.
  gpu_ranker(unsigned device, observer* watcher, unsigned threads = 0, std::pmr::memory_resource* source = nullptr,
             std::uint64_t memory_limit_bytes = UINT64_MAX);
  ~gpu_ranker();
  gpu_ranker(const gpu_ranker&) = delete;

  /// All that is allocated on the GPU comes from here: it counts and caps.
  [[nodiscard]] tracked_memory& memory() noexcept;

  [[nodiscard]] buffer<std::uint32_t> copy_in(std::span<const std::uint32_t> from);
  [[nodiscard]] buffer<std::int64_t> copy_in(std::span<const std::int64_t> from);
  void copy_out(const buffer<std::uint32_t>& from, std::span<std::uint32_t> to);
  void copy_out(const buffer<std::int64_t>& from, std::span<std::int64_t> to);

  /// All spans are in the GPU's memory; `tuning.memory` is not used. Returns seconds by the GPU's clock, from the list to the ranks. Throws
  /// broken_list, resource_error for more elements and lists than words of 32 bits tell apart.
  double count(const gpu_job& job, std::span<const std::uint32_t> successors, std::span<std::uint32_t> ranks, const list_settings& tuning,
               list_outcome& report);
  double scan(const gpu_job& job, std::span<const std::uint32_t> successors, std::span<const std::int64_t> weights,
              rank_operation operation, std::span<std::int64_t> ranks, const list_settings& tuning, list_outcome& report);

private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

}  // namespace copse::list_ranking
