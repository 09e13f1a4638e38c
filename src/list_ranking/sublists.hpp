// The sublists of a helman_jaja, by number: the lists' heads first, then the splitters, then what outgrew its place.
//
// Splitters: one in each of s equal parts of the array, at a random place of it, so that all differ and their records lie in ascending
// order. A splitter that is a head already stays unused.
#pragma once
#include <copse/memory.hpp>
#include <copse/types.hpp>
#include <core/random.hpp>
#include <list_ranking/records.hpp>

#include <algorithm>
#include <cstdint>

namespace copse::list_ranking {

/// The element of part `part` of `parts` that is a splitter.
COPSE_HOST_DEVICE inline std::uint64_t splitter_of(std::uint64_t part, std::uint64_t parts, std::uint64_t n,
                                                   random_stream random) noexcept {
  const auto border = [=](std::uint64_t p) { return n / parts * p + (p < n % parts ? p : n % parts); };
  const std::uint64_t first = border(part);
  return first + random.below(part, border(part + 1) - first);
}

template <class Word, class V>
struct sublist_view {
  Word* start;   ///< all ones: unused
  Word* next;    ///< before the walk the element after the start, afterwards the sublist that follows; all ones at the end of a list
  Word* length;  ///< elements
  V* value;      ///< of the weights the total; when sublists are ranked, what its elements' ranks begin with
  Word capacity;
};

template <class Word, class V>
class sublist_arrays {
public:
  sublist_arrays(std::uint64_t capacity, std::pmr::memory_resource* memory)
      : start_{capacity, memory}, next_{capacity, memory}, length_{capacity, memory}, value_{capacity, memory} {}
  [[nodiscard]] sublist_view<Word, V> view() noexcept {
    return {start_.data(), next_.data(), length_.data(), value_.data(), static_cast<Word>(start_.size())};
  }

private:
  buffer<Word> start_, next_, length_;
  buffer<V> value_;
};

/// How many bits of a word of `word_bits` count places, so that `starts` sublists and all that outgrow their place have numbers: as many as
/// can be, but `most` at most; nothing when the word is too narrow.
inline constexpr unsigned no_local_bits = 0;
inline unsigned local_bits_for(std::uint64_t n, std::uint64_t starts, unsigned word_bits, unsigned most) noexcept {
  const unsigned bits = word_bits - 1;
  if (n + starts + 1 >= std::uint64_t{1} << bits) return no_local_bits;
  for (unsigned local = std::min(bits - 1, std::max(most, 1u)); local > 0; --local) {
    if (starts + (n >> local) + 1 <= std::uint64_t{1} << (bits - local)) return local;
  }
  return no_local_bits;
}

}  // namespace copse::list_ranking
