// Several vertices in flight: a vertex that needs its row united is held until 32 of them wait; then all rows are asked for, then all
// parents of their targets, then the parents' parents, and only then is each united. A miss costs what the slowest of some hundred costs,
// not the sum. Prefetches never change a result: they may name stale words.
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
  /// `words` is the array behind p; at most `arcs` arcs of each row are asked for.
  in_flight(csr_view<Id, Offset> g, P p, const Id* words, std::size_t arcs) noexcept
      : g_{g}, p_{p}, words_{words}, arcs_{std::min(arcs, most_arcs)} {}

  /// f(v), now or in a later add or flush.
  template <class F>
  void add(Id v, F& f) {
    if constexpr (Ahead) {
      prefetch(g_.targets.data() + g_.offsets[v]);
      held_[count_++] = v;
      if (count_ == held_.size()) flush(f);
    } else {
      f(v);
    }
  }

  template <class F>
  void flush(F& f) {
    each_target([this](Id t) { prefetch(words_ + t); });
    each_target([this](Id t) { prefetch(words_ + p_.parent(p_.load(t))); });
    for (std::size_t i = 0; i < count_; ++i) f(held_[i]);
    count_ = 0;
  }

private:
  static constexpr std::size_t most_arcs = 4;

  template <class F>
  void each_target(F f) const {
    for (std::size_t i = 0; i < count_; ++i) {
      const std::size_t first = g_.offsets[held_[i]];
      const std::size_t last = std::min<std::size_t>(g_.offsets[held_[i] + 1], first + arcs_);
      for (std::size_t a = first; a < last; ++a) f(g_.targets[a]);
    }
  }

  csr_view<Id, Offset> g_;
  P p_;
  const Id* words_;
  std::size_t arcs_;
  std::array<Id, 32> held_;
  std::size_t count_ = 0;
};

}  // namespace copse::own
