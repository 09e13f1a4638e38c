// Many sublists at once on one thread. A walk waits for memory at every element; a thread that keeps k of them going, each fetched as soon
// as its place is known, waits for k at a time. A walk that ends makes room for the next sublist, which threads take from one counter.
#pragma once
#include <list_ranking/sublists.hpp>

#include <array>
#include <atomic>
#include <cstdint>

namespace copse::list_ranking {

inline constexpr unsigned most_in_flight = 256;

/// What the threads of one walk share.
struct walk_state {
  std::atomic<std::uint64_t> taken{0};  ///< sublists
  std::atomic<std::uint64_t> used{0};   ///< numbers of sublists
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

  /// Runs until no sublist is left, on any number of threads.
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

  /// Moves one element on. False: the sublist has ended.
  bool step(lane& l) {
    const word w = records_.load(l.at);
    if (w >= records_.n) [[unlikely]] {
      if (records_.is_start(w)) {
        close(l, static_cast<word>(w - records_.n));
      } else {
        shared_.broken.store(true, std::memory_order_relaxed);  // another walk came here: the element follows two
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
    if (number >= sublists_.capacity) {  // cannot be where every element is seen once
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

}  // namespace copse::list_ranking
