// Ranks lists of 32-bit ids in the memory of a GPU. This header does not need those of CUDA.
#pragma once
#include <copse/list_ranking.hpp>
#include <list_ranking/list.hpp>
#include <list_ranking/variants.hpp>

#include <cstdint>
#include <memory>
#include <span>

namespace copse::list_ranking {

/// The algorithm by which a list is ranked on a GPU, and what its variants do differently.
struct gpu_job {
  list_algorithm method = list_algorithm::helman_jaja;  ///< any algorithm but `walk`
  bool bits_from_cpu = false;                           ///< for fis (ranking by independent sets): the CPU makes the random bits
  bool splitters_on_cpu = false;                        ///< for helman_jaja: the CPU ranks the list of splitters
  unsigned threads = 1;                                 ///< number of CPU threads that make random bits, if bits_from_cpu is set
};

/// Ranks lists in the memory of one GPU. May be used by one thread at a time. Everything that it allocates must be freed before it is
/// destroyed.
class gpu_ranker {
public:
  /// `threads` is the number of threads that copy lists and ranks, 0 for all cores. `source` provides all memory on the GPU; if null, that
  /// is a pool of the device, in the order of the stream. Throws resource_error when there is no GPU, usage_error when there is no GPU with
  /// this number.
  gpu_ranker(unsigned device, observer* watcher, unsigned threads = 0, std::pmr::memory_resource* source = nullptr,
             std::uint64_t memory_limit_bytes = UINT64_MAX);
  ~gpu_ranker();
  gpu_ranker(const gpu_ranker&) = delete;

  /// The resource that counts and caps all memory that is allocated on the GPU.
  [[nodiscard]] tracked_memory& memory() noexcept;

  [[nodiscard]] buffer<std::uint32_t> copy_in(std::span<const std::uint32_t> from);
  [[nodiscard]] buffer<std::int64_t> copy_in(std::span<const std::int64_t> from);
  void copy_out(const buffer<std::uint32_t>& from, std::span<std::uint32_t> to);
  void copy_out(const buffer<std::int64_t>& from, std::span<std::int64_t> to);

  /// All spans are in the GPU's memory; `tuning.memory` is not used. Returns the seconds from the list to the ranks by the GPU's clock.
  /// Throws broken_list, and resource_error if 32-bit words cannot number all elements and lists.
  double count(const gpu_job& job, std::span<const std::uint32_t> successors, std::span<std::uint32_t> ranks, const list_settings& tuning,
               list_outcome& report);
  double scan(const gpu_job& job, std::span<const std::uint32_t> successors, std::span<const std::int64_t> weights,
              rank_operation operation, std::span<std::int64_t> ranks, const list_settings& tuning, list_outcome& report);

private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

}  // namespace copse::list_ranking
