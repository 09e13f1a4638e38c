// Unites a batch of edges whose ids index the words, in blocks that fit the first-level cache. Most edges of most graphs join vertices
// that have the same parent already: a first pass over a block finds these without a branch, so that the loads of many edges overlap and
// no branch is mispredicted; only the others go through the rule, whose words the first pass has loaded into the cache.
#pragma once
#include <copse/views.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "rules.hpp"

namespace copse::streaming {

inline constexpr std::size_t block_edges = 256;
inline constexpr std::size_t edges_ahead = 32;

/// `present(v)` makes sure that v exists, or returns false to stop here. Returns whether the whole batch was united.
template <bool Shared, class Words, class EdgeId, class Present>
bool unite_batch(Words words, std::span<const edge<EdgeId>> batch, Present present) {
  using id = typename Words::id;
  const parents_of<Shared, Words> parents{words};
  std::array<std::uint16_t, block_edges> open;
  for (std::size_t begin = 0; begin < batch.size(); begin += block_edges) {
    const auto block = batch.subspan(begin, std::min(block_edges, batch.size() - begin));
    std::size_t open_count = 0;
    for (std::size_t i = 0; i < block.size(); ++i) {
      const auto later = batch[std::min(begin + i + edges_ahead, batch.size() - 1)];
      prefetch(words, static_cast<id>(later.u));
      prefetch(words, static_cast<id>(later.v));
      const id above_u = parents.load(static_cast<id>(block[i].u));
      const id above_v = parents.load(static_cast<id>(block[i].v));
      open[open_count] = static_cast<std::uint16_t>(i);
      open_count += static_cast<std::size_t>(above_u != above_v) | static_cast<std::size_t>(above_u == no_vertex<id>);  // or absent
    }
    for (std::size_t k = 0; k < open_count; ++k) {
      const id u = static_cast<id>(block[open[k]].u);
      const id v = static_cast<id>(block[open[k]].v);
      if (!present(u) || !present(v)) return false;
      unite_rule<Shared>{}(parents, u, v);
    }
  }
  return true;
}

}  // namespace copse::streaming
