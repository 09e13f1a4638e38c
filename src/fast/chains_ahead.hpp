// Many walks at once for vertices of scattered rows: from the vertex itself, whose first arc is hooked already, and from the next two
// targets of its row, three steps up each, in step with 63 other vertices. Then each is united, over words that have come: a unite that
// went up alone would wait for the memory at every step, three or four times. On a path with ids in random order this is a third less
// time, on other sparse graphs a tenth. As prefetches, the steps never change a result: they may lead over stale words.
#pragma once
#include <copse/views.hpp>
#include <fast/in_flight.hpp>
#include <fast/rules.hpp>

#include <algorithm>
#include <array>
#include <cstddef>

namespace copse::fast {

template <class P, class Id, class Offset>
class chains_ahead {
public:
  /// `words` is the array behind p.
  chains_ahead(csr_view<Id, Offset> g, P p, const Id* words) noexcept : g_{g}, p_{p}, words_{words} {}

  /// f(v), now or later, at last in flush. Precondition: v has two arcs or more.
  template <class F>
  void hold(Id v, F& f) {
    held_[count_++] = v;
    if (count_ == together) flush(f);
  }

  template <class F>
  void flush(F& f) {
    const Offset* const offsets = g_.offsets.data();
    const Id* const targets = g_.targets.data();
    for (std::size_t i = 0; i < count_; ++i) prefetch(targets + offsets[held_[i]]);
    for (std::size_t i = 0; i < count_; ++i) {
      const Id v = held_[i];
      const Offset first = offsets[v], last = offsets[std::size_t{v} + 1];
      go_on(i, {parent_of(p_, v), std::min(v, targets[first + 1]), std::min(v, targets[std::min<Offset>(first + 2, last - 1)])});
    }
    for (unsigned step = 0; step < steps; ++step) {
      for (std::size_t i = 0; i < count_; ++i) {
        const auto [own, next, after] = at_[i];
        go_on(i, {parent_of(p_, own), parent_of(p_, next), parent_of(p_, after)});
      }
    }
    for (std::size_t i = 0; i < count_; ++i) f(held_[i]);
    count_ = 0;
  }

private:
  static constexpr std::size_t together = 64;
  static constexpr unsigned steps = 3;

  /// The three walks of vertex i go on from here.
  void go_on(std::size_t i, std::array<Id, 3> where) {
    for (const Id v : where) prefetch(words_ + v);
    at_[i] = where;
  }

  csr_view<Id, Offset> g_;
  P p_;
  const Id* words_;
  std::array<Id, together> held_;
  std::array<std::array<Id, 3>, together> at_;
  std::size_t count_ = 0;
};

}  // namespace copse::fast
