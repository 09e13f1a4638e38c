// The edges that wrote, for rem_verify: a list that the steps of visit() add to. When it has no room left it is renewed, and the pass over
// the arcs begins again, after the current parents have been added: what they connect needs no other edge, so that a list may lose what it
// held.
#pragma once
#include <finish/rounds.hpp>
#include <loops/bag.hpp>

#include <cstddef>
#include <span>

namespace copse::finish {

/// On the host a step asks for room before it writes, so that the list misses none.
template <class Backend, class Id>
class written_edges {
public:
  explicit written_edges(backend::solve_context<Backend, Id>& context)
      : loops_{context.loops}, edges_{context.loops.threads(), 2 * std::size_t{context.trees.vertices()}, {0, 0}, context.trees.memory()} {}

  class adder {
  public:
    explicit adder(written_edges& to) noexcept : to_{&to} {}
    /// False: report it, and write nothing.
    [[nodiscard]] bool has_room() const noexcept {
      if (to_->edges_.has_room(to_->loops_.thread())) return true;
      to_->no_room_.note();
      return false;
    }
    void operator()(edge<Id> e) const noexcept { to_->edges_.add(to_->loops_.thread(), e); }

  private:
    written_edges* to_;
  };

  /// Before loops that add.
  [[nodiscard]] adder begin() noexcept { return adder{*this}; }
  /// After them: did the list hold all? If not, it will hold more.
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
