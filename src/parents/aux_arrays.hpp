// Accessors for union-find rules that need more than a parent per vertex (rule_traits::aux): a flag in addition, or a word that also holds
// a rank.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/extend/parent_array.hpp>

#include <atomic>
#include <cstdint>
#include <thread>

namespace copse::parents {

/// `Parents` with a flag per vertex, initially clear. `Flags` must have these functions:
///   take(v)      sets the flag of v; true for the one caller that found it clear
///   acquire(v)   like take(v), and sees what was written before the last release(v)
///   release(v)   clears the flag; the next acquire(v) sees what was written before
///   relax()      is called between two reads of a value that another thread has yet to store
template <class Parents, class Flags>
class basic_flagged : public Parents {
public:
  using id = typename Parents::id;

  COPSE_HOST_DEVICE basic_flagged(Parents parents, Flags flags) noexcept : Parents{parents}, flags_{flags} {}

  /// Sets the flag of v; true for the first caller only. Flags that are set in this way are never cleared.
  COPSE_HOST_DEVICE bool claim(id v) const noexcept { return flags_.take(v); }
  COPSE_HOST_DEVICE bool try_lock(id v) const noexcept { return flags_.acquire(v); }
  COPSE_HOST_DEVICE void unlock(id v) const noexcept { flags_.release(v); }
  COPSE_HOST_DEVICE void relax() const noexcept { Flags::relax(); }

private:
  Flags flags_;
};

/// Flags of one byte per vertex in host memory. `Shared` means that other threads use them, too.
template <bool Shared>
class byte_flags {
public:
  byte_flags(std::uint8_t* flags) noexcept : flags_{flags} {}

  bool take(std::uint64_t v) const noexcept { return raise(v, std::memory_order_relaxed); }
  bool acquire(std::uint64_t v) const noexcept { return raise(v, std::memory_order_acquire); }
  void release(std::uint64_t v) const noexcept {
    if constexpr (Shared) {
      std::atomic_ref<std::uint8_t>{flags_[v]}.store(0, std::memory_order_release);
    } else {
      flags_[v] = 0;
    }
  }
  /// Yields, because the thread that is waited for may need this processor.
  static void relax() noexcept {
    if constexpr (Shared) std::this_thread::yield();
  }

private:
  bool raise(std::uint64_t v, std::memory_order order) const noexcept {
    if constexpr (Shared) {
      std::atomic_ref<std::uint8_t> flag{flags_[v]};
      return flag.load(std::memory_order_relaxed) == 0 && flag.exchange(1, order) == 0;
    } else {
      return flags_[v]++ == 0;
    }
  }

  std::uint8_t* flags_;
};

template <class Parents, bool Shared>
using flagged = basic_flagged<Parents, byte_flags<Shared>>;

/// An accessor whose 64-bit words hold rank, root bit and parent of a vertex, read and swapped as one, for linking by rank (jtb).
///   bits 57-63 rank, while the vertex is a root · bit 56 set for a root · bits 0-55 parent
/// `Words` accesses an array of 64-bit words (plain, atomic, or instrumented); `Id` is the type of a vertex. At most 2^56 vertices.
template <class Words, unsigned_index Id>
class ranked {
public:
  using id = Id;
  using word = std::uint64_t;
  static constexpr bool minimal_roots = false;

  COPSE_HOST_DEVICE explicit ranked(Words words) noexcept : words_{words} {}

  COPSE_HOST_DEVICE static constexpr id parent(word w) noexcept { return static_cast<id>(w & parent_mask); }
  COPSE_HOST_DEVICE static constexpr bool is_root(id /*v*/, word w) noexcept { return (w & root_bit) != 0; }
  COPSE_HOST_DEVICE static constexpr word link(id p) noexcept { return p; }
  COPSE_HOST_DEVICE static constexpr word root(id v) noexcept { return root_bit | v; }
  COPSE_HOST_DEVICE static constexpr unsigned rank(word w) noexcept { return static_cast<unsigned>(w >> rank_shift); }
  COPSE_HOST_DEVICE static constexpr word raised(word w) noexcept { return w + (word{1} << rank_shift); }

  COPSE_HOST_DEVICE word load(id v) const noexcept { return words_.load(v); }
  COPSE_HOST_DEVICE void store(id v, word w) const noexcept { words_.store(v, w); }
  COPSE_HOST_DEVICE cas_result<word> cas(id v, word expected, word desired) const noexcept { return words_.cas(v, expected, desired); }
  COPSE_HOST_DEVICE word fetch_min(id v, word w) const noexcept { return words_.fetch_min(v, w); }

private:
  static constexpr unsigned root_shift = 56, rank_shift = 57;
  static constexpr word root_bit = word{1} << root_shift, parent_mask = root_bit - 1;

  Words words_;
};

}  // namespace copse::parents
