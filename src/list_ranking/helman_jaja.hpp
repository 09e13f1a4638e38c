// The algorithm of Helman and JaJa: cut the lists at s random splitters, walk the sublists in parallel, rank the splitters, and add to each
// element's rank what comes before its sublist. (Designing practical efficient algorithms for symmetric multiprocessors, ALENEX 1999.)
//
// Invariant: every element of a list is visited by one walk, which began at the last start before it. The lengths of the sublists from a
// head to its tail add up to the length of its list; if the lists have n elements in all, no element lies on a cycle. Counting is done in
// place in the array of ranks. It reads and writes 4n bytes to inspect the list, accesses a cache line per element to walk it, and reads
// and writes 4n bytes again to finish. O(n) work; the longest sublist has about (n / s) ln s elements.
#pragma once
#include <list_ranking/list.hpp>
#include <list_ranking/sublists.hpp>
#include <list_ranking/survey.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

namespace copse::list_ranking {

// A thread walks many sublists at once. A walk waits for memory at every element; a thread with k walks prefetches the next element of
// each, so that it waits for k elements at a time. When a walk ends, its lane (one of the thread's k walks) takes the next sublist from a
// counter that all threads share.
inline constexpr unsigned most_in_flight = 256;

/// The state that the threads of one walk share.
struct walk_state {
  std::atomic<std::uint64_t> taken{0};  ///< number of sublists that threads have taken
  std::atomic<std::uint64_t> used{0};   ///< number of sublists that have been given a number
  std::atomic<bool> broken{false};
};

template <class Records>
class in_flight_walk {
  using word = typename Records::word;
  using value = typename Records::value;
  using lane = typename Records::lane;

public:
  in_flight_walk(Records records, sublist_view<word, value> sublists, std::uint64_t starts, walk_state& shared) noexcept
      : records_{records}, sublists_{sublists}, starts_{starts}, shared_{shared} {}

  /// Runs walks until no sublist is left. Several threads may run objects with the same `shared` at once.
  void run(unsigned lanes) {
    unsigned going = 0;
    while (going < lanes && take(lanes_[going])) ++going;
    while (going != 0) {
      for (unsigned i = 0; i < going;) {
        if (step(lanes_[i]) || take(lanes_[i])) {
          ++i;
        } else {
          lanes_[i] = lanes_[--going];
        }
      }
    }
  }

private:
  static constexpr std::uint64_t taken_at_once = 4;

  bool take(lane& l) {
    for (;;) {
      if (own_ == own_end_) {
        own_ = shared_.taken.fetch_add(taken_at_once, std::memory_order_relaxed);
        if (own_ >= starts_) return own_ = own_end_ = starts_, false;
        own_end_ = std::min(starts_, own_ + taken_at_once);
      }
      const auto j = static_cast<word>(own_++);
      const word start = sublists_.start[j];
      if (start == no_vertex<word>) continue;
      const word next = sublists_.next[j];
      l = records_.begin(start, next, j);
      if (next == start) {
        close(l, no_vertex<word>);
        continue;
      }
      records_.prefetch(next);
      return true;
    }
  }

  /// Moves a lane, one of the walks that the thread interleaves, to its next element. Returns false if its sublist has ended.
  bool step(lane& l) {
    const word w = records_.load(l.at);
    if (w >= records_.n) [[unlikely]] {
      if (records_.is_start(w)) {
        close(l, static_cast<word>(w - records_.n));
      } else {
        shared_.broken.store(true, std::memory_order_relaxed);  // another walk came here, so the element follows two elements
      }
      return false;
    }
    if (records_.is_full(l)) [[unlikely]] {
      if (!continue_anew(l)) return false;
    }
    records_.visit(l);
    if (w == l.at) [[unlikely]] {
      close(l, no_vertex<word>);
      return false;
    }
    l.at = w;
    records_.prefetch(w);
    return true;
  }

  bool continue_anew(lane& l) {
    const std::uint64_t number = shared_.used.fetch_add(1, std::memory_order_relaxed);
    if (number >= sublists_.capacity) {
      // A full sublist goes on under a new number. Walks that visit each of the n elements once cannot use up the numbers, so some elements
      // have been visited twice.
      shared_.broken.store(true, std::memory_order_relaxed);
      return false;
    }
    close(l, static_cast<word>(number));
    records_.go_on(l, static_cast<word>(number));
    return true;
  }

