// An accessor with one flag a vertex beside the parents, for the rules that win a root by a flag (hooks) or lock it (rem_lock).
#pragma once
#include <copse/core/parent_array.hpp>

#include <atomic>
#include <cstdint>
#include <thread>

namespace copse::parents {

/// `Parents` as it is, and `flags[v]`, zero at first. `Shared`: other threads use them too.
template <class Parents, bool Shared>
class flagged : public Parents {
public:
  using id = typename Parents::id;

  flagged(Parents parents, std::uint8_t* flags) noexcept : Parents{parents}, flags_{flags} {}

  /// True for the first caller only, ever.
  bool claim(id v) const noexcept { return take(v, std::memory_order_relaxed); }
  bool try_lock(id v) const noexcept { return take(v, std::memory_order_acquire); }
  void unlock(id v) const noexcept {
    if constexpr (Shared) {
      std::atomic_ref<std::uint8_t>{flags_[v]}.store(0, std::memory_order_release);
    } else {
      flags_[v] = 0;
    }
  }
  /// Between two looks at what another thread has yet to store: that thread may be waiting for this processor.
  void relax() const noexcept {
    if constexpr (Shared) std::this_thread::yield();
  }

private:
  bool take(id v, std::memory_order order) const noexcept {
    if constexpr (Shared) {
      std::atomic_ref<std::uint8_t> flag{flags_[v]};
      return flag.load(std::memory_order_relaxed) == 0 && flag.exchange(1, order) == 0;
    } else {
      return flags_[v]++ == 0;
    }
  }

  std::uint8_t* flags_;
};

}  // namespace copse::parents
