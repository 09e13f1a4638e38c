// The pairs of the components that break a constraint, grouped by component.
#pragma once
#include <clusters/cached_adds.hpp>
#include <clusters/level.hpp>
#include <copse/memory.hpp>
#include <core/parallel.hpp>
#include <core/team.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace copse::clusters {

inline constexpr std::size_t large_component = std::size_t{1} << 16;  ///< from this number of pairs on, all threads sort a component

/// Component c has the pairs from begins[c] to begins[c + 1], in any order.
template <unsigned_index Id>
struct grouped_pairs {
  buffer<scored_pair<Id>> pairs;
  std::vector<std::size_t> begins;

  [[nodiscard]] std::size_t components() const noexcept { return begins.size() - 1; }
  [[nodiscard]] std::size_t count_of(std::size_t c) const noexcept { return begins[c + 1] - begins[c]; }
  [[nodiscard]] std::span<scored_pair<Id>> of(std::size_t c) noexcept { return pairs.span().subspan(begins[c], count_of(c)); }
};

/// Groups the pairs for which at.wants() is true, those inside a component that breaks a constraint, by component: counts the pairs of each
/// component, then moves each pair to its position. A block of pairs reserves all its positions in a large component by one
/// atomic addition: with one for each pair, all threads would contend for the counter of that component.
template <unsigned_index Id>
grouped_pairs<Id> grouped(const level<Id>& at, std::span<const std::span<const scored_pair<Id>>> parts, const execution& on) {
  constexpr std::size_t block = std::size_t{1} << 14;
  const unsigned threads = usable_threads(on.threads);
  const std::size_t n = at.components.size();
  buffer<Id> groups{n, on.memory};  // for each label of a component that breaks a constraint: its number among these components
  std::size_t count = 0;
  for (std::size_t v = 0; v < n; ++v) groups[v] = at.broken[v] != 0 ? static_cast<Id>(count++) : no_vertex<Id>;
  const auto group_of = [&](const scored_pair<Id>& p) { return std::size_t{groups[at.components[p.u]]}; };
  std::vector<std::span<const scored_pair<Id>>> blocks;
  for (const auto part : parts) {
    for (std::size_t begin = 0; begin < part.size(); begin += block)
      blocks.push_back(part.subspan(begin, std::min(block, part.size() - begin)));
  }

  std::vector<std::size_t> next(count + 1);  // for each such component: first its number of pairs, then the position of its next pair
  parallel_blocks(threads, blocks.size(), 1, [&](std::size_t b, std::size_t) {
    cached_adds<std::size_t> counts{next};
    for (const auto& p : blocks[b]) {
      if (at.wants(p)) counts.add_one(group_of(p));
    }
  });
  grouped_pairs<Id> all;
  all.begins.resize(count + 1);
  std::vector<std::size_t> large;
  std::size_t sum = 0;
  for (std::size_t c = 0; c < count; ++c) {
    if (next[c] >= large_component) large.push_back(c);
    all.begins[c] = sum;
    sum += next[c];
    next[c] = all.begins[c];
  }
  all.begins[count] = sum;
  constexpr std::size_t most_large = 256;
  std::ranges::sort(large, std::ranges::greater{}, [&](std::size_t c) { return all.begins[c + 1] - all.begins[c]; });
  if (large.size() > most_large) large.resize(most_large);
  std::ranges::sort(large);

  all.pairs = buffer<scored_pair<Id>>{sum, on.memory};
  parallel_blocks(threads, blocks.size(), 1, [&](std::size_t b, std::size_t) {
    const auto take = [&](std::size_t group, std::size_t places) {
      return std::atomic_ref{next[group]}.fetch_add(places, std::memory_order_relaxed);
    };
    // for each large component: first the number of its pairs in this block, then the position for the next of them
    std::array<std::size_t, most_large> own{};
    const auto place_among_large = [&](std::size_t group) {
      const auto found = std::ranges::lower_bound(large, group);
      return found != large.end() && *found == group ? static_cast<std::size_t>(found - large.begin()) : most_large;
    };
    if (!large.empty()) {
      for (const auto& p : blocks[b]) {
        const std::size_t place = at.wants(p) ? place_among_large(group_of(p)) : most_large;
        if (place != most_large) ++own[place];
      }
      for (std::size_t i = 0; i < large.size(); ++i) own[i] = own[i] == 0 ? 0 : take(large[i], own[i]);
    }
    for (const auto& p : blocks[b]) {
      if (!at.wants(p)) continue;
      const std::size_t group = group_of(p), place = place_among_large(group);
      all.pairs[place == most_large ? take(group, 1) : own[place]++] = p;
    }
  });
  return all;
}

}  // namespace copse::clusters
