// An accessor with one flag per vertex beside the parents, for the rules that win a root by a flag (hooks) or lock it (rem_lock).
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/extend/parent_array.hpp>

#include <atomic>
#include <cstdint>
#include <thread>

namespace copse::parents {

/// `Parents` with a flag per vertex, initially down.
///   take(v)      raise the flag of v; true for the one caller that found it down
///   acquire(v)   the same, and what was written before its release is seen
///   release(v)   lower it, with what was written before
///   relax()      between two looks at what another thread has yet to store
template <class Parents, class Flags>
class basic_flagged : public Parents {
public:
  using id = typename Parents::id;

  COPSE_HOST_DEVICE basic_flagged(Parents parents, Flags flags) noexcept : Parents{parents}, flags_{flags} {}

  /// True for the first caller only, ever.
  COPSE_HOST_DEVICE bool claim(id v) const noexcept { return flags_.take(v); }
  COPSE_HOST_DEVICE bool try_lock(id v) const noexcept { return flags_.acquire(v); }
  COPSE_HOST_DEVICE void unlock(id v) const noexcept { flags_.release(v); }
  COPSE_HOST_DEVICE void relax() const noexcept { Flags::relax(); }

private:
  Flags flags_;
};

/// A byte per vertex in host memory. `Shared`: other threads use them too.
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
  /// The thread that is waited for may be waiting for this processor.
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

}  // namespace copse::parents
