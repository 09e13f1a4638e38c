// A vote of one block: its threads put answers in, and the most frequent one wins. A hash table in shared memory counts, so a vote takes a
// few microseconds; a sort of the answers, tried first, took some thirty.
#pragma once
#include <copse/types.hpp>
#include <core/random.hpp>

#include <cstdint>

namespace copse::backend {

inline constexpr unsigned voters = 1024;  ///< threads of a block that votes

/// In shared memory. All threads of the block call every function.
template <unsigned MostVotes>
class ballot {
public:
  using id = std::uint32_t;
  static constexpr id nobody = no_vertex<id>;  ///< no answer

  __device__ void begin() {
    for (unsigned k = threadIdx.x; k < places; k += blockDim.x) {
      candidates_[k] = nobody;
      votes_[k] = 0;
    }
    if (threadIdx.x == 0) best_ = 0;
    __syncthreads();
  }
  /// One vote of each thread, or none where `answer` is nobody. As often as MostVotes allows.
  __device__ void put(id answer) {
    // Threads of a warp with the same answer add it together: most name the giant.
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
    id winner;       ///< the smallest of equals; nobody when no thread voted
    unsigned votes;  ///< for the winner
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
  static constexpr unsigned places = 2 * MostVotes;  // a search for a place is short in a table that is half empty
  id candidates_[places];
  unsigned votes_[places];
  unsigned long long best_;
};

}  // namespace copse::backend
