// A flag that any thread may raise during a pass, read before the next pass starts.
#pragma once
#include <atomic>

namespace copse::fast {

class shared_flag {
public:
  void raise() noexcept {
    if (!raised()) up_.store(true, std::memory_order_relaxed);
  }
  [[nodiscard]] bool raised() const noexcept { return up_.load(std::memory_order_relaxed); }

private:
  std::atomic<bool> up_{false};
};

}  // namespace copse::fast