  void close(const lane& l, word next) {
    const auto done = records_.last(l);
    sublists_.next[done.sublist] = next;
    sublists_.length[done.sublist] = done.length;
    if constexpr (!Records::counts) sublists_.value[done.sublist] = done.total;
  }

  Records records_;
  sublist_view<word, value> sublists_;
  std::uint64_t starts_;
  walk_state& shared_;
  std::uint64_t own_ = 0, own_end_ = 0;
  std::array<lane, most_in_flight> lanes_;
};

/// Begins sublists at the heads and the splitters: enters them in `sublists`, and stores a sublist's number at its first element.
template <class Backend, unsigned_index Id, class Records>
void cut(const Backend& loops, std::span<const Id> heads, std::uint64_t splitters, const Records& records,
         sublist_view<typename Records::word, typename Records::value> sublists, std::uint64_t seed) {
  using word = typename Records::word;
  const auto begin_at = [=](word e, word j) {
    const word next = records.load(e);
    const bool taken = records.is_start(next);
    sublists.start[j] = taken ? no_vertex<word> : e;
    sublists.next[j] = taken ? no_vertex<word> : next;
    sublists.length[j] = 0;
    if (!taken) records.mark_start(e, j);
  };
  loops.for_blocks(heads.size(), [=](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) begin_at(static_cast<word>(heads[j]), static_cast<word>(j));
  });
  const random_stream random{seed, 1};
  const std::uint64_t n = records.n, first = heads.size();
  loops.for_blocks(splitters, [=](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k)
      begin_at(static_cast<word>(splitter_of(k, splitters, n, random)), static_cast<word>(first + k));
  });
}

/// Replaces the sublists' totals by the values with which the ranks of their elements begin. Throws broken_list unless the lists have n
/// elements.
template <class Records, class Backend>
void rank_sublists(const Backend& loops, std::size_t heads, std::uint64_t n, rank_origin from,
                   sublist_view<typename Records::word, typename Records::value> sublists) {
  using word = typename Records::word;
  using value = typename Records::value;
  std::atomic<std::uint64_t> reached{0};
  std::atomic<bool> broken{false};
  loops.for_blocks(heads, [=, &reached, &broken](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      std::uint64_t elements = 0;
      value before = 0;
      if constexpr (!Records::counts) before = Records::neutral;
      for (word j = static_cast<word>(k); j != no_vertex<word>; j = sublists.next[j]) {
        const value own = Records::counts ? value{} : sublists.value[j];
        sublists.value[j] = Records::counts ? static_cast<value>(elements) : before;
        elements += sublists.length[j];
        if constexpr (!Records::counts) before = Records::together(before, own);
        if (elements > n) break;
      }
      reached.fetch_add(elements, std::memory_order_relaxed);
      if (elements > n) {
        broken.store(true, std::memory_order_relaxed);
      } else if (Records::counts && from == rank_origin::end) {
        for (word j = static_cast<word>(k); j != no_vertex<word>; j = sublists.next[j])
          sublists.value[j] = static_cast<value>(elements - 1 - static_cast<std::uint64_t>(sublists.value[j]));
      }
    }
  });
  if (broken.load(std::memory_order_relaxed) || reached.load(std::memory_order_relaxed) != n) throw broken_list{};
}

/// Walks the sublists and ranks them. Precondition: cut() has begun `starts` sublists, whose first elements are marked. Higher numbers are
/// for the continuations of long sublists.
template <class Backend, class Records>
void walk_and_rank(const Backend& loops, std::size_t heads, std::uint64_t starts, const Records& records,
                   sublist_view<typename Records::word, typename Records::value> sublists, const list_settings& tuning,
                   list_outcome& report) {
  {
    const phase_timer timing{report.phases, "walk"};
    walk_state shared;
    shared.used.store(starts, std::memory_order_relaxed);
    loops.for_chunks(loops.threads(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t worker = begin; worker < end; ++worker) in_flight_walk{records, sublists, starts, shared}.run(tuning.in_flight);
    });
    if (shared.broken.load(std::memory_order_relaxed)) throw broken_list{};
  }
  const phase_timer timing{report.phases, "splitters"};
  rank_sublists<Records>(loops, heads, records.n, tuning.from, sublists);
}

