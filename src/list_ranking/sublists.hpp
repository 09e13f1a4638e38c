// The data of the helman_jaja algorithms: a record for each element, and the sublists by number, first those that begin at heads, then
// those at splitters, then the continuations of sublists that outgrew their place.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/memory.hpp>
#include <copse/types.hpp>
#include <core/random.hpp>
#include <list_ranking/list.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace copse::list_ranking {

/// Access to words that threads share. The accesses are relaxed, because other threads read the words only after the loop that wrote them.
/// On a GPU the loads bypass the L1 cache, which would keep a whole line for one word.
template <class T>
COPSE_HOST_DEVICE inline T shared_load(const T& from) noexcept {
#if defined(__CUDA_ARCH__)
  return __ldcg(&from);
#else
  return std::atomic_ref<T>{const_cast<T&>(from)}.load(std::memory_order_relaxed);
#endif
}

template <class T>
COPSE_HOST_DEVICE inline void shared_store(T& to, T value) noexcept {
#if defined(__CUDA_ARCH__)
  __stcg(&to, value);
#else
  std::atomic_ref<T>{to}.store(value, std::memory_order_relaxed);
#endif
}

// The record of an element while sublists are walked is small, and is read and written in place, so that a visit touches one place in
// memory. Before the visit it holds the successor. After the visit it holds the sublist and what the walk has summed up, with the top bit
// set. The start of a sublist holds n + the number of its sublist instead, before, during and after the walks. A walk that comes to such a
// record stops and knows which sublist follows. Successors are below n, and n + number below 2^(bits - 1), so the cases are distinct; a
// second walk recognises a visited element by its top bit.
//
// A record of counted_records is one word, whose bits are divided between sublist and position. A sublist that has more elements than
// positions continues under another number. The records of scanned_records have a weight in addition to the word.

/// The result of a walk when its sublist ends; `total` is the weight of the whole sublist.
template <class Word, class V>
struct walked {
  Word sublist, length;
  V total;
};

template <class Word>
struct counted_records {
  using word = Word;
  using value = Word;
  using operation = sum;
  static constexpr bool counts = true;
  static constexpr unsigned word_bits = std::numeric_limits<Word>::digits;
  static constexpr Word visited = Word{1} << (word_bits - 1);

  Word* words;
  Word n;
  unsigned local_bits;  ///< bits of a word for the position; the top bit marks a visit, the others are for the sublist

  struct lane {
    Word at;
    Word stamp;  ///< what the next visit stores in the word of element `at`: sublist, position there, and the top bit, which marks a visit
  };

  [[nodiscard]] COPSE_HOST_DEVICE Word load(Word e) const noexcept { return shared_load(words[e]); }
  COPSE_HOST_DEVICE void prefetch([[maybe_unused]] Word e) const noexcept {
#if !defined(__CUDA_ARCH__)
    __builtin_prefetch(words + e, 1);
#endif
  }
  COPSE_HOST_DEVICE void mark_start(Word e, Word sublist) const noexcept { shared_store(words[e], static_cast<Word>(n + sublist)); }
  [[nodiscard]] COPSE_HOST_DEVICE bool is_start(Word w) const noexcept { return w >= n && w < visited; }

  /// Returns the state of a walk that has begun a sublist and is at the element `at` after its start. Positions count from 0 at the start.
  [[nodiscard]] COPSE_HOST_DEVICE lane begin(Word /*start*/, Word at, Word sublist) const noexcept {
    return {at, static_cast<Word>(first_stamp(sublist) + 1)};
  }
  /// True if no position is left for the next element; then go_on() must be called first.
  [[nodiscard]] COPSE_HOST_DEVICE bool is_full(const lane& l) const noexcept { return (l.stamp & mask()) == 0; }
  COPSE_HOST_DEVICE void go_on(lane& l, Word sublist) const noexcept { l.stamp = first_stamp(sublist); }
  COPSE_HOST_DEVICE void visit(lane& l) const noexcept {
    shared_store(words[l.at], l.stamp);
    ++l.stamp;
  }
#if defined(__CUDACC__)
  /// Stores the visit in the word of a walk's current element and returns what was there: one memory access for which a walk on a GPU
  /// waits, instead of two (16 % less time, measured). If the element is the start of a sublist or has been visited, its word is restored.
  /// Otherwise the result is its successor, and visited_by_exchange() must follow.
  [[nodiscard]] __device__ Word exchange(const lane& l) const noexcept {
    const Word w = atomicExch(words + l.at, l.stamp);
    if (w >= n) shared_store(words[l.at], w);
    return w;
  }
  __device__ void visited_by_exchange(lane& l) const noexcept { ++l.stamp; }
#endif
  [[nodiscard]] COPSE_HOST_DEVICE walked<Word, Word> last(const lane& l) const noexcept {
    const Word before = static_cast<Word>(l.stamp - 1);
    return {static_cast<Word>((before & static_cast<Word>(~visited)) >> local_bits), static_cast<Word>((before & mask()) + 1), 0};
  }

