// Edges that leave together.
//
// A first pass finds out which edges are in the forest. Then each vertex belongs to one worker, which changes its set of neighbours and its
// list of children, so that no two workers change the same ones.
#include <core/gather.hpp>
#include <core/parallel.hpp>
#include <dynamic/connectivity.hpp>
#include <dynamic/owners.hpp>

#include <atomic>
#include <vector>

namespace copse::dynamics {

std::size_t dynamic_components::erase_together(std::span<const pair> edges, std::span<unsigned char> has_left) {
  constexpr std::size_t block = 256, nodes_ahead = 32;
  enum place : unsigned char { outside, below_first, below_second };  // which end of an edge in the forest is the upper one
  const auto is_valid = [&](std::size_t i) { return std::max(edges[i].u, edges[i].v) < slots(); };
  std::vector<place> places(edges.size());
  parallel_blocks(threads_, edges.size(), block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (const std::size_t later = i + nodes_ahead; later < end) {
        prefetch(edges[later].u);
        prefetch(edges[later].v);
      }
      if (!is_valid(i)) continue;
      const auto [u, v] = edges[i];
      places[i] = nodes_[v].parent == u ? below_first : nodes_[u].parent == v ? below_second : outside;
    }
  });
  on_owners(
      edges.size(),
      [&](std::size_t i, auto add) {
        if (!is_valid(i)) return;
        const auto [u, v] = edges[i];
        if (places[i] != below_second) add(u, v, places[i] == below_first);
        if (places[i] != below_first && u != v) add(v, u, places[i] == below_second);
      },
      [&](std::size_t i, std::uint32_t from, std::uint32_t to, neighbour_sets::share& blocks) {
        if (places[i] == outside) {
          // the first of several equal edges leaves the sets of both ends
          const bool was_there = sets_.erase(nodes_[from].outside, to, blocks);
          if (from == edges[i].u) has_left[i] = was_there;
        } else if (nodes_[to].parent == from) {  // not so if it is equal to an edge before it
          cut(to);
          has_left[i] = true;
        }
      });
  std::atomic<std::size_t> left{0};
  const auto find_cuts = [&](std::size_t begin, std::size_t end, std::vector<cut_edge>& cuts) {
    std::size_t left_here = 0;
    for (std::size_t i = begin; i < end; ++i) {
      if (!has_left[i]) continue;
      ++left_here;
      const auto [u, v] = edges[i];
      if (places[i] == below_first) cuts.push_back({v, u});
      if (places[i] == below_second) cuts.push_back({u, v});
    }
    left.fetch_add(left_here, std::memory_order_relaxed);
  };
  gather(cuts_, edges.size(), 4 * block, find_cuts, threads_);
  edges_ -= left;
  return left;
}

}  // namespace copse::dynamics
