// The finish of every union-find rule: unite the ends of each arc. Vertices that have joined the giant since the vote are passed over
// too: membership never ends. The next arc of a row starts where the last one led.
#pragma once
#include <backend/solving.hpp>
#include <copse/core/rule_traits.hpp>

#include <string_view>

namespace copse::finish {

template <class Unite>
struct united {
  using rule = Unite;
  static constexpr std::string_view name = Unite::name, summary = Unite::summary;
  static constexpr rule_traits traits = Unite::traits;

  template <class Backend, class Id>
  static void settle(backend::solving<Backend, Id>& with, const backend::arc_set<Id>& arcs) {
    const auto p = parents(with.trees);
    backend::visit(
        with.loops, arcs, [p](Id v) { return p.parent(p.load(v)); }, [p](Id u, Id target) { return Unite{}(p, u, target); });
  }

private:
  template <class Trees>
  static auto parents(Trees& trees) {
    if constexpr (traits.aux == aux_array::ranks) {
      return trees.ranked();
    } else if constexpr (traits.aux == aux_array::flags) {
      return trees.flagged();
    } else {
      return trees.plain();
    }
  }
};

}  // namespace copse::finish
