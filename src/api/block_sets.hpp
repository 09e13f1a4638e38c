// Makes the biconnected components as sets of vertices, from the block of each edge of a spanning forest.
//
// Blocks are ordered by their two smallest vertices. The bridges, which are blocks of one edge, often come in this order already and are
// then only merged with the other blocks. After that, one pass over the vertices writes each vertex into the set of its block. Last, each
// set gets the head of its block, the vertex nearest to the root of its tree: one vertex may be the head of many blocks. Sets that several
// threads write to are sorted afterwards; the largest is gathered in order instead, as all threads would contend for it.
#pragma once
#include <copse/bridges.hpp>
#include <copse/memory.hpp>
#include <copse/types.hpp>
#include <copse/views.hpp>
#include <core/new_pages.hpp>
#include <core/radix_sort.hpp>
#include <drivers/bridges/found_cuts.hpp>
#include <drivers/rooting/ascending.hpp>
#include <graph/scan.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <tuple>

namespace copse::api {

template <class Loops, unsigned_index Id>
class block_sets {
public:
  /// Keeps references to `loops` and `named`, which has the biconnected components other than bridges; each has a number. `pairs`: the
  /// bridges, which are components of two vertices. `ordered`: true if bridges ascend and each has its smaller end first.
  block_sets(const Loops& loops, const drivers::named_blocks<Id>& named, std::span<const edge<Id>> pairs, bool ordered,
             std::pmr::memory_resource* memory)
      : loops_{loops}, named_{named}, pairs_{pairs}, ordered_{ordered}, memory_{memory}, next_{named.blocks.size(), memory} {}
  block_sets(const block_sets&) = delete;

  /// Returns the vertices of each biconnected component, ascending; the sets are ordered by their two smallest vertices.
  vertex_sets make() {
    const std::size_t count = named_.blocks.size() + pairs_.size();
    vertex_sets sets{touched_buffer<std::uint64_t>(loops_.threads(), count + 1, memory_), {}};
    sets.offsets[count] = 0;
    if (count == 0) return sets;
    if constexpr (Loops::concurrent) find_giant();
    const buffer<rank> ranks = order();
    loops_.for_each(count, [&](std::size_t i) { sets.offsets[i] = ranks[i].is_pair() ? 2 : named_.blocks[ranks[i].number].size; });
    sets.offsets[count] = exclusive_scan(sets.offsets.span().first(count), loops_.threads());
    sets.vertices = touched_buffer<std::uint64_t>(loops_.threads(), sets.offsets[count], memory_);
    if (!named_.blocks.empty()) {
      loops_.for_each(count, [&](std::size_t i) {
        if (!ranks[i].is_pair()) next_[ranks[i].number] = sets.offsets[i];
      });
      write(sets.vertices.data());
    }
    loops_.for_each(count, [&, vertices = sets.vertices.data()](std::size_t i) {
      std::uint64_t* const first = vertices + sets.offsets[i];
      if (ranks[i].is_pair()) {
        first[0] = ranks[i].least();
        first[1] = ranks[i].second;
      } else {
        complete(ranks[i].number, first, vertices + sets.offsets[i + 1]);
      }
    });
    return sets;
  }

private:
  struct rank {
    std::uint64_t key;  ///< the smallest vertex of the block; with 32-bit ids in the upper half, and the second smallest in the lower half
    Id second, number;

    rank() = default;
    rank(Id first_vertex, Id second_vertex, Id block) noexcept
        : key{sizeof(Id) == 4 ? std::uint64_t{first_vertex} << 32 | second_vertex : first_vertex}, second{second_vertex}, number{block} {}
    [[nodiscard]] bool is_pair() const noexcept { return number == no_vertex<Id>; }
    [[nodiscard]] std::uint64_t least() const noexcept { return sizeof(Id) == 4 ? key >> 32 : key; }
    static bool before(const rank& a, const rank& b) noexcept { return std::tie(a.key, a.second) < std::tie(b.key, b.second); }
  };

  void find_giant() {
    std::mutex guards_giant;
    loops_.for_blocks(named_.blocks.size(), [&](std::size_t begin, std::size_t end) {
      const auto* const blocks = named_.blocks.data();
      const auto* const largest =
          std::max_element(blocks + begin, blocks + end, [](const auto& a, const auto& b) { return a.size < b.size; });
      const std::scoped_lock lock{guards_giant};
      if (giant_ == no_vertex<Id> || largest->size > blocks[giant_].size) giant_ = static_cast<Id>(largest - blocks);
    });
  }

