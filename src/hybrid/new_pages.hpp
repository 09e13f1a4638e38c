// The pages of a new array, which the system clears and maps when they are first touched: a copy into them would wait for each. Idle
// threads touch them in advance.
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

  /// By this thread, or by this many threads of the pool (core/team.hpp), until `stop()` or until no page is left. Several threads may call
  /// it at once. Words keep their values.
  void touch(const std::function<bool()>& stop);
  void touch_by(unsigned threads, const std::function<bool()>& stop);

private:
  std::span<std::uint32_t> words_;
  std::size_t piece_, ahead_;  ///< words per turn; words of the first turn that lie before the array
  std::atomic<std::size_t> next_{0};
};

}  // namespace copse::hybrid
