// What the rules that work in rounds share: each edge's two labels, and whether a round changed anything.
#pragma once
#include <backend/solving.hpp>

#include <atomic>
#include <cstddef>

namespace copse::finish {

/// Set by any thread, read by one after the loop.
class changes {
public:
  void note() noexcept {
    if (!any_.load(std::memory_order_relaxed)) any_.store(true, std::memory_order_relaxed);
  }
  /// Since the last call?
  bool happened() noexcept { return any_.exchange(false, std::memory_order_relaxed); }

private:
  std::atomic<bool> any_{false};
};

/// f(u, v) for every arc of the set, both under the names that rounds know (the giant is vertex 0).
template <class Backend, class Id, class F>
void for_arcs(backend::solving<Backend, Id>& with, const backend::arc_set<Id>& arcs, F f) {
  const auto p = with.trees.plain();
  backend::visit(
      with.loops, arcs, [=](Id v) { return arcs.renamed(p.load(arcs.renamed(v))); },
      [=](Id u, Id target) {
        f(arcs.renamed(u), arcs.renamed(target));
        return u;
      });
}

/// f(v) for every vertex.
template <class Backend, class Id, class F>
void for_vertices(backend::solving<Backend, Id>& with, F f) {
  with.loops.for_blocks(with.trees.vertices(), [f](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) f(static_cast<Id>(v));
  });
}

}  // namespace copse::finish
