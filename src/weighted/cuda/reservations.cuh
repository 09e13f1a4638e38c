// What one edge of a worklist does in a round, in two steps. First it goes up to the roots of its ends, and reserves both with its rank
// where no edge of smaller rank does; between two equal roots it leaves the list. Then an edge that holds a reservation is the first that
// leaves some tree, so it is of the forest and unites its roots.
//
// Ranks differ, so the edges of a round close no circle, and every root that was reserved has one holder. The holder alone takes its
// reservation back: the others compare with another rank before that and with no_rank after it, and see in both that it is not theirs.
// Roots do not change in the first step, and all finds shorten paths. Every access is a relaxed atomic; the ends of kernels order them.
#pragma once
#include <copse/extend/rules/find/halve.hpp>
#include <copse/extend/rules/unite/ecl.hpp>
#include <parents/device.cuh>
#include <weighted/cuda/space.cuh>

#include <cuda/atomic>

namespace copse::weighted {

class reservations {
public:
  COPSE_HOST_DEVICE explicit reservations(const forest_space& space) : parents_{space.parents}, ranks_{space.best} {}

  /// Moves the ends up to their roots. Does the edge stay in the list?
  COPSE_HOST_DEVICE bool reserve(candidate& edge) const {
    edge.u = find::halve{}(parents_, edge.u);
    edge.v = find::halve{}(parents_, edge.v);
    if (edge.u == edge.v) return false;
    offer(edge.u, edge.rank());
    offer(edge.v, edge.rank());
    return true;
  }
  /// After all have reserved. Is the edge of the forest?
  COPSE_HOST_DEVICE bool take(const candidate& edge) const {
    const bool of_u = holds(edge.u, edge.rank()), of_v = holds(edge.v, edge.rank());
    if (of_u) at(edge.u).store(no_rank, ::cuda::memory_order_relaxed);
    if (of_v) at(edge.v).store(no_rank, ::cuda::memory_order_relaxed);
    if (!of_u && !of_v) return false;
    unite::ecl<find::halve>{}(parents_, edge.u, edge.v);
    return true;
  }

private:
  using word = ::cuda::atomic_ref<unsigned long long, ::cuda::thread_scope_device>;

  [[nodiscard]] COPSE_HOST_DEVICE word at(std::uint32_t root) const { return word{ranks_[root]}; }
  [[nodiscard]] COPSE_HOST_DEVICE bool holds(std::uint32_t root, unsigned long long rank) const {
    return at(root).load(::cuda::memory_order_relaxed) == rank;
  }
  /// Looks before it writes: most edges at a large tree come too late, and all of them would queue for its word.
  COPSE_HOST_DEVICE void offer(std::uint32_t root, unsigned long long rank) const {
    if (rank < at(root).load(::cuda::memory_order_relaxed)) at(root).fetch_min(rank, ::cuda::memory_order_relaxed);
  }

  parents::cached<std::uint32_t> parents_;
  unsigned long long* ranks_;
};

/// The edges of one list that are between two trees go to the other.
static __global__ void __launch_bounds__(threads_a_block) reserve_roots(forest_space space, unsigned from, unsigned count) {
  __shared__ candidate kept[warps_a_block][candidate_appender::room];
  candidate_appender next{kept[threadIdx.x / warp_threads], list_of(space, 1 - from)};
  const reservations held{space};
  const candidate* list = space.candidates[from];
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x, lane = threadIdx.x % warp_threads;
  for (std::size_t base = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x - lane; base < count; base += stride) {
    candidate edge{};
    bool stays = false;
    if (base + lane < count) {
      edge = list[base + lane];
      stays = held.reserve(edge);
    }
    next.append(stays, edge);
  }
  next.flush();
}

/// Of a list whose edges have all reserved: the arcs of those that hold a reservation go to the forest.
static __global__ void __launch_bounds__(threads_a_block) take_reserved(forest_space space, unsigned from, std::uint32_t* forest) {
  using appender = backend::warp_appender<std::uint32_t>;
  __shared__ std::uint32_t kept[warps_a_block][appender::room];
  appender taken{kept[threadIdx.x / warp_threads], backend::device_list<std::uint32_t>{forest, &space.counters->selected}};
  const reservations held{space};
  const candidate* list = space.candidates[from];
  const std::size_t count = space.counters->candidates[from];
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x, lane = threadIdx.x % warp_threads;
  for (std::size_t base = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x - lane; base < count; base += stride) {
    candidate edge{};
    bool is_taken = false;
    if (base + lane < count) {
      edge = list[base + lane];
      is_taken = held.take(edge);
    }
    taken.append(is_taken, edge.arc);
  }
  taken.flush();
}

}  // namespace copse::weighted
