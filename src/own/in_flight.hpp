// Several vertices in flight: a vertex that needs its row united is held until 32 of them wait; then all rows are asked for, then the
// parents of their first two targets, then the parents' parents, and only then is each united. A miss costs what the slowest of some
// hundred costs, not the sum. Prefetches never change a result: they may name stale words.
#pragma once
#include <copse/graph/csr.hpp>

#include <algorithm>
#include <array>
#include <cstddef>

namespace copse::own {

template <class T>
inline void prefetch(const T* where) noexcept {
  __builtin_prefetch(where);
}

/// How far ahead of their use parents and rows are asked for, in arcs or vertices.
inline constexpr std::size_t near_distance = 16, far_distance = 32;

template <bool Ahead, class P, class Id, class Offset>
class in_flight {
public:
  /// `words` is the array behind p.
  in_flight(csr_view<Id, Offset> g, P p, const Id* words) noexcept : g_{g}, p_{p}, words_{words} {}

  /// f(v), if it is wanted, now or in a later add or flush. Precondition: a vertex that is wanted has arcs.
  template <class F>
  void add(Id v, bool wanted, F& f) {
    if constexpr (Ahead) {
      held_[count_] = v;  // counts only if wanted: without a branch
      count_ += wanted;
      if (count_ == held_.size()) flush(f);
    } else {
      if (wanted) f(v);
    }
  }

  template <class F>
  void flush(F& f) {
    const Offset* const offsets = g_.offsets.data();
    const Id* const targets = g_.targets.data();
    for (std::size_t i = 0; i < count_; ++i) prefetch(targets + offsets[held_[i]]);
    for (std::size_t i = 0; i < count_; ++i) {
      const Offset first = offsets[held_[i]], last = offsets[held_[i] + 1];
      first_[i] = targets[first];
      second_[i] = targets[std::min<Offset>(first + 1, last - 1)];
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
  static constexpr std::size_t together = Ahead ? 32 : 1;

  csr_view<Id, Offset> g_;
  P p_;
  const Id* words_;
  std::array<Id, together> held_, first_, second_;
  std::size_t count_ = 0;
};

}  // namespace copse::own
