// Where trees are chains from chunk to chunk (lattices in row order, webs of near links), the vertices of a chunk all climb the same
// few chains. What a thread found out is kept for the next of its vertices, by the first step of the climb, in a table that lies in the
// core's own cache: storing it in the trees would have many threads write the same words (four times slower where all meet at a hub).
// Precondition of use: trees are only ever joined meanwhile, so that what was an ancestor stays one.
#pragma once
#include <copse/extend/rules/find/naive.hpp>
#include <fast/rules.hpp>

#include <array>
#include <cstddef>

namespace copse::fast {

template <class P>
class known_roots {
public:
  using id = typename P::id;

  /// An ancestor of `above` that was a root when it was looked for. `parent`: the step before `above`.
  [[gnu::noinline, gnu::cold]] id root(P p, id parent, id above) {
    if (!cleared_) {
      known_.fill({0, 0});
      cleared_ = true;
    }
    entry& mine = known_[parent % entries];
    // Vertex 0 is a root for ever and never climbs, so that a zero is no entry.
    if (mine.from != parent) mine = {parent, find::naive{}(p, above)};
    return mine.to;
  }

private:
  struct entry {
    id from, to;
  };
  static constexpr std::size_t entries = 2048;

  std::array<entry, entries> known_;  // filled at its first use: few blocks have long climbs
  bool cleared_ = false;
};

}  // namespace copse::fast
