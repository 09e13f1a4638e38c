// Unites a batch of edges whose ids index the words. The batch is short and its words are far apart in memory, so they are asked for
// ahead: first the words of both ends, later the words of their parents, which is where Rem goes next when the parents differ.
#pragma once
#include <copse/graph/coo.hpp>

#include <algorithm>
#include <cstdint>
#include <span>

#include "rules.hpp"

namespace copse::streaming {

inline constexpr std::size_t far_ahead = 32;
inline constexpr std::size_t near_ahead = 12;

/// `present(v)` makes sure that v exists, or returns false to stop here. Returns whether the whole batch was united.
template <bool Shared, class Words, class EdgeId, class Present>
bool unite_batch(Words words, std::span<const edge<EdgeId>> batch, Present present) {
  using id = typename Words::id;
  const parents_of<Shared, Words> parents{words};
  const std::size_t size = batch.size();
  const auto ask_for_ends = [&](std::size_t i) {
    prefetch(words, static_cast<id>(batch[i].u));
    prefetch(words, static_cast<id>(batch[i].v));
  };
  for (std::size_t i = 0; i < std::min(far_ahead, size); ++i) ask_for_ends(i);
  for (std::size_t i = 0; i < size; ++i) {
    if (i + far_ahead < size) ask_for_ends(i + far_ahead);
    if (i + near_ahead < size) {
      prefetch(words, parents.load(static_cast<id>(batch[i + near_ahead].u)));
      prefetch(words, parents.load(static_cast<id>(batch[i + near_ahead].v)));
    }
    const id u = static_cast<id>(batch[i].u);
    const id v = static_cast<id>(batch[i].v);
    if (!present(u) || !present(v)) return false;
    unite_rule<Shared>{}(parents, u, v);
  }
  return true;
}

}  // namespace copse::streaming
