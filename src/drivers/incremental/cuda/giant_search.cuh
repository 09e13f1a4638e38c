// When the giant of a structure on a GPU is looked for, and which batches go past it (giant.cuh).
#pragma once
#include <copse/memory.hpp>
#include <core/random.hpp>
#include <drivers/incremental/cuda/giant.cuh>
#include <drivers/incremental/cuda/kernels.cuh>
#include <gpu/loops/cuda.cuh>
#include <gpu/runtime/checked.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory_resource>

namespace copse::drivers {

/// The giant: when it is looked for, its bits, and batches past it.
class giant_search {
public:
  giant_search(const backend::cuda& loops, int device) : loops_{loops} {
    int shared_bytes = 0;
    backend::checked(cudaDeviceGetAttribute(&shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
                     "asking for the size of shared memory");
    cudaFuncAttributes attributes{};
    backend::checked(cudaFuncGetAttributes(&attributes, insert_past_giant), "asking for a kernel's shared memory");
    while (most_group_words_ * sizeof(std::uint32_t) + attributes.sharedSizeBytes > static_cast<std::size_t>(shared_bytes))
      most_group_words_ /= 2;
    backend::checked(cudaFuncSetAttribute(insert_past_giant, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                          static_cast<int>(most_group_words_ * sizeof(std::uint32_t))),
                     "asking for shared memory");
  }

  /// Makes room for the bits of this many vertices. What was known is discarded.
  void fit(std::size_t vertices, std::pmr::memory_resource* memory) {
    const std::size_t words = (vertices + 31) / 32;
    bits_.shift = 0;
    while (words > std::size_t{most_group_words_} << bits_.shift && bits_.shift < giant_bits::most_shift) ++bits_.shift;
    const bool few = words <= std::size_t{most_group_words_} << bits_.shift;
    bits_.group_words = few ? static_cast<unsigned>((words + (std::size_t{1} << bits_.shift) - 1) >> bits_.shift) : 0;
    inside_ = buffer<std::uint32_t>{words, memory};
    groups_ = buffer<std::uint32_t>{bits_.group_words, memory};
    facts_ = buffer<giant_facts>{1, memory};
    loops_.clear(inside_.data(), words * sizeof(std::uint32_t));  // vertices to come are outside
    loops_.clear(groups_.data(), groups_.size() * sizeof(std::uint32_t));
    bits_.inside = inside_.data();
    bits_.groups = groups_.data();
    bits_.facts = facts_.data();
    looked_at_ = 0;
  }

  /// Of `count` edges to come, how many to insert before the giant is looked for again; all, if the others would not pay for that. 0: now.
  [[nodiscard]] std::size_t until_due(std::size_t count, std::size_t vertices) const noexcept {
    if (vertices == 0) return count;
    const std::size_t due = std::max({vertices, least_edges, 2 * looked_at_});
    if (inserted_ >= due) return 0;
    const std::size_t before = due - inserted_;
    return count > before && count - before >= vertices / 2 ? before : count;
  }

  void look(const gpu_edge* pairs, std::size_t count, gpu_parents p, gpu_id vertices) {
    find_giant<<<1, backend::voters, 0, loops_.stream()>>>(pairs, count, p, vertices, random_stream{inserted_, 0}, bits_.facts);
    loops_.launched();
    mark_giant<<<loops_.places(), backend::threads_a_block, 0, loops_.stream()>>>(p, vertices, bits_);
    loops_.launched();
    looked_at_ = inserted_;
  }

  void note_inserted(std::size_t count) noexcept { inserted_ += count; }

  /// Once the giant was looked for, large batches go to two kernels, one of which does nothing: the GPU decides which.
  void insert(const gpu_edge* pairs, std::size_t count, gpu_parents p, gpu_id vertices, gpu_tally* tally) {
    // One thread per edge until the GPU is full.
    const unsigned blocks = std::max(loops_.blocks_for((count + 3) / 4), std::min(loops_.blocks_for(count), loops_.places()));
    const bool ask = looked_at_ != 0 && count >= least_past_giant;
    insert_batch_kernel<<<blocks, backend::threads_a_block, 0, loops_.stream()>>>(pairs, count, p, vertices, tally,
                                                                                  ask ? bits_.facts : nullptr);
    loops_.launched();
    if (ask) {
      insert_past_giant<<<loops_.places(1), threads_past_giant, bits_.group_words * sizeof(std::uint32_t), loops_.stream()>>>(
          pairs, count, p, vertices, bits_, tally);
      loops_.launched();
    }
    note_inserted(count);
  }

private:
  static constexpr std::size_t least_edges = std::size_t{1} << 20;
  /// Smaller batches would end before the bits are in shared memory: measured, 10^6 edges take 12 us with the bits and 17 with parents;
  /// 300,000 take 10 and 7.
  static constexpr std::size_t least_past_giant = std::size_t{3} << 18;

  const backend::cuda& loops_;
  unsigned most_group_words_ = 1u << 15;
  buffer<std::uint32_t> inside_, groups_;
  buffer<giant_facts> facts_;
  giant_bits bits_{};
  std::size_t inserted_ = 0, looked_at_ = 0;  ///< edges, now and when it was looked for
};

}  // namespace copse::drivers
