// Several vertices in flight: vertices that need their rows united are held until 32 or more of them wait; then all rows are prefetched,
// then the parents of the first two targets that f will unite, then the parents' parents, and only then is each united. A miss costs what
// the slowest of some hundred costs, not the sum. Prefetches never change a result: they may name stale words.
#pragma once
#include <copse/views.hpp>

#include <algorithm>
#include <array>
#include <cstddef>

namespace copse::fast {

template <class T>
inline void prefetch(const T* where) noexcept {
  __builtin_prefetch(where);
}

/// How far ahead of their use parents and rows are prefetched, in arcs or vertices.
inline constexpr std::size_t near_distance = 16, far_distance = 32;

/// `Last`: of each row only the last arc is looked at.
template <class P, class Id, class Offset, bool Last = false>
class in_flight {
public:
  /// `words` is the array behind p.
  in_flight(csr_view<Id, Offset> g, P p, const Id* words) noexcept : g_{g}, p_{p}, words_{words} {}

  /// f(v) for the vertices of [begin, end) for which wanted(v) holds, called once for each in order; f may come later, at last in flush.
  /// Precondition: such a vertex has arcs.
  template <class Wanted, class F>
  void each(std::size_t begin, std::size_t end, Wanted wanted, F& f) {
    while (begin < end) {
      std::size_t count = count_;  // stored before the predicate is known: no branch, which would be mispredicted half the time
      for (const std::size_t stop = std::min(end, begin + together); begin < stop; ++begin) {
        held_[count] = static_cast<Id>(begin);
        count += wanted(static_cast<Id>(begin));
      }
      count_ = count;
      if (count_ >= together) flush(f);
    }
  }

  /// f(v), now or later, at last in flush. Precondition: v has arcs.
  template <class F>
  void hold(Id v, F& f) {
    hold_if(true, v, f);
  }

  /// The same if `wanted`, without a branch on it. Precondition: v then has arcs.
  template <class F>
  void hold_if(bool wanted, Id v, F& f) {
    held_[count_] = v;
    count_ += wanted;
    if (count_ >= together) flush(f);
  }

  template <class F>
  void flush(F& f) {
    const Offset* const offsets = g_.offsets.data();
    const Id* const targets = g_.targets.data();
    for (std::size_t i = 0; i < count_; ++i) {
      prefetch(targets + (Last ? offsets[std::size_t{held_[i]} + 1] - 1 : offsets[held_[i]]));
    }
    for (std::size_t i = 0; i < count_; ++i) {
      const Offset first = offsets[held_[i]], last = offsets[std::size_t{held_[i]} + 1];
      first_[i] = targets[Last ? last - 1 : first];
      second_[i] = Last ? held_[i] : targets[std::min<Offset>(first + 1, last - 1)];
      prefetch(words_ + first_[i]);
      prefetch(words_ + second_[i]);
    }
    for (std::size_t i = 0; i < count_; ++i) {
      prefetch(words_ + p_.parent(p_.load(first_[i])));
      prefetch(words_ + p_.parent(p_.load(second_[i])));
    }
    for (std::size_t i = 0; i < count_; ++i) f(held_[i]);
    count_ = 0;
  }

private:
  static constexpr std::size_t together = 32;

  csr_view<Id, Offset> g_;
  P p_;
  const Id* words_;
  std::array<Id, 2 * together> held_, first_, second_;
  std::size_t count_ = 0;
};

}  // namespace copse::fast