  /// The sublist of element e and its position there, after all walks.
  struct place {
    Word sublist, local;
  };
  [[nodiscard]] COPSE_HOST_DEVICE place find(std::size_t e) const noexcept { return place_of(words[e]); }
  [[nodiscard]] COPSE_HOST_DEVICE place place_of(Word w) const noexcept {
    if ((w & visited) == 0) return {static_cast<Word>(w - n), 0};
    return {static_cast<Word>((w & static_cast<Word>(~visited)) >> local_bits), static_cast<Word>(w & mask())};
  }

private:
  [[nodiscard]] COPSE_HOST_DEVICE Word mask() const noexcept { return (Word{1} << local_bits) - 1; }
  [[nodiscard]] COPSE_HOST_DEVICE Word first_stamp(Word sublist) const noexcept {
    return static_cast<Word>(visited | (sublist << local_bits));
  }
};

template <class Word, class V, class Op>
struct scanned_records {
  using word = Word;
  using value = V;
  using operation = Op;
  static constexpr bool counts = false;
  static constexpr V neutral = Op::template neutral<V>;
  COPSE_HOST_DEVICE static constexpr V together(V a, V b) noexcept { return Op::of(a, b); }
  static constexpr Word visited = Word{1} << (std::numeric_limits<Word>::digits - 1);

  struct record {
    Word next;
    V weight;  ///< after the visit: the sum of the weights from the start of the sublist to this element
  };
  record* all;
  Word n;

  struct lane {
    Word at;
    Word sublist, length;
    V total;
  };

  [[nodiscard]] COPSE_HOST_DEVICE Word load(Word e) const noexcept { return shared_load(all[e].next); }
  COPSE_HOST_DEVICE void prefetch([[maybe_unused]] Word e) const noexcept {
#if !defined(__CUDA_ARCH__)
    __builtin_prefetch(all + e, 1);
#endif
  }
  COPSE_HOST_DEVICE void mark_start(Word e, Word sublist) const noexcept { shared_store(all[e].next, static_cast<Word>(n + sublist)); }
  [[nodiscard]] COPSE_HOST_DEVICE bool is_start(Word w) const noexcept { return w >= n && w < visited; }

  [[nodiscard]] COPSE_HOST_DEVICE lane begin(Word start, Word at, Word sublist) const noexcept {
    return {at, sublist, 1, shared_load(all[start].weight)};
  }
  [[nodiscard]] COPSE_HOST_DEVICE bool is_full(const lane&) const noexcept { return false; }
  COPSE_HOST_DEVICE void go_on(lane&, Word) const noexcept {}
  COPSE_HOST_DEVICE void visit(lane& l) const noexcept {
    record& r = all[l.at];
    l.total = Op::of(l.total, shared_load(r.weight));
    shared_store(r.weight, l.total);
    shared_store(r.next, static_cast<Word>(visited | l.sublist));
    ++l.length;
  }
  [[nodiscard]] COPSE_HOST_DEVICE walked<Word, V> last(const lane& l) const noexcept { return {l.sublist, l.length, l.total}; }

  struct place {
    Word sublist;
    V local;
  };
  [[nodiscard]] COPSE_HOST_DEVICE place find(std::size_t e) const noexcept {
    const record r = all[e];
    return {static_cast<Word>((r.next & visited) != 0 ? r.next & static_cast<Word>(~visited) : r.next - n), r.weight};
  }
};

// A splitter is drawn at random from each of s equal parts of the array, so that all splitters are different and in ascending order. A
// splitter that is the head of a list is not used, because a sublist starts there anyway.

/// Returns the splitter, the random element at which a sublist starts, in part number `part` of `parts` equal parts of the n elements.
COPSE_HOST_DEVICE inline std::uint64_t splitter_of(std::uint64_t part, std::uint64_t parts, std::uint64_t n,
                                                   random_stream random) noexcept {
  const auto border = [=](std::uint64_t p) { return n / parts * p + (p < n % parts ? p : n % parts); };
  const std::uint64_t first = border(part);
  return first + random.below(part, border(part + 1) - first);
}

template <class Word, class V>
struct sublist_view {
  Word* start;   ///< each sublist's first element; all ones for a number that no sublist has
  Word* next;    ///< before the walk the element after `start`, after it the sublist that follows; all ones at the end of a list
  Word* length;  ///< number of elements
  V* value;      ///< the sum of the weights; after ranking, the value with which the ranks of its elements begin
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

/// Returns how many bits of a word of `word_bits` bits are for positions within a sublist: as many as possible, but at most `most`, such
/// that the other bits can number `starts` sublists and the continuations of sublists with more elements than positions. Returns
/// no_local_bits if the word is too narrow.
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
