// What a helman_jaja walks on: a record for each element, and the sublists by number: the lists' heads first, then the splitters, then what
// outgrew its place.
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

/// Words that threads share. Relaxed: the words are read only after the loops that wrote them. On a GPU the loads go past the nearest
/// cache, which would keep a whole line for one word.
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

// What stands for an element while sublists are walked: one small record, read and written where it lies, so that a visit touches one place
// in memory and nothing else. Before the visit it holds the successor; after it, the sublist and what the walk had gathered there, with the
// top bit set. The start of a sublist holds n + the number of its sublist instead, from before the walks to the end, and so tells the walk
// that comes upon it to stop, and which sublist follows. Successors are below n and n + sublists below 2^(bits - 1), so no two are
// confused; an element that a second walk comes upon is seen by its top bit.
//
// counted_records are one word: sublist and place in it share its bits. A sublist that outgrows its place goes on under another number.
// scanned_records carry weights in addition to the word.

/// What a walk hands in when its sublist ends: `total` is the sublist's whole weight.
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
  unsigned local_bits;  ///< bits of the place; all others but one are the sublist's

  struct lane {
    Word at;
    Word stamp;  ///< what the next visit writes
  };

  [[nodiscard]] COPSE_HOST_DEVICE Word load(Word e) const noexcept { return shared_load(words[e]); }
  COPSE_HOST_DEVICE void prefetch([[maybe_unused]] Word e) const noexcept {
#if !defined(__CUDA_ARCH__)
    __builtin_prefetch(words + e, 1);
#endif
  }
  COPSE_HOST_DEVICE void mark_start(Word e, Word sublist) const noexcept { shared_store(words[e], static_cast<Word>(n + sublist)); }
  [[nodiscard]] COPSE_HOST_DEVICE bool is_start(Word w) const noexcept { return w >= n && w < visited; }

  /// A lane at the element after the start; the start itself has place 0.
  [[nodiscard]] COPSE_HOST_DEVICE lane begin(Word /*start*/, Word at, Word sublist) const noexcept {
    return {at, static_cast<Word>(first_stamp(sublist) + 1)};
  }
  /// True if no place is left for the next element, which is then handled by go_on().
  [[nodiscard]] COPSE_HOST_DEVICE bool is_full(const lane& l) const noexcept { return (l.stamp & mask()) == 0; }
  COPSE_HOST_DEVICE void go_on(lane& l, Word sublist) const noexcept { l.stamp = first_stamp(sublist); }
  COPSE_HOST_DEVICE void visit(lane& l) const noexcept {
    shared_store(words[l.at], l.stamp);
    ++l.stamp;
  }
#if defined(__CUDACC__)
  /// The load and the visit in one turn of the memory system, which on a GPU is what a walk waits for (16 % less, measured); what a start
  /// holds is put back. visited_by_exchange() follows where it was none.
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

  /// Where element e was seen, once all have been.
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
    V weight;  ///< after the visit: of all from the start of the sublist to here
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

// Splitters: one in each of s equal parts of the array, at a random place of it, so that all differ and their records are in ascending
// order. A splitter that is a head already stays unused.

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
  V* value;      ///< the total of the weights; when sublists are ranked, what its elements' ranks begin with
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
