// What inserts on a GPU note beside the parents: which vertices exist, the edge of each link, and how many there were.
#pragma once
#include <copse/operations.hpp>
#include <copse/views.hpp>
#include <drivers/incremental/gpu_rule.hpp>

#include <cstddef>
#include <cstdint>

namespace copse::drivers {

using gpu_id = std::uint32_t;
using gpu_edge = edge<gpu_id>;
static_assert(sizeof(gpu_edge) == sizeof(uint2));

/// What kernels counted; the host reads it when it waits.
struct gpu_tally {
  unsigned long long links;     ///< roots that became children
  unsigned long long refused;   ///< edges with an id that is no vertex
  unsigned long long vertices;  ///< that did not exist before
};

/// One bit per vertex, which is only ever raised.
class device_marks {
public:
  device_marks() = default;
  explicit device_marks(std::uint64_t* words) noexcept : words_{reinterpret_cast<std::uint32_t*>(words)} {}

  /// False where nothing is marked, because all vertices exist.
  __device__ explicit operator bool() const { return words_ != nullptr; }
  /// 1 for the one thread that raised it.
  __device__ unsigned raise(gpu_id v) const {
    const std::uint32_t bit = 1u << (v % 32);
    return (words_[v / 32] & bit) == 0 && (atomicOr(words_ + v / 32, bit) & bit) == 0 ? 1 : 0;
  }
  [[nodiscard]] __device__ bool has(gpu_id v) const { return (words_[v / 32] >> (v % 32) & 1) != 0; }

private:
  std::uint32_t* words_ = nullptr;  // as 64-bit words on the host, which is little-endian, too
};

__device__ inline void add_to(unsigned long long* sum, unsigned part) {
  const unsigned of_warp = __reduce_add_sync(0xffffffffu, part);
  if (threadIdx.x % 32 == 0 && of_warp != 0) atomicAdd(sum, of_warp);
}

/// Of one thread.
struct counted_links {
  unsigned links = 0, refused = 0, vertices = 0;

  /// By all threads of a warp together.
  __device__ void add_to_tally(gpu_tally* tally) const {
    add_to(&tally->links, links);
    add_to(&tally->refused, refused);
    add_to(&tally->vertices, vertices);
  }
};

/// Where it is noted; passed to kernels by value.
struct device_notes {
  device_marks exists;
  gpu_edge* slots;  ///< of the edge that made each root a child; null: not recorded
  gpu_tally* tally;

  __device__ void mark(gpu_edge e, counted_links& own) const {
    if (exists) own.vertices += exists.raise(e.u) + exists.raise(e.v);
  }
};

/// Called by a rule for each link.
struct note_device_link {
  const device_notes& to;
  gpu_edge e;
  counted_links& own;

  __device__ void operator()(gpu_id root, gpu_id /*parent*/) const {
    ++own.links;
    to.mark(e, own);
    if (to.slots != nullptr) to.slots[root] = e;  // no other thread links this root, ever
  }
};

// Readers of a batch.

/// All of a batch is of the kind that is wanted. Read once, so that the caches are left to parents.
struct whole_batch {
  const gpu_edge* pairs;
  std::size_t count;

  __device__ bool wanted(std::size_t i) const { return i < count; }
  __device__ gpu_edge pair(std::size_t i) const {
    const uint2 e = __ldcs(reinterpret_cast<const uint2*>(pairs) + i);
    return {e.x, e.y};
  }
};
/// Those of one kind.
struct of_kind {
  const gpu_edge* pairs;
  std::size_t count;
  const operation* kinds;
  operation kind;

  __device__ bool wanted(std::size_t i) const { return i < count && kinds[i] == kind; }
  __device__ gpu_edge pair(std::size_t i) const { return pairs[i]; }
};

/// f(reader) with the one that fits.
template <class F>
void with_reader(gpu_batch batch, operation kind, F f) {
  if (batch.kinds == nullptr) {
    f(whole_batch{batch.pairs, batch.count});
  } else {
    f(of_kind{batch.pairs, batch.count, batch.kinds, kind});
  }
}

}  // namespace copse::drivers
