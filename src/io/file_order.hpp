// What must happen in file order although workers parse blocks side by side: counts and positions that add up from block to block.
#pragma once
#include <copse/errors.hpp>

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace copse::io {

/// Turns go to the blocks 0, 1, 2, ... A block that waits has a worker of its own, and those before it are being parsed: no deadlock.
class file_order {
public:
  /// Calls `work` when every block before `index` has had its turn. Throws when one of them failed; that block's own error is the one
  /// that on_text_blocks reports.
  template <class Work>
  void in_turn(std::uint64_t index, Work work) {
    std::unique_lock lock{guard_};
    changed_.wait(lock, [&] { return turn_ == index || failed_ < index; });
    if (failed_ < index) throw error{"a block before this one failed"};
    work();
    turn_ = index + 1;
    changed_.notify_all();
  }
  /// Block `index` will not take its turn.
  void fail(std::uint64_t index) {
    const std::lock_guard lock{guard_};
    if (index < failed_) failed_ = index;
    changed_.notify_all();
  }

private:
  std::mutex guard_;
  std::condition_variable changed_;
  std::uint64_t turn_ = 0;
  std::uint64_t failed_ = UINT64_MAX;
};

/// Runs `work()` for block `index`; when it throws, tells the order.
template <class Work>
void or_fail(file_order& order, std::uint64_t index, Work work) {
  try {
    work();
  } catch (...) {
    order.fail(index);
    throw;
  }
}

}  // namespace copse::io
