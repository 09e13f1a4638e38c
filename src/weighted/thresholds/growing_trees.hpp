// Trees of a forest whose edges come in rounds, and how large they are after each: all that a threshold asks for. The edges of a round may
// come in any order and from many threads.
//
// A round has two loops over its edges. The first unites: of two roots the smaller tree goes below the larger, by the sizes before the
// round, so ways stay short and no two roots can go below each other. Every edge of a forest ends one root, whose size it notes. The second
// adds that to the root above it now: what such an addition finds and leaves is all the counts need, because between the size before the
// round and the size after it everything else cancels out.
//
// Once there is a giant, nearly every edge adds to it. So each thread adds up for itself what goes to the largest tree that was known
// before the round, and no word is written by all of them.
//
// Small sizes, which nearly all trees have, are counted by every thread for itself. Trees that have become large are listed; there are at
// most n / 256 of them. The list is looked at when a percentile is among them, and when it has grown to twice its length.
//
// Memory order: all relaxed; loops end before what they wrote is read, and within a loop a parent only ever changes to one further up.
// Cost: O(edges) finds in all, two or three random words each; a round costs two loops.
#pragma once
#include <copse/errors.hpp>
#include <copse/hierarchy.hpp>
#include <copse/memory.hpp>
#include <copse/types.hpp>
#include <core/new_pages.hpp>
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
    touch_pages(loops.threads(), trees_.span());
    loops.for_each(vertices, [trees = trees_.data()](std::size_t v) { trees[v] = {static_cast<Id>(v), Id{1}}; });
    small_[1] = vertices;
    largest_ = vertices == 0 ? 0 : 1;
  }

  /// Unites the ends of all edges, which are used up.
  void join(std::span<edge<Id>> round) {
    if (round.empty()) return;
    const std::size_t chunk = std::clamp(round.size() / (std::size_t{8} * loops_.threads()), least_chunk, most_chunk);
    loops_.for_runs(round.size(), chunk, [this, round](std::size_t begin, std::size_t end, std::size_t) {
      for (std::size_t i = begin; i < std::min(begin + 2 * ahead, end); ++i) prefetch_ends(round[i]);
      for (std::size_t i = begin; i < end; ++i) {
        if (i + 2 * ahead < end) prefetch_ends(round[i + 2 * ahead]);
        if (i + ahead < end) {
          __builtin_prefetch(&trees_[parent_of(round[i + ahead].u)]);
          __builtin_prefetch(&trees_[parent_of(round[i + ahead].v)]);
        }
        round[i] = unite(round[i].u, round[i].v);
      }
    });
    // The same threads as before, mostly: what they have just written is in their caches.
    loops_.for_runs(round.size(), chunk, [this, round](std::size_t begin, std::size_t end, std::size_t) {
      tally& mine = tallies_[Backend::thread()];
      for (std::size_t i = begin; i < end; ++i) {
        if (i + ahead < end) __builtin_prefetch(&trees_[round[i + ahead].v]);
        const auto [size, above] = round[i];
        if (const Id root = find(above); root == giant_) {
          mine.keep(size);
        } else {
          mine.add(root, std::atomic_ref<Id>{trees_[root].size}.fetch_add(size, std::memory_order_relaxed), size);
        }
      }
    });
    Id largest_root = giant_;
    for (tally& t : tallies_) {
      if (!t.used) continue;
      if (t.kept != 0) {
        t.grow(giant_, trees_[giant_].size, t.kept);
        trees_[giant_].size = static_cast<Id>(trees_[giant_].size + t.kept);
      }
      for (std::size_t k = 0; k < small_sizes; ++k) small_[k] += t.small[k];
      pairs_ += t.pairs;
      if (t.largest > largest_) {
        largest_ = t.largest;
        largest_root = t.largest_root;
      }
      large_.insert(large_.end(), t.large.begin(), t.large.end());
      t = {};
    }
    giant_ = largest_root;
    components_ -= round.size();
  }

  [[nodiscard]] threshold_point point(double threshold) {
    large_sizes_.clear();
    if (large_.size() > 2 * pruned_) prune();
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
  static constexpr std::size_t ahead = 8, least_chunk = 128, most_chunk = std::size_t{1} << 14, small_sizes = 256;
  using counts = std::array<std::uint64_t, small_sizes>;  // differences wrap around, sums are right

  struct tree {
    Id parent, size;  ///< of a root: its vertices; of another: those it had as one
  };
  struct alignas(128) tally {
    counts small{};
    std::uint64_t kept = 0, pairs = 0, largest = 0;
    Id largest_root = 0;
    bool used = false;
    std::vector<Id> large;  ///< roots whose trees have become large

    /// A tree of `size` went below `root`, which had `before`.
    void add(Id root, std::uint64_t before, std::uint64_t size) {
      used = true;
      if (size < small_sizes) --small[size];
      grow(root, before, size);
    }
    /// A tree of `size` goes below the giant, some time.
    void keep(std::uint64_t size) {
      used = true;
      if (size < small_sizes) --small[size];
      pairs += kept * size;
      kept += size;
    }
    void grow(Id root, std::uint64_t before, std::uint64_t by) {
      const std::uint64_t after = before + by;
      pairs += before * by;
      if (after > largest) {
        largest = after;
        largest_root = root;
      }
      if (before < small_sizes) {
        --small[before];
        if (after >= small_sizes) large.push_back(root);
      }
      if (after < small_sizes) ++small[after];
    }
  };

  void prefetch_ends(edge<Id> e) const noexcept {
    __builtin_prefetch(&trees_[e.u]);
    __builtin_prefetch(&trees_[e.v]);
  }
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

  /// Returns the size of the tree whose root ended, and the root that it went below.
  edge<Id> unite(Id u, Id v) {
    for (;;) {
      u = find(u);
      v = find(v);
      if (u == v) throw usage_error{"forest: found a cycle, expected a list of edges without one"};
      if (std::pair{trees_[u].size, u} > std::pair{trees_[v].size, v}) std::swap(u, v);
      Id expected = u;
      if (std::atomic_ref<Id>{trees_[u].parent}.compare_exchange_strong(expected, v, std::memory_order_relaxed)) return {trees_[u].size, v};
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
    if (large_sizes_.empty()) {
      prune();
      for (const Id root : large_) large_sizes_.push_back(trees_[root].size);
    }
    const auto at = large_sizes_.begin() + static_cast<std::ptrdiff_t>(left - 1);
    std::nth_element(large_sizes_.begin(), at, large_sizes_.end());
    return *at;
  }

  /// Takes those off the list that went below others.
  void prune() {
    std::erase_if(large_, [this](Id root) { return trees_[root].parent != root; });
    pruned_ = large_.size();
  }

  const Backend& loops_;
  buffer<tree> trees_;
  std::vector<tally> tallies_;
  counts small_{};
  Id giant_ = 0;           ///< the largest tree of all, as far as is known: others are right, too, but slower
  std::vector<Id> large_;  ///< roots, at least
  std::size_t pruned_ = 0;
  std::vector<std::uint64_t> large_sizes_;  ///< once a percentile has asked for them
  std::uint64_t components_, largest_ = 0, pairs_ = 0;
};

}  // namespace copse::weighted
