// Unites a batch of edges whose ids index the words, in blocks that fit the first-level cache. Most edges of most graphs join vertices
// that have the same parent already: a first pass over a block finds these without a branch, so that the loads of many edges overlap and
// no branch is mispredicted; only the others go through the rule, whose words the first pass has loaded into the cache.
#pragma once
#include <copse/views.hpp>
#include <fast/unite_list.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "rules.hpp"
#include "stream_giant.hpp"

namespace copse::streaming {

/// The edges that joined two trees, of one worker; of strings, by the numbers of their arrival.
using link_list = std::pmr::vector<edge<std::uint64_t>>;

inline auto note_in(link_list* links, std::span<const edge<std::uint64_t>> batch) {
  return [links, batch](std::size_t i) {
    if (links != nullptr) links->push_back(batch[i]);
  };
}

inline constexpr std::size_t block_edges = 256;
inline constexpr std::size_t edges_ahead = 32;

struct no_links {
  void operator()(std::size_t /*edge*/) const noexcept {}
};

/// `present(v)` makes sure that v exists, or returns false to stop here. `on_link(i)`: edge i joined two trees. Returns whether the whole
/// batch was united.
template <bool Shared, class Words, class EdgeId, class Present, class OnLink = no_links>
bool unite_batch(Words words, std::span<const edge<EdgeId>> batch, Present present, OnLink on_link = {}) {
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
      unite_rule<Shared>{}(parents, u, v, [&on_link, i = begin + open[k]](id /*root*/, id /*parent*/) { on_link(i); });
    }
  }
  return true;
}

/// The same past the giant, where one is known. Ids are below `slots`, but for those of this batch.
template <bool Shared, class Id, class Present>
bool unite_batch(stream_giant<Id>& giant, flat_words<Id> words, std::span<const edge<std::uint64_t>> batch, std::uint64_t slots,
                 Present present) {
  giant.template before<Shared>(words, batch, slots);
  const auto inside = giant.inside();
  if (inside.words == nullptr) return unite_batch<Shared>(words, batch, present);
  struct : fast::no_notes {
    Present* present = nullptr;
    bool see(edge<Id> e) const { return (*present)(e.u) && (*present)(e.v); }
  } notes;
  notes.present = &present;
  const parents_of<Shared, flat_words<Id>> parents{words};
  return fast::unite_range_past<unite_rule<Shared>>(parents, &words[0], narrow_edges<Id>{batch}, 0, batch.size(), inside, notes);
}

}  // namespace copse::streaming
