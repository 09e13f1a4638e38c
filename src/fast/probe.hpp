// What a short look at random places tells, at some tenths of a millisecond even on a graph that is in no cache.
//
// Do sampled vertices live in components of any size? A bounded search from some random vertices that have arcs: at most 32 vertices
// each, the first 16 arcs of a row. Where most searches end because the component does, no giant can form, and a sample is wasted.
#pragma once
#include <copse/views.hpp>
#include <core/random.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace copse::fast {

/// Vertices that a bounded search from `start` reaches, at most 32.
template <class Id, class Offset>
std::size_t reach(csr_view<Id, Offset> g, Id start) {
  constexpr std::size_t most_arcs = 16;
  std::array<Id, 32> seen{start};
  std::size_t count = 1;
  for (std::size_t head = 0; head < count; ++head) {
    const std::size_t first = g.offsets[seen[head]], length = g.offsets[seen[head] + 1] - first;
    for (std::size_t a = first; a < first + std::min(length, most_arcs); ++a) {
      const auto end = seen.begin() + static_cast<std::ptrdiff_t>(count);
      if (std::find(seen.begin(), end, g.targets[a]) != end) continue;
      seen[count++] = g.targets[a];
      if (count == seen.size()) return count;
    }
  }
  return count;
}

/// Of some vertices with arcs, the share whose search did not end by itself; 1 when none was found.
template <class Id, class Offset>
double share_in_large_components(csr_view<Id, Offset> g, std::uint64_t seed) {
  constexpr std::uint64_t starts = 16, draws = 64;
  std::uint64_t asked = 0, large = 0;
  for (std::uint64_t k = 0; k < draws && asked < starts && g.vertices() != 0; ++k) {
    const auto v = static_cast<Id>(random_stream{seed, 5}.below(k, g.vertices()));
    if (g.offsets[v] == g.offsets[v + 1]) continue;
    ++asked;
    if (reach(g, v) == 32) ++large;
  }
  return asked == 0 ? 1 : static_cast<double>(large) / static_cast<double>(asked);
}

/// Of some vertices with arcs, the share whose first target has at most four arcs (more are hubs, whose parents stay in the caches) and
/// is far both from the vertex and from every first target of the eight rows before: there a gather of parents misses and is worth a
/// prefetch, which elsewhere only costs.
template <class Id, class Offset>
double share_of_scattered_arcs(csr_view<Id, Offset> g, std::uint64_t seed) {
  constexpr std::uint64_t draws = 128, hub_arcs = 5, near_vertices = std::uint64_t{1} << 14;
  constexpr Id before = 8;
  const auto near = [](Id a, Id b) { return (a < b ? b - a : a - b) < near_vertices; };
  std::uint64_t asked = 0, scattered = 0;
  for (std::uint64_t k = 0; k < draws && g.vertices() > before; ++k) {
    const auto v = static_cast<Id>(before + random_stream{seed, 6}.below(k, g.vertices() - before));
    if (g.offsets[v] == g.offsets[v + 1]) continue;
    ++asked;
    const Id target = g.targets[g.offsets[v]];
    bool met = near(v, target) || g.offsets[target + 1] - g.offsets[target] >= hub_arcs;
    for (Id u = v - before; u < v && !met; ++u) met = g.offsets[u] != g.offsets[u + 1] && near(g.targets[g.offsets[u]], target);
    if (!met) ++scattered;
  }
  return asked == 0 ? 0 : static_cast<double>(scattered) / static_cast<double>(asked);
}

}  // namespace copse::fast