/// Ranks by counting the elements before or after each element in its list, by sublists with records of one Word per element: in the array
/// `ranks` itself if Word is as wide as Id, otherwise in an array of its own. Returns false if a Word is too narrow for the number of
/// elements and lists.
template <class Word, class Backend, unsigned_index Id>
bool count_by_sublists(const Backend& loops, std::span<const Id> successors, std::span<Id> ranks, const list_settings& tuning,
                       list_outcome& report) {
  const std::uint64_t n = successors.size();
  buffer<Word> apart;
  if constexpr (sizeof(Word) != sizeof(Id)) apart = buffer<Word>{n, tuning.memory};
  Word* words = apart.data();
  if constexpr (sizeof(Word) == sizeof(Id)) words = ranks.data();
  if (local_bits_for(n, 1, std::numeric_limits<Word>::digits, 1) == no_local_bits) return false;
  survey seen;
  buffer<Id> heads;
  {
    const phase_timer timing{report.phases, "check"};
    seen = look_at(loops, successors, [words](Id e, Id s) { words[e] = s; });
    heads = heads_of(loops, successors, seen, tuning.memory);
  }
  report.lists = heads.size();
  const std::uint64_t splitters = std::min<std::uint64_t>(tuning.splitters, n), starts = heads.size() + splitters;
  const unsigned local = local_bits_for(n, starts, std::numeric_limits<Word>::digits, tuning.local_bits_at_most);
  if (local == no_local_bits) return false;
  const counted_records<Word> records{words, static_cast<Word>(n), local};
  sublist_arrays<Word, Word> arrays{starts + (n >> local) + 1, tuning.memory};
  const auto sublists = arrays.view();
  {
    const phase_timer timing{report.phases, "cut"};
    cut(loops, std::span<const Id>{heads.span()}, splitters, records, sublists, tuning.seed);
  }
  walk_and_rank(loops, heads.size(), starts, records, sublists, tuning, report);
  const phase_timer timing{report.phases, "combine"};
  const bool to_end = tuning.from == rank_origin::end;
  Id* const out = ranks.data();
  const Word* const base = sublists.value;
  loops.for_blocks(n, [=](std::size_t begin, std::size_t end) {
    for (std::size_t e = begin; e < end; ++e) {
      const auto at = records.find(e);
      out[e] = static_cast<Id>(to_end ? base[at.sublist] - at.local : base[at.sublist] + at.local);
    }
  });
  return true;
}

/// Sets out[e] to the sum of all weights from the head of e's list to e, both included. Word may have 32 bits if n plus the number of
/// sublists is below 2^31.
template <class Op, class Word, class Backend, unsigned_index Id, class Weights>
void scan_by_sublists(const Backend& loops, std::span<const Id> successors, Weights weights, std::span<typename Weights::value> out,
                      const list_settings& tuning, list_outcome& report) {
  using records_type = scanned_records<Word, typename Weights::value, Op>;
  const std::uint64_t n = successors.size();
  buffer<typename records_type::record> all{n, tuning.memory};
  buffer<Id> heads;
  {
    const phase_timer timing{report.phases, "check"};
    auto* const to = all.data();
    const survey seen = look_at(loops, successors, [to, weights](Id e, Id s) { to[e] = {static_cast<Word>(s), weights(e, s == e)}; });
    heads = heads_of(loops, successors, seen, tuning.memory);
  }
  report.lists = heads.size();
  const std::uint64_t splitters = std::min<std::uint64_t>(tuning.splitters, n), starts = heads.size() + splitters;
  const records_type records{all.data(), static_cast<Word>(n)};
  sublist_arrays<Word, typename Weights::value> arrays{starts, tuning.memory};
  const auto sublists = arrays.view();
  {
    const phase_timer timing{report.phases, "cut"};
    cut(loops, std::span<const Id>{heads.span()}, splitters, records, sublists, tuning.seed);
  }
  walk_and_rank(loops, heads.size(), starts, records, sublists, tuning, report);
  const phase_timer timing{report.phases, "combine"};
  loops.for_blocks(n, [=](std::size_t begin, std::size_t end) {
    for (std::size_t e = begin; e < end; ++e) {
      const auto at = records.find(e);
      out[e] = Op::of(sublists.value[at.sublist], at.local);
    }
  });
}

}  // namespace copse::list_ranking
