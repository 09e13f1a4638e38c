// An event that one thread waits for and another completes.
#pragma once
#include <atomic>
#include <cstdint>
#include <thread>

namespace copse::hybrid {

class arrival {
public:
  [[nodiscard]] bool awaited() const noexcept { return state_.load(std::memory_order_acquire) == state::awaited; }
  /// False: it failed. Spins instead of sleeping, because waking up would take too long: for a thread that has a core to itself.
  [[nodiscard]] bool wait() const noexcept {
    while (awaited()) std::this_thread::yield();
    return state_.load(std::memory_order_acquire) == state::arrived;
  }
  /// Calls f(); the event has then arrived, or failed if f() threw.
  template <class F>
  void after(F f) {
    try {
      f();
    } catch (...) {
      state_.store(state::failed, std::memory_order_release);
      throw;
    }
    state_.store(state::arrived, std::memory_order_release);
  }

private:
  enum class state : std::uint8_t { awaited, arrived, failed };

  std::atomic<state> state_{state::awaited};
};

}  // namespace copse::hybrid
