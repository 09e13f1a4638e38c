// Which places of a tour hold arcs that lead down, one bit per place, and how many there are up to a place. Each word of bits is stored
// next to the count of those before it, so that a query touches one cache line of an array of a few bytes per vertex, which caches hold:
// this replaces a second list ranking, with weights.
#pragma once
#include <copse/memory.hpp>
#include <copse/types.hpp>

#include <atomic>
#include <bit>
#include <limits>

namespace copse::drivers {

template <class Loops, unsigned_index Word>
class down_arcs {
public:
  down_arcs(const Loops& loops, std::size_t places, std::pmr::memory_resource* memory) : words_{(places + digits - 1) / digits, memory} {
    loops.for_blocks(words_.size(), [words = words_.data()](std::size_t begin, std::size_t end) {
      for (std::size_t w = begin; w < end; ++w) words[w] = {0, 0};
    });
  }
  /// From any thread.
  void set(Word place) noexcept {
    Word& bits = words_[place / digits].bits;
    const Word bit = Word{1} << place % digits;
    if constexpr (Loops::concurrent) {
      std::atomic_ref<Word>{bits}.fetch_or(bit, std::memory_order_relaxed);
    } else {
      bits |= bit;
    }
  }
  /// Once all are set.
  void count() noexcept {
    Word before = 0;
    for (counted& w : words_) {
      w.before = before;
      before = static_cast<Word>(before + static_cast<Word>(std::popcount(w.bits)));
    }
  }
  /// Set places up to this one, itself included.
  [[nodiscard]] Word through(Word place) const noexcept {
    const counted& w = words_[place / digits];
    return static_cast<Word>(w.before + static_cast<Word>(std::popcount(static_cast<Word>(w.bits << (digits - 1 - place % digits)))));
  }

private:
  static constexpr unsigned digits = std::numeric_limits<Word>::digits;
  struct counted {
    Word before, bits;
  };
  buffer<counted> words_;
};

}  // namespace copse::drivers
