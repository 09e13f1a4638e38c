// The trees of a forest whose edges arrive in rounds, and their sizes after each round, from which a point of a threshold curve is made.
// The edges of a round may arrive in any order and from many threads.
//
// A vertex has one word: the number of vertices in its tree if it is a root, otherwise its parent. So one compare-and-swap ends a root at a
// known size, and a second one adds this size to the root above; the second fails if that root has ended, too, or has grown since. Of two
// roots the one of the smaller tree ends. A size that is not yet added is carried by its thread, and is added before the round is over.
// Counts by size need only the size before and after each addition: everything between the sizes before the round and those after it
// cancels out.
//
// No two roots can become children of each other: a root only grows, and ends at its last size, which is at least any size that was read
// before; so (size, number) ascends along a path.
//
// Once there is a giant, nearly every edge adds to it. So each thread sums what it adds to the largest tree known before the round, which
// does not end in it, and not all threads write to one word.
//
// Every thread counts small sizes, which nearly all trees have, for itself, from the first round to the last. A point sums these counts for
// the few sizes that it needs, so little is done between two rounds, when only one thread works. Trees that have become large are listed;
// there are at most n / 256 of them. The list is read when a percentile is among them, and pruned when it has doubled.
//
// Memory order: all relaxed; loops end before their results are read, and within a loop a parent only ever changes to one nearer to the
// root. Cost: O(edges) finds in all, two or three random words each; a round costs one loop.
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

template <class Backend, unsigned_index Word>
class growing_trees {
public:
  /// The largest number of vertices; more need a wider word.
  static constexpr std::uint64_t most_vertices = (std::uint64_t{1} << (8 * sizeof(Word) - 1)) - 1;

  growing_trees(const Backend& loops, std::uint64_t vertices, std::pmr::memory_resource* memory)
      : loops_{loops}, words_{vertices, memory}, tallies_(loops.threads()), components_{vertices} {
    touch_pages(loops.threads(), words_.span());
    loops.for_blocks(vertices,
                     [words = words_.data()](std::size_t begin, std::size_t end) { std::fill(words + begin, words + end, root_of(1)); });
    small_[1] = vertices;
    largest_ = vertices == 0 ? 0 : 1;
  }

  /// Unites the ends of all edges of a round.
  template <unsigned_index Id>
  void join(std::span<const edge<Id>> round) {
    if (round.empty()) return;
    const std::size_t chunk = std::clamp(round.size() / (std::size_t{8} * loops_.threads()), least_chunk, most_chunk);
    loops_.for_runs(round.size(), chunk, [this, round](std::size_t begin, std::size_t end, std::size_t run) {
      tally& mine = tallies_[Backend::thread()];
      // Prefetches the ends of the first edges, but only in the first of several consecutive chunks that a thread gets: in the others, the
      // loop over the chunk before has done so.
      if (run == begin) {
        for (std::size_t i = begin; i < std::min(begin + 2 * ahead, round.size()); ++i) prefetch_ends(round[i]);
      }
      for (std::size_t i = begin; i < end; ++i) {
        if (i + 2 * ahead < round.size()) prefetch_ends(round[i + 2 * ahead]);
        if (i + ahead < round.size()) {
          prefetch_parent(static_cast<Word>(round[i + ahead].u));
          prefetch_parent(static_cast<Word>(round[i + ahead].v));
        }
        unite(static_cast<Word>(round[i].u), static_cast<Word>(round[i].v), mine);
      }
    });
    std::uint64_t kept = 0;
    for (const tally& t : tallies_) kept += t.kept;
    if (const std::uint64_t more = kept - std::exchange(kept_, kept); more != 0) grow_giant(more);
    for (tally& t : tallies_) {
      if (t.largest > largest_) {
        largest_ = t.largest;
        giant_ = t.largest_root;
      }
      if (!t.large.empty()) {
        large_.insert(large_.end(), t.large.begin(), t.large.end());
        t.large.clear();
      }
    }
    components_ -= round.size();
  }

