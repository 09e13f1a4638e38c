// Many parts that were cut off the forest find each other by a solve.
//
// Idea: the forest without the edges that left is a solution already, but for its parts, so only these are united. Every vertex finds the
// root of its part; then the edges outside the forest unite parts, which are far fewer than vertices. The largest part is not asked for its
// edges, as those that leave it are seen from their other ends. Both run on all threads. An edge that joined two parts goes into the
// forest.
//
// Cost: O(vertices + edges outside the forest) finds, over all threads. One thread visits the vertices of parts that become components of
// their own. 4 bytes per vertex.
#include <copse/extend/parents/atomic.hpp>
#include <copse/extend/rules/find/halve.hpp>
#include <copse/extend/rules/find/naive.hpp>
#include <copse/extend/rules/unite/async.hpp>
#include <copse/memory.hpp>
#include <core/most_frequent.hpp>
#include <core/parallel.hpp>
#include <core/parallel_buffers.hpp>
#include <core/team.hpp>
#include <dynamic/connectivity.hpp>

#include <algorithm>
#include <array>
#include <numeric>

namespace copse::dynamics {

// Estimates how many steps of a search take as long as solve(). A step mostly misses the cache; solve() reads the vertices in their order.
std::uint64_t dynamic_components::steps_to_solve() const noexcept {
  constexpr std::uint64_t least = 512, per_part = 5;
  return least + per_part * cuts_.size() + slots() / threads_;
}

void dynamic_components::solve() {
  // Erased edges have divided the trees of components into parts. Parts are numbered: first those that were cut off, then those with the
  // roots of their components.
  std::vector<std::uint32_t> roots;
  const std::uint32_t first = next_marks(static_cast<std::uint32_t>(2 * cuts_.size()));
  const auto add_part = [&](std::uint32_t root) {
    nodes_[root].mark = first + static_cast<std::uint32_t>(roots.size());
    roots.push_back(root);
  };
  for (const cut_edge& erased : cuts_) add_part(erased.child);
  for (const cut_edge& erased : cuts_)
    if (const std::uint32_t root = records_[record_of(erased.child)].root; nodes_[root].mark < first) add_part(root);
  const auto parts = static_cast<std::uint32_t>(roots.size());

  buffer<std::uint32_t> root_of = made<std::uint32_t>(
      slots(),
      [this](std::size_t v) {
        const std::uint32_t above = nodes_[v].parent;
        return above == none ? static_cast<std::uint32_t>(v) : above;
      },
      threads_, memory_);
  const parents::atomic<std::uint32_t> trees{root_of.data()};
  parallel_blocks(threads_, slots(), items_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      auto x = static_cast<std::uint32_t>(v);
      const std::uint32_t root = find::naive{}(trees, x);
      for (std::uint32_t above = trees.load(x); above != root; above = trees.load(x)) {
        trees.store(x, root);
        x = above;
      }
    }
  });
  const auto part_of = [&](std::size_t v) {  // the part that has the vertex; none if no edge of its tree was erased
    const std::uint32_t part = nodes_[root_of[v]].mark - first;
    return part < parts ? part : none;
  };
  std::array<std::uint32_t, 512> samples;
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = part_of(i * slots() / samples.size());
  const std::uint32_t largest = most_frequent(std::span<std::uint32_t>{samples}).winner;

  struct link {
    std::uint32_t from, to;            // ends of an edge outside the forest that joins two parts of trees
    std::uint32_t from_part, to_part;  // these parts
  };
  std::vector<std::uint32_t> groups(parts);
  std::iota(groups.begin(), groups.end(), 0u);
  std::vector<std::vector<link>> found(threads_);
  parallel_blocks(threads_, slots(), items_per_block / 8, [&](std::size_t begin, std::size_t end) {
    const parents::atomic<std::uint32_t> joined{groups.data()};
    std::vector<link>& links = found[worker_number()];
    for (std::size_t v = begin; v < end; ++v) {
      const neighbour_set& outside = nodes_[v].outside;
      if (outside.count == 0) continue;
      const std::uint32_t part = part_of(v);
      if (part == none || part == largest) continue;
      sets_.any_of(outside, [&](std::uint32_t w) {
        const std::uint32_t other = part_of(w);
        if (other == part) return false;
        unite::async<find::halve>{}(joined, part, other, [&](std::uint32_t, std::uint32_t) {
          links.push_back({static_cast<std::uint32_t>(v), w, part, other});
        });
        return false;
      });
    }
  });

  // The edges that were found join the parts into new trees. If one of the parts has the root of the old component, the others are hung
  // below it, and the tree keeps that component's record. Otherwise they are hung below any one of them, as a new component.
  std::vector<std::uint32_t> begins(parts + 1, 0);
  for (const auto& links : found) {
    for (const link& edge : links) {
      ++begins[edge.from_part + 1];
      ++begins[edge.to_part + 1];
    }
  }
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  std::vector<link> ends(begins.back());  // both directions of the edges in `found`, sorted by the part that they lead from
  for (std::vector<std::uint32_t> next = begins; const auto& links : found) {
    for (const auto& [from, to, from_part, to_part] : links) {
      ends[next[from_part]++] = {from, to, from_part, to_part};
      ends[next[to_part]++] = {to, from, to_part, from_part};
    }
  }
  std::vector<bool> is_placed(parts, false);
  std::vector<std::uint32_t> queue, fresh;  // `fresh`: the parts with the roots of new components
  std::vector<joint> joints;
  const auto hang_on = [&](std::uint32_t start) {
    is_placed[start] = true;
    queue.assign(1, start);
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (std::uint32_t e = begins[queue[i]]; e < begins[queue[i] + 1]; ++e) {
        const std::uint32_t part = ends[e].to_part;
        if (is_placed[part]) continue;
        is_placed[part] = true;
        queue.push_back(part);
        joints.push_back({ends[e].to, ends[e].from});
      }
    }
  };
  if (largest != none) {
    const std::uint32_t record = record_of(roots[largest]);
    if (records_[record].root != roots[largest]) {
      records_[record].root = roots[largest];
      lists_.part(record);
    }
  }
  for (auto part = static_cast<std::uint32_t>(cuts_.size()); part < parts; ++part)
    if (const std::uint32_t root = records_[record_of(roots[part])].root; root == roots[part]) hang_on(part);
  if (largest != none && !is_placed[largest]) hang_on(largest);
  for (std::uint32_t part = 0; part < parts; ++part) {
    if (is_placed[part]) continue;
    hang_on(part);
    fresh.push_back(part);
  }
  take_together(joints);
  for (const std::uint32_t part : fresh) {
    below_.clear();
    walk_tree(roots[part], [this](std::uint32_t x) { below_.push_back(x); });
    this->part(roots[part], below_, none);
  }
}

}  // namespace copse::dynamics
