// A set of numbers, one bit each, that can say for any number how many members are at most that number. For a member this is its place in
// the ascending order. Each word of bits is stored next to the count of the members before it, so that a query touches one cache line of a
// small array, which caches hold.
#pragma once
#include <copse/memory.hpp>
#include <copse/types.hpp>

#include <atomic>
#include <bit>
#include <cstddef>
#include <limits>

namespace copse::drivers {

/// A set of numbers that counts its members up to a number in constant time. `Word`: the type of the numbers and of the counts.
template <class Loops, unsigned_index Word>
class ranked_bits {
public:
  /// Makes an empty set, for numbers below `numbers`.
  ranked_bits(const Loops& loops, std::size_t numbers, std::pmr::memory_resource* memory)
      : words_{(numbers + digits - 1) / digits, memory} {
    loops.for_each(words_.size(), [words = words_.data()](std::size_t w) { words[w] = {0, 0}; });
  }
  /// Adds a number; from any thread.
  void set(Word number) noexcept {
    Word& bits = words_[number / digits].bits;
    const Word bit = Word{1} << number % digits;
    if constexpr (Loops::concurrent) {
      std::atomic_ref<Word>{bits}.fetch_or(bit, std::memory_order_relaxed);
    } else {
      bits |= bit;
    }
  }
  /// Prepares for through(). Called once all numbers are set.
  void count(const Loops& loops) {
    constexpr std::size_t chunk = std::size_t{1} << 14;
    const auto sum = [words = words_.data()](std::size_t begin, std::size_t end, Word before) {
      for (std::size_t w = begin; w < end; ++w) {
        words[w].before = before;
        before = static_cast<Word>(before + static_cast<Word>(std::popcount(words[w].bits)));
      }
      return before;
    };
    if (loops.threads() == 1) {
      sum(0, words_.size(), 0);
      return;
    }
    buffer<Word> starts{(words_.size() + chunk - 1) / chunk};
    loops.for_chunks(words_.size(), chunk, [&](std::size_t begin, std::size_t end) { starts[begin / chunk] = sum(begin, end, 0); });
    Word all = 0;
    for (Word& start : starts) {
      const Word here = start;
      start = all;
      all = static_cast<Word>(all + here);
    }
    loops.for_chunks(words_.size(), chunk, [&](std::size_t begin, std::size_t end) { sum(begin, end, starts[begin / chunk]); });
  }
  /// Returns how many members are at most `number`. Called after count().
  [[nodiscard]] Word through(Word number) const noexcept {
    const counted& w = words_[number / digits];
    return static_cast<Word>(w.before + static_cast<Word>(std::popcount(static_cast<Word>(w.bits << (digits - 1 - number % digits)))));
  }

private:
  static constexpr unsigned digits = std::numeric_limits<Word>::digits;
  struct counted {
    Word before, bits;
  };
  buffer<counted> words_;
};

}  // namespace copse::drivers
