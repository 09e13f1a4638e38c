// Overlaps cache misses: parents and rows of many vertices are prefetched before any of them is used. Some hundred misses then take as long
// as the slowest of them, not as long as their sum. Prefetches never change a result, even if the vertex that a stale word names is
// prefetched.
#pragma once
#include <copse/views.hpp>
#include <fast/passes.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace copse::fast {

template <class T>
inline void prefetch(const T* where) noexcept {
  __builtin_prefetch(where);
}

/// Prefetches a word that the thread will certainly write, and that no other thread uses soon. The line leaves the caches of all other
/// cores at once, so that the store need not request it again.
template <class T>
inline void prefetch_to_write(const T* where) noexcept {
#ifdef __x86_64__
  asm volatile("prefetchw %0" : : "m"(*where));  // __builtin_prefetch emits this only with -mprfchw; processors without it do nothing
#else
  __builtin_prefetch(where, 1);
#endif
}

/// A pass over vertices in order prefetches rows, or the parents of their targets, far_distance vertices before it uses them; and the
/// parents of these parents near_distance vertices before.
inline constexpr std::size_t near_distance = 16, far_distance = 32;

/// Holds vertices whose rows are to be united until 32 or more of them wait. Then prefetches all rows, then the parents of the first two
/// targets in each row, then the parents of these parents, and only then unites each row by f. `Last`: only the last arc of each row is
/// used.
template <class P, class Id, class Offset, bool Last = false>
class in_flight {
public:
  /// `words` is the array of parents that `p` accesses.
  in_flight(csr_view<Id, Offset> g, P p, const Id* words) noexcept : g_{g}, p_{p}, words_{words} {}

  /// Calls f(v) once, in order, for each vertex v of [begin, end) for which wanted(v) holds. Calls may be delayed, at most until flush().
  /// Precondition: such a vertex has arcs.
  template <class Wanted, class F>
  void each(std::size_t begin, std::size_t end, Wanted wanted, F& f) {
    while (begin < end) {
      // The vertex is stored before the predicate is known, to avoid a branch that would be mispredicted half the time.
      std::size_t count = count_;
      for (const std::size_t stop = std::min(end, begin + together); begin < stop; ++begin) {
        held_[count] = static_cast<Id>(begin);
        count += wanted(static_cast<Id>(begin));
      }
      count_ = count;
      if (count_ >= together) flush(f);
    }
  }

  /// Calls f(v) now or later, at most until flush(). Precondition: v has arcs.
  template <class F>
  void hold(Id v, F& f) {
    hold_if(true, v, f);
  }

  /// Calls f(v) like hold(), but only if `wanted`; has no branch on it. Precondition: v has arcs if it is wanted.
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

/// For rows whose targets have parents in no cache (scattered rows). Walks from up to 64 vertices in lockstep, three steps up from each
/// vertex, whose first arc is hooked already, and from the next two targets in its row. Then each row is united over words that have
/// arrived in the cache; a unite on its own would wait for memory at each of three or four steps. This takes a third less time on a path
/// with ids in random order, and a tenth less on other sparse graphs.
template <class P, class Id, class Offset>
class chains_ahead {
public:
  /// `words` is the array of parents that `p` accesses.
  chains_ahead(csr_view<Id, Offset> g, P p, const Id* words) noexcept : g_{g}, p_{p}, words_{words} {}

  /// Calls f(v) now or later, at most until flush(). Precondition: v has at least two arcs.
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

  /// Moves the three walks for vertex held_[i], from the vertex itself and from two of its targets, on to the vertices `where`, and
  /// prefetches the parents of these.
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

// Walks from vertices to their roots, up to 16 at once, so that the cache misses of different walks overlap.

inline constexpr std::size_t walks_together = 16;

/// Replaces each vertex in `at` by the root of its tree. Returns the number of steps of the longest path.
template <class P>
unsigned walk_to_roots(P p, std::span<typename P::id> at) {
  for (unsigned steps = 0;; ++steps) {
    bool moved = false;
    for (auto& v : at) {
      const auto next = parent_of(p, v);
      moved |= next != v;
      v = next;
    }
    if (!moved) return steps;
  }
}

}  // namespace copse::fast
