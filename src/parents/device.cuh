// Parents in the memory of a GPU, shared by all its threads: every access is a relaxed atomic of a stated scope.
//
// Stores, swaps and minima are of device scope: they meet in the L2 cache, where every thread of the GPU sees them. Loads come in two
// kinds:
//   fresh   device scope (ld.relaxed.gpu): asks the L2 cache.
//   cached  block scope (ld.relaxed.cta): may be answered by the L1 cache of the multiprocessor with a value that was stored earlier, which
//           makes the hot words of a giant component cheap (measured: 1.5 to 4 times faster; with fresh loads, all threads queue for one
//           L2 line).
// A load of block scope and a store of another block are not "morally strong" in the PTX memory model: no order follows from the pair, but
// the value read is one that some thread stored there (accesses are of one size and aligned, so none is torn), and a thread never reads
// back behind its own accesses to a word. So a cached load gives, at worst, an old parent. Why that is enough:
//   - Old parents are ancestors. Rules link roots under smaller vertices and shorten paths to ancestors, so what was once the parent of v
//     stays an ancestor of v for ever. A find over old parents takes a longer way, to a vertex that was a root once.
//   - Links are swaps, and swaps are fresh: a root that only looks like one fails its swap, and the rule goes on from the value that the
//     swap returned, which is smaller. Every step makes the larger end smaller, so no walk is endless, whatever loads return.
//   - Rules that move subtrees (splice_atomic) break the first point; rules that wait for another thread's store (hooks, rem_lock) or
//     find again after a failed swap (jtb) break the second. They declare rule_traits::fresh_loads.
// No access needs to order others, because threads share no data but the parents, and the flags, whose locks acquire and release. Between
// two loops, the end of a kernel orders everything, and the next kernel starts with an empty L1 cache; a kernel that begins before that end
// has an empty L1 cache from after_the_last() on (gpu/runtime/launch.cuh). A plain load is never used, because the compiler might keep its
// value for a whole loop.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/extend/parent_array.hpp>

#include <cstdint>
#include <cuda/atomic>

namespace copse::parents {

template <unsigned_index Id, ::cuda::thread_scope LoadScope>
class device_parents : public id_words<Id> {
public:
  COPSE_HOST_DEVICE explicit device_parents(Id* words) noexcept : words_{words} {}

  COPSE_HOST_DEVICE Id load(Id v) const noexcept { return ::cuda::atomic_ref<Id, LoadScope>{words_[v]}.load(::cuda::memory_order_relaxed); }
  COPSE_HOST_DEVICE void store(Id v, Id w) const noexcept { at(v).store(w, ::cuda::memory_order_relaxed); }
  COPSE_HOST_DEVICE cas_result<Id> cas(Id v, Id expected, Id desired) const noexcept {
    const bool ok = at(v).compare_exchange_strong(expected, desired, ::cuda::memory_order_relaxed);
    return {ok, expected};
  }
  COPSE_HOST_DEVICE Id fetch_min(Id v, Id w) const noexcept { return at(v).fetch_min(w, ::cuda::memory_order_relaxed); }
  /// Fetches the parent of v into the L2 cache, because it will be needed soon.
  COPSE_HOST_DEVICE void prefetch([[maybe_unused]] Id v) const noexcept {
#if defined(__CUDA_ARCH__)
    asm volatile("prefetch.global.L2 [%0];" ::"l"(words_ + v));
#endif
  }
  /// An accessor of the same parents whose loads ask the L2 cache, so they are never stale.
  COPSE_HOST_DEVICE device_parents<Id, ::cuda::thread_scope_device> as_fresh() const noexcept {
    return device_parents<Id, ::cuda::thread_scope_device>{words_};
  }
  /// An accessor of the same parents whose loads may be answered by the L1 cache with a stale value, for loops in which no roots are
  /// linked.
  COPSE_HOST_DEVICE device_parents<Id, ::cuda::thread_scope_block> as_cached() const noexcept {
    return device_parents<Id, ::cuda::thread_scope_block>{words_};
  }

private:
  COPSE_HOST_DEVICE ::cuda::atomic_ref<Id, ::cuda::thread_scope_device> at(Id v) const noexcept {
    return ::cuda::atomic_ref<Id, ::cuda::thread_scope_device>{words_[v]};
  }

  Id* words_;
};

template <unsigned_index Id>
using fresh = device_parents<Id, ::cuda::thread_scope_device>;
template <unsigned_index Id>
using cached = device_parents<Id, ::cuda::thread_scope_block>;

/// Flags for basic_flagged: one byte per vertex, set and cleared in the 32-bit word that contains it, because a GPU has no atomic
/// operations on bytes. The array must be aligned to words, and its size must be a multiple of 4.
class device_flags {
public:
  COPSE_HOST_DEVICE explicit device_flags(std::uint8_t* flags) noexcept : words_{reinterpret_cast<std::uint32_t*>(flags)} {}

  COPSE_HOST_DEVICE bool take(std::uint64_t v) const noexcept { return raise(v, ::cuda::memory_order_relaxed); }
  COPSE_HOST_DEVICE bool acquire(std::uint64_t v) const noexcept { return raise(v, ::cuda::memory_order_acquire); }
  COPSE_HOST_DEVICE void release(std::uint64_t v) const noexcept { word(v).fetch_and(~bit(v), ::cuda::memory_order_release); }
  /// Sleeps, because the thread that is waited for may be in the same warp and must be allowed to run.
  COPSE_HOST_DEVICE static void relax() noexcept {
#if defined(__CUDA_ARCH__)
    __nanosleep(40);
#endif
  }

private:
  COPSE_HOST_DEVICE bool raise(std::uint64_t v, ::cuda::memory_order order) const noexcept {
    const auto flag = word(v);
    return (flag.load(::cuda::memory_order_relaxed) & bit(v)) == 0 && (flag.fetch_or(bit(v), order) & bit(v)) == 0;
  }
  COPSE_HOST_DEVICE static std::uint32_t bit(std::uint64_t v) noexcept { return std::uint32_t{1} << (8 * (v % 4)); }
  COPSE_HOST_DEVICE ::cuda::atomic_ref<std::uint32_t, ::cuda::thread_scope_device> word(std::uint64_t v) const noexcept {
    return ::cuda::atomic_ref<std::uint32_t, ::cuda::thread_scope_device>{words_[v / 4]};
  }

  std::uint32_t* words_;
};

// Parents on a GPU for queries that run concurrently with inserts. Each thread has one operation, so the operations of a batch have no
// order of their own. The answers must be those of some order, for which it suffices that each yes is true at the end of the batch, and
// each no at its beginning: take the no's first, then the inserts, then the yes's. A yes is true at the end whatever values were read,
// because a former parent stays an ancestor. A no means that the walks from both vertices ended at different roots. If the vertices were in
// one tree at the beginning, one walk has seen the link of its root, or a path that another thread has compressed past that root, and the
// other walk has not. Before it answers no, a query reads the root once more, and this read must not miss the link. So a thread executes a
// fence before each store and swap, and a query executes another one before that last read. Whichever thread has read the link so that the
// query could walk past that root, its read then happened before the last read, which therefore sees the link, too. All loads are of device
// scope; cached loads take no part in such an order.

/// A fence of device scope: the calling thread's reads before it are ordered before its reads and writes after it.
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
