// Unites many unordered edges by many threads, none of which waits for a word that another thread has just written. Before there is a
// giant, nearly every edge links two trees; if any thread may link any vertex, each link waits several times for a cache line from another
// core. So edges are sorted by the range of vertices that their larger end is in; the parents of a range fit in the cache of a core. A
// range belongs to one thread at a time, which hooks its vertices by plain stores: for an edge from u to a smaller v, u takes v as its
// parent if it is a root; otherwise u takes the smaller of its parent and v, and the edge is deferred, as an edge between these two.
// Deferred edges are sorted and hooked again. After a few rounds the edges that are still deferred have small ends or are inside trees, and
// are united one by one. An edge never leaves its block of the list, so sorting stays in the cache too. The list is processed in parts of a
// quarter as many edges as there are vertices, which is as fast as all edges at once and takes less memory. Invariant: p[v] <= v. A tree
// may be in two pieces until the deferred edge between them is united.
#pragma once
#include <copse/errors.hpp>
#include <copse/memory.hpp>
#include <copse/views.hpp>
#include <core/new_pages.hpp>
#include <core/random.hpp>
#include <fast/in_flight.hpp>
#include <fast/passes.hpp>
#include <fast/unite_list.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace copse::fast {

/// Returns the larger of two ids without a branch, which would be mispredicted half the time. Compilers make std::max a branch in the loop
/// that defers edges.
template <class Id>
constexpr Id larger(Id a, Id b) noexcept {
  return a ^ ((a ^ b) & (Id{0} - static_cast<Id>(a < b)));
}

/// Memory for some edges of a list, which are sorted by range within each block.
template <class Id>
class edges_by_range {
public:
  edges_by_range(Id vertices, unsigned threads, std::pmr::memory_resource* memory)
      : vertices_{vertices},
        shift_{static_cast<unsigned>(std::bit_width((vertices - 1) / wanted_ranges(vertices)))},
        ranges_{static_cast<std::size_t>((vertices - 1) >> shift_) + 1},
        block_{std::clamp(vertices / (std::size_t{threads} * blocks_of_thread * 4), ranges_ * 16, std::min(ranges_ * 512, most_in_block))},
        most_blocks_{vertices / 4 / block_ + 1},
        room_{(most_blocks_ + threads) * block_, memory},
        begins_{most_blocks_ * (ranges_ + 1), memory},
        left_{most_blocks_ * ranges_, memory} {
    touch_pages(threads, room_.span());
  }

  [[nodiscard]] Id vertices() const noexcept { return vertices_; }
  /// Number of edges that there is memory for.
  [[nodiscard]] std::size_t capacity() const noexcept { return most_blocks_ * block_; }

  /// Prepares for `edges` edges of a list, in blocks that are sorted one by one; all blocks are empty at first.
  void begin(std::size_t edges) {
    edges_ = edges;
    blocks_ = (edges + block_ - 1) / block_;
    std::fill(begins_.begin(), begins_.end(), 0);
    std::fill(left_.begin(), left_.end(), 0);
  }

  [[nodiscard]] std::size_t blocks() const noexcept { return blocks_; }
  [[nodiscard]] std::size_t ranges() const noexcept { return ranges_; }
  [[nodiscard]] std::size_t begin_of(std::size_t block) const noexcept { return block * block_; }
  [[nodiscard]] std::size_t end_of(std::size_t block) const noexcept { return std::min(edges_, (block + 1) * block_); }

  /// Sorts edges [first, last) into the block. Returns false, and leaves the block empty, if an end of one of them is not a
  /// vertex.
  template <class Edges>
  bool sort(std::size_t block, const Edges& edges, std::size_t first, std::size_t last) {
    std::array<std::uint32_t, most_ranges> places{};
    Id largest = 0;
    for (std::size_t i = first; i < last; ++i) {
      const Id u = larger(edges[i].u, edges[i].v);
      largest = std::max(largest, u);
      ++places[std::min(u, vertices_ - 1) >> shift_];
    }
    if (largest >= vertices_) return false;
    std::uint32_t *const begins = begins_.data() + block * (ranges_ + 1), *const left = left_.data() + block * ranges_;
    std::uint32_t next = 0;
    for (std::size_t range = 0; range < ranges_; ++range) {
      begins[range] = next;
      left[range] = places[range];
      places[range] = next;
      next += left[range];
    }
    begins[ranges_] = next;
    edge<Id>* const room = room_.data() + begin_of(block);
    for (std::size_t i = first; i < last; ++i) {
      const edge<Id> e = edges[i];
      const Id u = larger(e.u, e.v), v = e.u ^ e.v ^ u;
      room[places[u >> shift_]++] = {u, v};
    }
    return true;
  }

