// The giant's label, found without leaving the GPU: one block asks some random vertices. A wrong guess is never wrong, only slow.
#pragma once
#include <backend/cuda/ballot.cuh>
#include <backend/cuda/cuda.cuh>
#include <copse/core/memory.hpp>
#include <core/random.hpp>

#include <algorithm>
#include <cstdint>

namespace copse::backend {

inline constexpr unsigned most_samples = 2 * voters;  // more would not fit a block's shared memory, nor tell more

/// `winner` = the most frequent of label(v) of `samples` random vertices, the smallest of several. One block of `voters`.
template <class Label>
__global__ void __launch_bounds__(voters)
    elect(std::uint32_t n, Label label, unsigned samples, random_stream random, std::uint32_t* winner) {
  using box_of_votes = ballot<most_samples>;
  __shared__ box_of_votes box;
  box.begin();
  for (unsigned turn = 0; turn < samples; turn += voters) {
    const unsigned k = turn + threadIdx.x;
    box.put(k < samples ? label(static_cast<std::uint32_t>(random.below(k, n))) : box_of_votes::nobody);
  }
  const auto outcome = box.end();
  if (threadIdx.x == 0) *winner = outcome.winner;
}

/// Precondition: n > 0. Waits for the answer.
template <class Label>
std::uint32_t most_frequent_label(const cuda& loops, std::uint32_t n, Label label, unsigned samples, std::uint64_t seed) {
  buffer<std::uint32_t> winner{1, loops.memory()};
  loops.before_launch();
  elect<<<1, voters, 0, loops.stream()>>>(n, label, std::clamp(samples, 1u, most_samples), random_stream{seed, 0}, winner.data());
  loops.launched();
  return loops.fetched(winner.data());
}

}  // namespace copse::backend
