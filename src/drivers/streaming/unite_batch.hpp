// Unites a batch of edges whose ids index the words, by the functions for edge lists; once a giant is known, edges inside it are skipped.
// Vertices may come into being when an edge names them.
#pragma once
#include <copse/views.hpp>
#include <drivers/streaming/inverted_parents.hpp>
#include <drivers/streaming/stream_giant.hpp>
#include <fast/unite_list.hpp>

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

namespace copse::streaming {

/// The edges of one worker that joined two trees. Strings are given by their numbers of arrival.
using link_list = std::pmr::vector<edge<std::uint64_t>>;

inline auto note_in(link_list* links, std::span<const edge<std::uint64_t>> batch) {
  return [links, batch](std::size_t i) {
    if (links != nullptr) links->push_back(batch[i]);
  };
}

struct no_links {
  void operator()(std::size_t /*edge*/) const noexcept {}
};

/// What is done for each edge: it is made sure that the ends exist, and an edge that makes a link is reported.
template <class Present, class OnLink>
struct batch_notes {
  Present present;
  OnLink on_link;
  std::size_t seen = 0;

  template <class Id>
  bool see(edge<Id> e) {
    ++seen;
    return present(e.u) && present(e.v);
  }
  template <class Id>
  auto of(edge<Id> /*e*/) {
    return [this](Id /*root*/, Id /*parent*/) { on_link(seen - 1); };
  }
};

/// Unites a batch. present(v) makes sure that v exists, or returns false to stop here. on_link(i) is called if edge i joined two trees.
/// Returns true if the whole batch was united.
template <bool Shared, class Words, class EdgeId, class Present, class OnLink = no_links>
bool unite_batch(Words words, std::span<const edge<EdgeId>> batch, Present present, OnLink on_link = {}) {
  const parents_of<Shared, Words> parents{words};
  const narrow_edges<typename Words::id, EdgeId> edges{batch};
  batch_notes<Present, OnLink> notes{present, on_link};
  return fast::unite_range<unite_rule<Shared>, fast::asked_ahead::parents>(parents, words, edges, 0, batch.size(), notes) == batch.size();
}

/// What is done for each edge of a batch, except those that are skipped because they are inside the giant: see() makes sure that both ends
/// exist, and an edge that joins two trees is added to `links`.
template <class Present>
struct kept_edges {
  Present present;
  link_list* links;

  template <class Id>
  bool see(edge<Id> e) {
    return present(e.u) && present(e.v);
  }
  template <class Id>
  auto of(edge<Id> e) {
    return [this, e](Id /*root*/, Id /*parent*/) {
      if (links != nullptr) links->push_back({e.u, e.v});
    };
  }
};

/// Unites a batch; if a giant is known, edges inside it are skipped. present(v) makes sure that v exists, or returns false to stop here.
/// Ids of earlier batches are below `slots`; those of this one may be larger. `links`, unless null, gets the edges that joined two trees.
/// Returns true if the whole batch was united.
template <bool Shared, class Id, class Present>
bool unite_batch(stream_giant<Id>& giant, flat_words<Id> words, std::span<const edge<std::uint64_t>> batch, std::uint64_t slots,
                 Present present, link_list* links = nullptr) {
  giant.template before<Shared>(words, batch, slots);
  const auto inside = giant.inside();
  if (inside.words == nullptr) return unite_batch<Shared>(words, batch, present, note_in(links, batch));
  kept_edges<Present> notes{present, links};
  const parents_of<Shared, flat_words<Id>> parents{words};
  // Other workers raise bits at the same time, so bits are loaded one by one, atomically (not wide). Ends in the giant are not replaced by
  // the giant, because whether an end exists is asked by loading its own word; all workers would load the giant's.
  const fast::giant_filter<Id> filter{.inside = inside, .name_giant = false, .wide = false};
  return fast::unite_range_past<unite_rule<Shared>>(parents, &words[0], narrow_edges<Id>{batch}, 0, batch.size(), filter, notes) ==
         batch.size();
}

}  // namespace copse::streaming