  /// For each edge of a range: if the larger end is a root, hooks it to the smaller end; otherwise keeps the smaller of its parent and that
  /// end as its parent, and defers an edge between these two. Returns the number of deferred edges. Precondition: no other thread uses this
  /// range; `words` are the parents.
  template <class P, class Notes>
  std::size_t hook(P p, const Id* words, std::size_t range, Notes& notes) {
    std::size_t all = 0, links = 0;
    for (std::size_t block = 0; block < blocks_; ++block) {
      const std::uint32_t* const begins = begins_.data() + block * (ranges_ + 1) + range;
      edge<Id>* const edges = room_.data() + begin_of(block) + begins[0];
      const std::size_t count = begins[1] - begins[0];
      std::size_t down = 0;
      for (std::size_t k = 0; k < count; ++k) {
        prefetch_to_write(words + edges[std::min(k + edges_ahead, count - 1)].u);
        const auto [u, v] = edges[k];
        if (u == v) continue;
        const Id parent = parent_of(p, u), high = larger(parent, v), low = parent ^ v ^ high;
        p.store(u, p.link(low));
        links += static_cast<std::size_t>(parent == u);
        edges[down] = {high, low};
        down += static_cast<std::size_t>((parent != u) & (parent != v));
      }
      left_[block * ranges_ + range] = static_cast<std::uint32_t>(down);
      all += down;
    }
    notes.add_links(links);
    return all;
  }

  /// Returns the edges of a block of the list that are still deferred, in memory of the calling thread; valid until the same thread calls
  /// it again.
  std::span<const edge<Id>> left_of(std::size_t block, unsigned thread) {
    edge<Id>* const to = room_.data() + begin_of(most_blocks_ + thread);
    std::size_t count = 0;
    for (std::size_t range = 0; range < ranges_; ++range) {
      const std::size_t left = left_[block * ranges_ + range];
      std::copy_n(room_.data() + begin_of(block) + begins_[block * (ranges_ + 1) + range], left, to + count);
      count += left;
    }
    return {to, count};
  }

  void sort_again(std::size_t block, unsigned thread) {
    const auto left = left_of(block, thread);
    sort(block, left, 0, left.size());
  }

  /// Returns the number of deferred edges whose larger ends are in the range of the smallest vertices.
  [[nodiscard]] std::size_t lowest() const noexcept {
    std::size_t count = 0;
    for (std::size_t block = 0; block < blocks_; ++block) count += left_[block * ranges_];
    return count;
  }

private:
  // The parents of the vertices in a range fit in the second-level cache of a core, and so do the edges of a block. The edges that a
  // block has in one range are adjacent, and are read in order.
  static constexpr std::size_t words_of_range = std::size_t{1} << 16, fewest_ranges = 64, most_ranges = 1024;
  static constexpr std::size_t blocks_of_thread = 4, most_in_block = std::size_t{1} << 17;
  static Id wanted_ranges(Id vertices) noexcept {
    return static_cast<Id>(std::clamp<std::size_t>(vertices / words_of_range, fewest_ranges, most_ranges));
  }

  Id vertices_;
  unsigned shift_;
  std::size_t ranges_, block_, most_blocks_, edges_ = 0, blocks_ = 0;
  buffer<edge<Id>> room_;                ///< the edges of each block, then memory per thread for left_of()
  buffer<std::uint32_t> begins_, left_;  ///< per range and block: where its edges begin, and how many are not united yet
};

/// Allocates `room`. Returns false if there is not enough memory.
template <class Id>
bool make_room(std::optional<edges_by_range<Id>>& room, Id vertices, unsigned threads, std::pmr::memory_resource* memory) {
  try {
    room.emplace(vertices, threads, memory);
    return true;
  } catch (const resource_error&) {
    return false;
  }
}