  [[nodiscard]] threshold_point point(double threshold) {
    if (large_.size() > 2 * pruned_) prune();
    std::uint64_t pairs = pairs_;
    for (const tally& t : tallies_) pairs += t.pairs;
    percentiles at{*this};
    const std::uint64_t median = at.next(50), percentile_90 = at.next(90), percentile_99 = at.next(99);
    return {.threshold = threshold,
            .components = components_,
            .largest = largest_,
            .singletons = count_of(1),
            .median = median,
            .percentile_90 = percentile_90,
            .percentile_99 = percentile_99,
            .pairs = pairs};
  }

private:
  static constexpr std::size_t ahead = 16, least_chunk = 128, most_chunk = std::size_t{1} << 14, small_sizes = 256;
  static constexpr Word root_bit = static_cast<Word>(Word{1} << (8 * sizeof(Word) - 1));
  using counts = std::array<std::uint64_t, small_sizes>;  // per size a change of the number of trees; modulo 2^64, so that sums are right

  static constexpr Word root_of(std::uint64_t size) noexcept { return static_cast<Word>(root_bit | static_cast<Word>(size)); }
  static constexpr bool is_root(Word word) noexcept { return (word & root_bit) != 0; }
  static constexpr Word size_in(Word word) noexcept { return static_cast<Word>(word & ~root_bit); }
  static constexpr std::uint64_t pairs_in(std::uint64_t size) noexcept {
    return size % 2 == 0 ? size / 2 * (size - 1) : (size - 1) / 2 * size;
  }

  /// What one thread has counted, in all rounds. Only this thread writes it, and others read it between loops.
  struct alignas(128) tally {
    std::uint64_t kept = 0;  ///< the number of vertices that joined the giant
    /// by how much this thread has changed the number of connected pairs of vertices outside the giant (modulo 2^64); pairs inside a tree
    /// that joins the giant are subtracted
    std::uint64_t pairs = 0;
    std::uint64_t largest = 0;  ///< the size of the largest tree that this thread made larger
    Word largest_root = 0;
    std::vector<Word> large;  ///< roots whose trees became large in this round
    counts small{};

