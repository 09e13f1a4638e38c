// Parents on a GPU for queries that run beside inserts. A batch there has no order of its own: every operation is a thread's. So the
// answers are those of some order as long as each yes is true at the end, and each no at the beginning: take the no's first, then the
// inserts, then the yes's. A yes is true at the end whatever was read, as what was a parent once stays an ancestor. A no says that two
// vertices look like roots. If their trees were one at the beginning, one walk has seen the link of its root, or a path that another thread
// has shortened past that root, and the other walk has not; it reads the root once more, and that read must not miss the link. So a thread
// passes a fence before it stores what it has read, and one before that last read: what any thread on the way has read of the root happened
// before. All loads are of device scope; cached ones take part in no such order.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/extend/parent_array.hpp>
#include <parents/device.cuh>

#include <cuda/atomic>

namespace copse::parents {

/// What the calling thread has read comes before what it stores and reads from here on, for all who see that.
COPSE_HOST_DEVICE inline void after_what_was_read() noexcept {
#if defined(__CUDA_ARCH__)
  ::cuda::atomic_thread_fence(::cuda::memory_order_acq_rel, ::cuda::thread_scope_device);
#endif
}

template <unsigned_index Id>
class device_ordered : public id_words<Id> {
public:
  COPSE_HOST_DEVICE explicit device_ordered(Id* words) noexcept : words_{words} {}

  COPSE_HOST_DEVICE Id load(Id v) const noexcept { return words_.load(v); }
  COPSE_HOST_DEVICE void store(Id v, Id w) const noexcept {
    after_what_was_read();
    words_.store(v, w);
  }
  COPSE_HOST_DEVICE cas_result<Id> cas(Id v, Id expected, Id desired) const noexcept {
    after_what_was_read();
    return words_.cas(v, expected, desired);
  }
  COPSE_HOST_DEVICE Id fetch_min(Id v, Id w) const noexcept {
    after_what_was_read();
    return words_.fetch_min(v, w);
  }

private:
  fresh<Id> words_;
};

}  // namespace copse::parents