/// Unites edges [first, last), which fit in `room`.
template <class Unite, class Backend, class P, class Edges, class Notes, class Unknown>
void unite_in_room(const Backend& loops, edges_by_range<typename P::id>& room, P p, const typename P::id* words, const Edges& edges,
                   std::size_t first, std::size_t last, Notes notes, Unknown unknown) {
  constexpr unsigned most_rounds = 5;
  // If fewer than one edge in eight is deferred, another round, which sorts and hooks the deferred edges, takes longer than uniting these
  // one by one.
  constexpr std::size_t fewest_deferred = 8;
  room.begin(last - first);
  const auto in_blocks = [&room](const Backend& by, auto f) {
    by.for_chunks(room.blocks(), 1, [&f](std::size_t block, std::size_t stop) {
      for (; block < stop; ++block) f(block);
    });
  };
  const auto unite_left = [&](const Backend& by) {
    in_blocks(by, [&](std::size_t block) {
      auto own = notes();
      const auto left = room.left_of(block, Backend::thread());
      unite_known<Unite, asked_ahead::grandparents>(p, words, left, 0, left.size(), own);
    });
  };
  try {
    in_blocks(loops, [&](std::size_t block) {
      const std::size_t begin = first + room.begin_of(block), end = first + room.end_of(block);
      if (!room.sort(block, edges, begin, end)) unknown(begin, end);
    });
    for (unsigned round = 1;; ++round) {
      std::atomic<std::size_t> down{0};
      loops.for_chunks(room.ranges(), 1, [&](std::size_t range, std::size_t stop) {
        auto own = notes();
        // The last ranges have the most edges, because these are sorted by their larger ends. They are taken first, so that no thread is
        // left with one at the end.
        for (; range < stop; ++range) down.fetch_add(room.hook(p, words, room.ranges() - 1 - range, own), std::memory_order_relaxed);
      });
      const std::size_t deferred = down.load(std::memory_order_relaxed);
      if (round == most_rounds || fewest_deferred * deferred < last - first) break;
      in_blocks(loops, [&](std::size_t block) { room.sort_again(block, Backend::thread()); });
      if (2 * room.lowest() > deferred) break;  // most edges left are in the lowest range, which one thread hooks alone
    }
    unite_left(loops);
  } catch (...) {
    // Unites the deferred edges before the exception is passed on: such an edge may stand for a parent that a vertex has lost, without
    // which a tree would be in two pieces. These loops have no observer, so nothing can stop them.
    unite_left(Backend{loops.threads()});
    throw;
  }
}

/// Unites the first `count` edges. `notes()` returns what one thread notes of links (unite_list.hpp). If an end in a group of edges is not
/// a vertex, unknown(begin, end) is called and the group is not united. If that throws, some edges are united and others are not.
/// Precondition: no other thread reads or changes parents.
template <class Unite, class Backend, class P, class Edges, class Notes, class Unknown>
void unite_by_ranges(const Backend& loops, edges_by_range<typename P::id>& room, P p, const typename P::id* words, const Edges& edges,
                     std::size_t count, Notes notes, Unknown unknown) {
  for (std::size_t at = 0; at < count;) {
    const std::size_t end = std::min(count, at + room.capacity());
    unite_in_room<Unite>(loops, room, p, words, edges, at, end, notes, unknown);
    at = end;
  }
}

/// True if it pays to sort the first `count` edges by ranges of vertices, and to unite them range by range. It needs enough edges to be
/// worth sorting. It does not pay for a list in some order, whose parents are in the caches anyway; for chains of consecutive vertices, as
/// in roads, which become deep trees because each vertex hooks to the one before; or if few vertices have most edges, because few edges
/// hook anything.
template <class Edges>
bool suits_ranges(unsigned threads, const Edges& edges, std::size_t count, std::size_t vertices, std::uint64_t seed) {
  if (threads < 4 || count < std::max(std::size_t{1} << 18, vertices / 4)) return false;
  constexpr std::size_t draws = 1024;
  std::array<std::size_t, draws> ends;
  std::size_t ordered = 0;
  for (std::size_t k = 0; k < draws; ++k) {
    const std::size_t i = random_stream{seed, 11}.below(k, count - 1);
    const auto [u, v] = edges[i];
    const auto [next_u, next_v] = edges[i + 1];
    const auto are_near = [](std::size_t a, std::size_t b, std::size_t reach) { return a - b + reach <= 2 * reach; };
    ordered += static_cast<std::size_t>(are_near(u, next_u, vertices / 64) || are_near(v, next_v, vertices / 64) || are_near(u, v, 1));
    ends[k] = std::max(u, v);
  }
  std::ranges::sort(ends);
  const auto repeated = static_cast<std::size_t>(ends.end() - std::unique(ends.begin(), ends.end()));
  return ordered < draws / 4 && repeated <= 4 + 8 * (draws * draws / 2) / vertices;
}

}  // namespace copse::fast
