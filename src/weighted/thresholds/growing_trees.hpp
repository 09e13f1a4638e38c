// Trees of a forest whose edges come in rounds, and how large they are after each: all that a threshold asks for. The edges of a round may
// come in any order and from many threads.
//
// A round has two loops over its edges. The first unites: of two roots the smaller tree goes below the larger, by the sizes before the
// round, so ways stay short and no two roots can go below each other. Every edge of a forest ends one root, which it notes. The second adds
// the vertices of each root that ended to the root above it now: what such an addition finds and leaves is all the counts need, because
// between the size before the round and the size after it everything else cancels out.
//
// Small sizes, which nearly all trees have, are counted by every thread for itself. Trees that have become large are listed; there are at
// most n / 256 of them.
//
// Memory order: all relaxed; loops end before what they wrote is read, and within a loop a parent only ever changes to one further up.
// Cost: O(edges) finds in all, two or three random words each; a round costs two loops.
#pragma once
#include <copse/errors.hpp>
#include <copse/hierarchy.hpp>
#include <copse/memory.hpp>
#include <copse/types.hpp>
#include <weighted/size_counts.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace copse::weighted {

template <class Backend, unsigned_index Id>
class growing_trees {
public:
  growing_trees(const Backend& loops, Id vertices, std::pmr::memory_resource* memory)
      : loops_{loops}, trees_{vertices, memory}, tallies_(loops.threads()), components_{vertices} {
    loops.for_each(vertices, [trees = trees_.data()](std::size_t v) { trees[v] = {static_cast<Id>(v), Id{1}}; });
    small_[1] = vertices;
    largest_ = vertices == 0 ? 0 : 1;
  }

  /// Unites the ends of all edges, which are used up.
  void join(std::span<edge<Id>> round) {
    if (round.empty()) return;
    loops_.for_blocks(round.size(), [this, round](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        if (i + 2 * ahead < end) {
          __builtin_prefetch(&trees_[round[i + 2 * ahead].u]);
          __builtin_prefetch(&trees_[round[i + 2 * ahead].v]);
        }
        if (i + ahead < end) {
          __builtin_prefetch(&trees_[parent_of(round[i + ahead].u)]);
          __builtin_prefetch(&trees_[parent_of(round[i + ahead].v)]);
        }
        round[i].u = unite(round[i].u, round[i].v);
      }
    });
    loops_.for_blocks(round.size(), [this, round](std::size_t begin, std::size_t end) {
      tally& mine = tallies_[Backend::thread()];
      for (std::size_t i = begin; i < end; ++i) {
        const Id ended = round[i].u, size = trees_[ended].size, root = find(ended);
        const Id before = std::atomic_ref<Id>{trees_[root].size}.fetch_add(size, std::memory_order_relaxed);
        mine.grow(root, before, size);
      }
    });
    for (tally& t : tallies_) {
      if (t.grown == 0) continue;
      for (std::size_t k = 0; k < small_sizes; ++k) small_[k] += t.small[k];
      pairs_ += t.pairs;
      largest_ = std::max<std::uint64_t>(largest_, t.largest);
      large_.insert(large_.end(), t.large.begin(), t.large.end());
      t = {};
    }
    components_ -= round.size();
  }

  [[nodiscard]] threshold_point point(double threshold) {
    std::erase_if(large_, [this](Id root) { return trees_[root].parent != root; });
    large_sizes_.clear();
    for (const Id root : large_) large_sizes_.push_back(trees_[root].size);
    return {.threshold = threshold,
            .components = components_,
            .largest = largest_,
            .singletons = small_[1],
            .median = percentile(50),
            .percentile_90 = percentile(90),
            .percentile_99 = percentile(99),
            .pairs = pairs_};
  }

private:
  static constexpr std::size_t ahead = 8, small_sizes = 256;
  using counts = std::array<std::uint64_t, small_sizes>;  // differences wrap around, sums are right

  struct tree {
    Id parent, size;  ///< of a root: its vertices; of another: those it had as one
  };
  struct alignas(128) tally {
    counts small{};
    std::uint64_t grown = 0, pairs = 0, largest = 0;
    std::vector<Id> large;  ///< roots whose trees have become large

    void grow(Id root, std::uint64_t before, std::uint64_t by) {
      const std::uint64_t after = before + by;
      ++grown;
      pairs += before * by;
      largest = std::max(largest, after);
      if (by < small_sizes) --small[by];
      if (before < small_sizes) {
        --small[before];
        if (after >= small_sizes) large.push_back(root);
      }
      if (after < small_sizes) ++small[after];
    }
  };

  [[nodiscard]] Id parent_of(Id v) noexcept { return std::atomic_ref<Id>{trees_[v].parent}.load(std::memory_order_relaxed); }

  /// Shortens the way by half.
  [[nodiscard]] Id find(Id v) noexcept {
    for (Id parent = parent_of(v); parent != v;) {
      const Id above = parent_of(parent);
      if (above == parent) return parent;
      std::atomic_ref<Id>{trees_[v].parent}.store(above, std::memory_order_relaxed);
      v = above;
      parent = parent_of(v);
    }
    return v;
  }

  /// Returns the root that ended.
  Id unite(Id u, Id v) {
    for (;;) {
      u = find(u);
      v = find(v);
      if (u == v) throw usage_error{"forest: found a cycle, expected a list of edges without one"};
      if (std::pair{trees_[u].size, u} > std::pair{trees_[v].size, v}) std::swap(u, v);
      Id expected = u;
      if (std::atomic_ref<Id>{trees_[u].parent}.compare_exchange_strong(expected, v, std::memory_order_relaxed)) return u;
    }
  }

  /// As size_counts has it.
  [[nodiscard]] std::uint64_t percentile(unsigned percent) {
    if (components_ == 0) return 0;
    std::uint64_t left = nearest_rank(components_, percent);
    for (std::uint64_t size = 1; size < small_sizes; ++size) {
      if (small_[size] >= left) return size;
      left -= small_[size];
    }
    const auto at = large_sizes_.begin() + static_cast<std::ptrdiff_t>(left - 1);
    std::nth_element(large_sizes_.begin(), at, large_sizes_.end());
    return *at;
  }

  const Backend& loops_;
  buffer<tree> trees_;
  std::vector<tally> tallies_;
  counts small_{};
  std::vector<Id> large_;  ///< roots, at least
  std::vector<std::uint64_t> large_sizes_;
  std::uint64_t components_, largest_ = 0, pairs_ = 0;
};

}  // namespace copse::weighted
