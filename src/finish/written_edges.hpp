// The edges that wrote to parents, for rem_verify: a list that the steps of visit() add to. If it has no room left it is replaced by a
// larger one, and the pass over the arcs begins again, after the current parents have been added as edges. These connect everything that
// the lost edges connected, so a list may lose its edges.
#pragma once
#include <finish/rounds.hpp>
#include <loops/bag.hpp>

#include <cstddef>
#include <span>

namespace copse::finish {

/// The list of edges for which a step has written to a parent, to be verified later (rem_verify.hpp). On the host, a step calls has_room()
/// before it writes, so that no such edge is missing from the list.
template <class Backend, class Id>
class written_edges {
public:
  explicit written_edges(backend::solve_context<Backend, Id>& context)
      : loops_{context.loops}, edges_{context.loops.threads(), 2 * std::size_t{context.trees.vertices()}, {0, 0}, context.trees.memory()} {}

  class adder {
  public:
    explicit adder(written_edges& to) noexcept : to_{&to} {}
    /// Returns false if the list has no room for another edge of this thread; the caller must then not write to a parent, and the list is
    /// made larger after the loop.
    [[nodiscard]] bool has_room() const noexcept {
      if (to_->edges_.has_room(to_->loops_.thread())) return true;
      to_->no_room_.note();
      return false;
    }
    void operator()(edge<Id> e) const noexcept { to_->edges_.add(to_->loops_.thread(), e); }

  private:
    written_edges* to_;
  };

  /// Returns the functor by which a loop over arcs adds edges to the list.
  [[nodiscard]] adder begin() noexcept { return adder{*this}; }
  /// Called after loops that add edges. Returns true if the list had room for all of them; otherwise makes it larger.
  bool held_all() {
    if (!no_room_.happened()) return true;
    edges_.grow();
    return false;
  }
  [[nodiscard]] std::span<const edge<Id>> edges() noexcept { return edges_.items(); }

private:
  const Backend& loops_;
  backend::bag<edge<Id>> edges_;
  changes no_room_;
};

}  // namespace copse::finish
