// Many parts that were cut off the forest find each other by a solve.
//
// Idea: the forest without the edges that left is a solution already, but for its parts, so only these are united. Every vertex finds the
// root of its part; then the edges outside the forest unite parts, which are far fewer than vertices. The largest part is not asked for its
// edges, as those that leave it are seen from their other ends. Both run on all threads.
//
// Cost: O(vertices + edges outside the forest) finds, over all threads. 4 bytes per vertex.
#include <copse/extend/rules/find/naive.hpp>
#include <copse/memory.hpp>
#include <core/most_frequent.hpp>
#include <core/parallel.hpp>
#include <core/parallel_buffers.hpp>
#include <dynamic/reunion.hpp>

#include <array>

namespace copse::dynamics {

// Estimates how many steps of a search take as long as solve(). A step mostly misses the cache; solve() reads the vertices in their order.
std::uint64_t dynamic_components::steps_to_solve() const noexcept {
  constexpr std::uint64_t least = 512, per_part = 5;
  return least + per_part * cuts_.size() + slots() / threads_;
}

void dynamic_components::reunion::solve() {
  const std::uint32_t slots = graph_.slots();
  buffer<std::uint32_t> root_of = made<std::uint32_t>(
      slots,
      [this](std::size_t v) {
        const std::uint32_t above = nodes_[v].parent;
        return above == none ? static_cast<std::uint32_t>(v) : above;
      },
      graph_.threads_, graph_.memory_);
  const parents::atomic<std::uint32_t> trees{root_of.data()};
  parallel_blocks(graph_.threads_, slots, items_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      auto x = static_cast<std::uint32_t>(v);
      const std::uint32_t root = find::naive{}(trees, x);
      for (std::uint32_t above = trees.load(x); above != root; above = trees.load(x)) {
        trees.store(x, root);
        x = above;
      }
    }
  });
  const auto part_of = [&](std::size_t v) { return noted_part(root_of[v]); };  // none if no edge of the vertex's tree was erased
  std::array<std::uint32_t, 512> samples;
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = part_of(i * slots / samples.size());
  const std::uint32_t largest = most_frequent(std::span<std::uint32_t>{samples}).winner;
  if (largest != none) hub_of(largest) = largest;
  parallel_blocks(graph_.threads_, slots, items_per_block / 8, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const neighbour_set& outside = nodes_[v].outside;
      if (outside.count == 0) continue;
      const std::uint32_t part = part_of(v);
      if (part == none || part == largest) continue;
      graph_.sets_.any_of(outside, [&](std::uint32_t w) {
        if (const std::uint32_t other = part_of(w); other != part) join({static_cast<std::uint32_t>(v), w, part, other});
        return false;
      });
    }
  });
}

}  // namespace copse::dynamics
