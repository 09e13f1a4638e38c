// The giant's label, found without leaving the GPU: one block samples random vertices. A wrong guess is never wrong, only slow.
#pragma once
#include <copse/memory.hpp>
#include <core/random.hpp>
#include <gpu/loops/cuda.cuh>
#include <gpu/runtime/after.cuh>
#include <gpu/steps/ballot.cuh>

#include <algorithm>
#include <cstdint>

namespace copse::backend {

inline constexpr unsigned most_samples = 2 * voters;  // more would neither fit a block's shared memory nor improve the guess

/// `winner` = the most frequent of label(v) of `samples` random vertices, the smallest of several; no_vertex when it has less than
/// `least_share` of the votes. A sample whose label is no_vertex does not vote. One block of `voters`.
template <class Label>
__global__ void __launch_bounds__(voters)
    elect(std::uint32_t n, Label label, unsigned samples, random_stream random, float least_share, std::uint32_t* winner) {
  after_the_last();
  using box_of_votes = ballot<most_samples>;
  __shared__ box_of_votes box;
  box.begin();
  int all = 0;
  for (unsigned turn = 0; turn < samples; turn += voters) {
    const unsigned k = turn + threadIdx.x;
    const std::uint32_t answer = k < samples ? label(static_cast<std::uint32_t>(random.below(k, n))) : box_of_votes::nobody;
    all += __syncthreads_count(answer != box_of_votes::nobody);
    box.put(answer);
  }
  const auto [most, votes] = box.end();
  if (threadIdx.x == 0) *winner = static_cast<float>(votes) >= least_share * static_cast<float>(all) ? most : box_of_votes::nobody;
}

/// Precondition: n > 0.
template <class Label>
void start_vote(const cuda& loops, std::uint32_t n, Label label, unsigned samples, std::uint64_t seed, float least_share,
                std::uint32_t* winner) {
  loops.before_launch();
  launch_after(loops, 1, voters, elect<Label>, n, label, std::clamp(samples, 1u, most_samples), random_stream{seed, 0}, least_share,
               winner);
  loops.launched();
}

/// Precondition: n > 0. Waits for the answer.
template <class Label>
std::uint32_t most_frequent_label(const cuda& loops, std::uint32_t n, Label label, unsigned samples, std::uint64_t seed) {
  buffer<std::uint32_t> winner{1, loops.memory()};
  start_vote(loops, n, label, samples, seed, 0, winner.data());
  return loops.fetched(winner.data());
}

}  // namespace copse::backend