    void end(std::uint64_t size) {
      if (size < small_sizes) --small[size];
    }
    void keep(std::uint64_t size) {
      pairs -= pairs_in(size);
      kept += size;
    }
    void grow(Word root, std::uint64_t before, std::uint64_t by) {
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

  struct tree {
    Word root, size;
  };

  /// Returns percentiles of the sizes of components for ascending percents, as size_counts::percentile() does.
  class percentiles {
  public:
    explicit percentiles(growing_trees& trees) : trees_{trees} {}
    std::uint64_t next(unsigned percent) {
      if (trees_.components_ == 0) return 0;
      const std::uint64_t rank = nearest_rank(trees_.components_, percent);
      while (passed_ < rank && size_ + 1 < small_sizes) passed_ += trees_.count_of(++size_);
      return passed_ >= rank ? size_ : trees_.large_size(rank - passed_ - 1, !std::exchange(among_large_, true));
    }

  private:
    growing_trees& trees_;
    std::uint64_t size_ = 0, passed_ = 0;  ///< passed_: how many components have at most size_ vertices
    bool among_large_ = false;
  };

  [[nodiscard]] Word load(Word v) noexcept { return std::atomic_ref<Word>{words_[v]}.load(std::memory_order_relaxed); }
  [[nodiscard]] bool swap(Word v, Word expected, Word wanted) noexcept {
    return std::atomic_ref<Word>{words_[v]}.compare_exchange_strong(expected, wanted, std::memory_order_relaxed);
  }
  template <unsigned_index Id>
  void prefetch_ends(edge<Id> e) const noexcept {
    __builtin_prefetch(&words_[static_cast<Word>(e.u)]);
    __builtin_prefetch(&words_[static_cast<Word>(e.v)]);
  }
  void prefetch_parent(Word v) noexcept {
    const Word word = load(v);
    __builtin_prefetch(&words_[is_root(word) ? v : word]);
  }

  /// Returns the root above v, and its size. Halves the path.
  [[nodiscard]] tree find(Word v) noexcept {
    for (;;) {
      const Word parent = load(v);
      if (is_root(parent)) return {v, size_in(parent)};
      const Word above = load(parent);
      if (is_root(above)) return {parent, size_in(above)};
      std::atomic_ref<Word>{words_[v]}.store(above, std::memory_order_relaxed);
      v = above;
    }
  }

  void unite(Word u, Word v, tally& mine) {
    const Word giant = giant_;
    tree low = find(u), high = find(v);
    for (;;) {
      if (low.root == high.root) throw usage_error{"the forest must be a list of edges without a cycle"};
      if (low.root == giant || (high.root != giant && std::pair{low.size, low.root} > std::pair{high.size, high.root}))
        std::swap(low, high);
      if (swap(low.root, root_of(low.size), high.root)) break;
      low = find(low.root);
      high = find(high.root);
    }
    mine.end(low.size);
    while (high.root != giant) {
      if (swap(high.root, root_of(high.size), root_of(std::uint64_t{high.size} + low.size))) {
        mine.grow(high.root, high.size, low.size);
        return;
      }
      high = find(high.root);
    }
    mine.keep(low.size);
  }

  /// Adds the vertices that the threads have counted for the giant to its size.
  void grow_giant(std::uint64_t by) {
    const std::uint64_t before = size_in(words_[giant_]), after = before + by;
    words_[giant_] = root_of(after);
    pairs_ += pairs_in(after) - pairs_in(before);
    largest_ = std::max(largest_, after);
    if (before < small_sizes) {
      --small_[before];
      if (after >= small_sizes) large_.push_back(giant_);
    }
    if (after < small_sizes) ++small_[after];
  }

  /// Returns the number of components of a small size.
  [[nodiscard]] std::uint64_t count_of(std::uint64_t size) const noexcept {
    std::uint64_t sum = small_[size];
    for (const tally& t : tallies_) sum += t.small[size];
    return sum;
  }
  /// Returns the element at position `rank` of the sizes of at least small_sizes vertices, in ascending order. `first`: true in the first
  /// call after a change of the trees, which collects these sizes.
  [[nodiscard]] std::uint64_t large_size(std::uint64_t rank, bool first) {
    if (first) {
      prune();
      large_sizes_.clear();
      for (const Word root : large_) large_sizes_.push_back(size_in(words_[root]));
    }
    const auto at = large_sizes_.begin() + static_cast<std::ptrdiff_t>(rank);
    std::nth_element(large_sizes_.begin(), at, large_sizes_.end());
    return *at;
  }

  /// Removes vertices that are no root any more from the list of large trees.
  void prune() {
    std::erase_if(large_, [this](Word root) { return !is_root(words_[root]); });
    pruned_ = large_.size();
  }

  const Backend& loops_;
  buffer<Word> words_;
  std::vector<tally> tallies_;  ///< per thread: how it changed the numbers of trees by size and of connected pairs of vertices
  /// for each size below small_sizes, the number of such trees at the start (all vertices, of size 1), changed where the giant has grown
  /// from or to that size; count_of() adds the changes in tallies_
  counts small_{};
  Word giant_ = 0;           ///< the root of the largest tree that is known; another root would be correct, too, but slower
  std::vector<Word> large_;  ///< all roots of trees of small_sizes or more vertices, and, until prune(), vertices that were such roots
  std::size_t pruned_ = 0;
  std::vector<std::uint64_t> large_sizes_;  ///< sizes of large trees, filled on demand
  std::uint64_t components_, largest_ = 0, pairs_ = 0, kept_ = 0;
};

}  // namespace copse::weighted
