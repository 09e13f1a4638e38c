// What one thread waits for and another brings about.
#pragma once
#include <atomic>
#include <cstdint>
#include <thread>

namespace copse::hybrid {

class arrival {
public:
  [[nodiscard]] bool awaited() const noexcept { return state_.load(std::memory_order_acquire) == state::awaited; }
  /// False: it failed. For a thread whose core is its own: it does not sleep, as it would take long to wake up.
  [[nodiscard]] bool wait() const noexcept {
    while (awaited()) std::this_thread::yield();
    return state_.load(std::memory_order_acquire) == state::here;
  }
  /// f(), and then says whether it threw.
  template <class F>
  void after(F f) {
    try {
      f();
    } catch (...) {
      state_.store(state::failed, std::memory_order_release);
      throw;
    }
    state_.store(state::here, std::memory_order_release);
  }

private:
  enum class state : std::uint8_t { awaited, here, failed };

  std::atomic<state> state_{state::awaited};
};

}  // namespace copse::hybrid
