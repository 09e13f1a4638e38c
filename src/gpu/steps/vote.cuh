// Finds the giant's label without leaving the GPU: one block samples random vertices, and the most frequent label wins. A wrong guess costs
// time, but the result stays correct. Votes are counted in a hash table in shared memory, so a vote takes a few microseconds; sorting the
// labels took about thirty.
#pragma once
#include <copse/memory.hpp>
#include <copse/types.hpp>
#include <core/random.hpp>
#include <gpu/loops/cuda.cuh>
#include <gpu/runtime/launch.cuh>

#include <algorithm>
#include <cstdint>

namespace copse::backend {

inline constexpr unsigned voters = 1024;  ///< threads of the block that runs a vote

/// A hash table that counts votes, in shared memory. All threads of the block must call every function.
template <unsigned MostVotes>
class ballot {
public:
  using id = std::uint32_t;
  static constexpr id nobody = no_vertex<id>;  ///< the answer of a thread that does not vote

  __device__ void begin() {
    for (unsigned k = threadIdx.x; k < places; k += blockDim.x) {
      candidates_[k] = nobody;
      votes_[k] = 0;
    }
    if (threadIdx.x == 0) best_ = 0;
    __syncthreads();
  }
  /// Counts one vote per thread, for the label `answer`; a thread without a vote passes `nobody`. All calls together may count at most
  /// MostVotes votes.
  __device__ void put(id answer) {
    // Threads of a warp with the same answer are counted by one addition. Most threads vote for the giant, and single additions to its
    // counter would be done one after the other.
    const unsigned same = __match_any_sync(0xFFFFFFFFu, answer);
    if (answer == nobody || threadIdx.x % 32 != static_cast<unsigned>(__ffs(static_cast<int>(same)) - 1)) return;
    for (unsigned at = static_cast<unsigned>(mix(answer)) % places;; at = (at + 1) % places) {
      const id known = atomicCAS(&candidates_[at], nobody, answer);
      if (known != nobody && known != answer) continue;
      atomicAdd(&votes_[at], static_cast<unsigned>(__popc(same)));
      return;
    }
  }

  struct outcome {
    id winner;       ///< the smallest of the labels with most votes; `nobody` if no thread voted
    unsigned votes;  ///< the winner's votes
  };
  __device__ outcome end() {
    __syncthreads();
    for (unsigned k = threadIdx.x; k < places; k += blockDim.x) {
      if (votes_[k] != 0) atomicMax(&best_, static_cast<unsigned long long>(votes_[k]) << 32 | (nobody - candidates_[k]));
    }
    __syncthreads();
    return {nobody - static_cast<id>(best_), static_cast<unsigned>(best_ >> 32)};
  }

private:
  static constexpr unsigned places = 2 * MostVotes;  // twice as many places as votes keep searches for a place short
  id candidates_[places];
  unsigned votes_[places];
  unsigned long long best_;
};

inline constexpr unsigned most_samples = 2 * voters;  // more samples would neither fit a block's shared memory nor improve the guess

/// Sets `winner` to the most frequent label(v) of `samples` random vertices v, the smallest of several; to no_vertex when it has less than
/// `least_share` of the votes. A sample whose label is no_vertex does not vote. Launched with one block of `voters` threads.
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

/// Enqueues elect(), which finds the most frequent label(v) among random vertices v and stores it in *winner, in the memory of the GPU;
/// no_vertex if its share is below `least_share`. Precondition: n > 0.
template <class Label>
void start_vote(const cuda& loops, std::uint32_t n, Label label, unsigned samples, std::uint64_t seed, float least_share,
                std::uint32_t* winner) {
  loops.before_launch();
  launch_after(loops, 1, voters, elect<Label>, n, label, std::clamp(samples, 1u, most_samples), random_stream{seed, 0}, least_share,
               winner);
  loops.launched();
}

/// Returns the most frequent label, however small its share. Precondition: n > 0. Waits for the answer.
template <class Label>
std::uint32_t most_frequent_label(const cuda& loops, std::uint32_t n, Label label, unsigned samples, std::uint64_t seed) {
  buffer<std::uint32_t> winner{1, loops.memory()};
  start_vote(loops, n, label, samples, seed, 0, winner.data());
  return loops.fetched(winner.data());
}

}  // namespace copse::backend