  buffer<rank> order() const {
    auto sets = touched_buffer<rank>(loops_.threads(), named_.blocks.size(), memory_);
    loops_.for_each(sets.size(), [this, &sets](std::size_t b) {
      sets[b] = rank{named_.blocks[b].least, named_.blocks[b].second, static_cast<Id>(b)};
    });
    radix_sort(sets.span(), &rank::key, &rank::before, loops_.threads());
    if (pairs_.empty()) return sets;
    auto pairs = touched_buffer<rank>(loops_.threads(), pairs_.size(), memory_);
    loops_.for_each(pairs.size(), [this, &pairs](std::size_t i) {
      pairs[i] = rank{std::min(pairs_[i].u, pairs_[i].v), std::max(pairs_[i].u, pairs_[i].v), no_vertex<Id>};
    });
    if (!ordered_) radix_sort(pairs.span(), &rank::key, &rank::before, loops_.threads());
    if (sets.empty()) return pairs;
    return sets.size() < pairs.size() ? merge(pairs, sets) : merge(sets, pairs);
  }

  /// Merges two ascending arrays on all threads: each chunk of `more` with the elements of `fewer` between its first element and that of
  /// the next chunk. No elements are equal, because two blocks share at most one vertex.
  buffer<rank> merge(const buffer<rank>& more, const buffer<rank>& fewer) const {
    auto all = touched_buffer<rank>(loops_.threads(), more.size() + fewer.size(), memory_);
    loops_.for_chunks(more.size(), std::size_t{1} << 14, [&more, &fewer, &all](std::size_t begin, std::size_t end) {
      const auto before = [&fewer](const rank& r) { return std::lower_bound(fewer.begin(), fewer.end(), r, &rank::before); };
      const rank* const first = begin == 0 ? fewer.begin() : before(more[begin]);
      const rank* const last = end == more.size() ? fewer.end() : before(more[end]);
      std::merge(more.begin() + begin, more.begin() + end, first, last, all.begin() + begin + (first - fewer.begin()), &rank::before);
    });
    return all;
  }

  /// Writes the vertices of blocks of three and more vertices, except the head of each block, which is its vertex nearest to the root of
  /// the spanning tree.
  void write(std::uint64_t* vertices) {
    const auto block_of = named_.block_of.span();
    if constexpr (Loops::concurrent) {
      drivers::ascending_to<std::uint64_t>(
          loops_, block_of.size(), [this, block_of](std::size_t v) { return block_of[v] == giant_; }, memory_,
          [&](std::size_t) { return vertices + next_[giant_]; });
    }
    loops_.for_each(block_of.size(), [this, block_of, vertices](std::size_t v) {
      const Id b = block_of[v];
      if (b == no_vertex<Id> || (Loops::concurrent && b == giant_)) return;
      vertices[advance(next_[b])] = v;
    });
  }

  /// Inserts the head of a block into the block's set of vertices, which write() has begun; writes both vertices of a block of two.
  void complete(Id number, std::uint64_t* first, std::uint64_t* last) const {
    const auto& block = named_.blocks[number];
    if (block.size == 2) {
      first[0] = block.least;
      first[1] = block.second;
      return;
    }
    std::uint64_t* const end = last - 1;  // write() has stored all vertices of the block except its head before this position
    if (Loops::concurrent && number != giant_) std::sort(first, end);
    std::uint64_t* const place = std::upper_bound(first, end, block.head);
    std::copy_backward(place, end, last);
    *place = block.head;
  }

  /// Increments `next`, atomically if several threads do so, and returns the value before.
  static std::uint64_t advance(std::uint64_t& next) noexcept {
    if constexpr (Loops::concurrent) {
      return std::atomic_ref<std::uint64_t>{next}.fetch_add(1, std::memory_order_relaxed);
    } else {
      return next++;
    }
  }

  const Loops& loops_;
  const drivers::named_blocks<Id>& named_;
  std::span<const edge<Id>> pairs_;
  bool ordered_;
  std::pmr::memory_resource* memory_;
  buffer<std::uint64_t> next_;  ///< for each block except bridges, the position in the result where its next vertex is written
  Id giant_ = no_vertex<Id>;    ///< the number of the block with most vertices
};

}  // namespace copse::api
