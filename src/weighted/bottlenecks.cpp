// Unites the edges of a maximum spanning forest in their order, by size and without path compression. So the link of every vertex to its
// parent is the edge that joined their trees, later edges are nearer to the root, and no path to a root is longer than log n. The weakest
// edge between two vertices is the last one on their paths up to the common ancestor. (A tree of all merges would answer in constant time,
// but for four times the memory; the paths stay near the roots, which the caches hold.)
#include <copse/hierarchy.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

namespace copse {
namespace {
constexpr std::uint64_t root_edge = ~std::uint64_t{0};
}  // namespace

bottlenecks::bottlenecks(const hierarchy& joined, std::pmr::memory_resource* memory)
    : above_{joined.vertices(), memory}, by_{joined.vertices(), memory}, places_{joined.edges_.size(), memory} {
  buffer<std::uint64_t> sizes{joined.vertices(), memory};
  std::iota(above_.begin(), above_.end(), std::uint64_t{0});
  std::fill(by_.begin(), by_.end(), root_edge);
  std::fill(sizes.begin(), sizes.end(), std::uint64_t{1});
  const auto root = [this](std::uint64_t v) {
    while (above_[v] != v) v = above_[v];
    return v;
  };
  for (std::size_t i = 0; i < joined.edges_.size(); ++i) {
    const auto& e = joined.edges_[i];
    std::uint64_t a = root(e.u), b = root(e.v);
    if (sizes[a] < sizes[b]) std::swap(a, b);
    above_[b] = a;
    by_[b] = i;
    sizes[a] += sizes[b];
    places_[i] = e.place;
  }
}

std::optional<std::uint64_t> bottlenecks::between(std::uint64_t u, std::uint64_t v) const noexcept {
  std::uint64_t last = root_edge;
  while (u != v) {
    if (by_[u] > by_[v]) std::swap(u, v);  // go up by the earlier edge: on each path to a root, edges come in their order in joined.edges_
    if (by_[u] == root_edge) return std::nullopt;
    last = by_[u];
    u = above_[u];
  }
  if (last == root_edge) return std::nullopt;
  return places_[last];
}

}  // namespace copse
