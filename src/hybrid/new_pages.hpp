// The pages behind new words, which the system gives, cleared, when they are touched: a copy that meets with them waits for each. Whoever
// has nothing else to do touches some before.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace copse::hybrid {

class new_pages {
public:
  /// Of an array, those from word `first` on.
  explicit new_pages(std::span<std::uint32_t> words, std::size_t first = 0) noexcept;

  /// By this thread, or by so many of core/team.hpp, until `stop()` or until none is left. Several may call it at once. What is in the words
  /// stays.
  void touch(const std::function<bool()>& stop);
  void touch_by(unsigned threads, const std::function<bool()>& stop);

private:
  std::span<std::uint32_t> words_;
  std::size_t piece_, ahead_;  ///< words of a turn; those of the first that come before ours
  std::atomic<std::size_t> next_{0};
};

}  // namespace copse::hybrid
