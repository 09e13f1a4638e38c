// The biconnected components as sets of vertices, from the block of each edge of a forest.
//
// Two passes over the vertices find the size and the two smallest vertices of each block, which order the blocks; a third writes each
// vertex into its set, and last its head, which may be the head of many, is inserted. Only sets that several threads write to at once need
// sorting. Threads would wait for one another at the counts of a block that has most of the vertices, so the largest is counted and
// gathered apart.
#pragma once
#include <copse/bridges.hpp>
#include <copse/memory.hpp>
#include <copse/types.hpp>
#include <drivers/bridges/found_cuts.hpp>
#include <drivers/rooting/ascending.hpp>
#include <drivers/streaming/radix_sort.hpp>
#include <graph/scan.hpp>
#include <sample/giant.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <tuple>

namespace copse::api {

template <class Loops, unsigned_index Id>
class block_sets {
public:
  /// Takes both by reference.
  block_sets(const Loops& loops, const drivers::named_blocks<Id>& named, std::pmr::memory_resource* memory)
      : loops_{loops}, named_{named}, memory_{memory}, blocks_{named.heads.size(), memory} {}
  block_sets(const block_sets&) = delete;

  /// Vertices ascend; sets are ordered by their two smallest vertices.
  vertex_sets make() {
    const std::size_t count = blocks_.size();
    vertex_sets sets{buffer<std::uint64_t>{count + 1, memory_}, {}};
    sets.offsets[count] = 0;
    if (count == 0) return sets;
    describe();
    const buffer<rank> ranks = order();
    loops_.for_each(count, [&](std::size_t i) { sets.offsets[i] = blocks_[ranks[i].number].size; });
    sets.offsets[count] = exclusive_scan(sets.offsets.span().first(count), loops_.threads());
    loops_.for_each(count, [&](std::size_t i) { blocks_[ranks[i].number].next = sets.offsets[i]; });
    sets.vertices = buffer<std::uint64_t>{sets.offsets[count], memory_};
    write(sets.vertices.data());
    loops_.for_each(count, [&, vertices = sets.vertices.data()](std::size_t i) {
      insert_head(ranks[i].number, vertices + sets.offsets[i], vertices + sets.offsets[i + 1]);
    });
    return sets;
  }

private:
  struct block {
    Id least, second;
    std::uint64_t size, next;  ///< vertices; where the next is written
  };
  struct rank {
    std::uint64_t key;
    Id second, number;
  };

  void describe() {
    const auto block_of = named_.block_of.span();
    const std::size_t n = block_of.size();
    constexpr unsigned samples = 1024, probes = 64;
    giant_ = sample::most_frequent_label(
        static_cast<Id>(n),
        [block_of, n](std::size_t v) {
          for (unsigned k = 1; k < probes && block_of[v] == no_vertex<Id>; ++k) v = v + 1 == n ? 0 : v + 1;  // past vertices without edges
          return block_of[v];
        },
        samples, 1);
    loops_.for_each(blocks_.size(), [this](std::size_t b) { blocks_[b] = {named_.heads[b], no_vertex<Id>, 1, 0}; });
    loops_.for_blocks(n, [this, block_of](std::size_t begin, std::size_t end) {
      std::uint64_t in_giant = 0;
      for (std::size_t v = begin; v < end; ++v) {
        const Id b = block_of[v];
        if (b == no_vertex<Id>) continue;
        lower(blocks_[b].least, static_cast<Id>(v));
        if (b == giant_) {
          ++in_giant;
        } else {
          add(blocks_[b].size, 1);
        }
      }
      if (in_giant != 0) add(blocks_[giant_].size, in_giant);
    });
    loops_.for_each(blocks_.size(), [this](std::size_t b) {
      if (named_.heads[b] != blocks_[b].least) blocks_[b].second = named_.heads[b];
    });
    loops_.for_each(n, [this, block_of](std::size_t v) {
      const Id b = block_of[v];
      if (b != no_vertex<Id> && v != blocks_[b].least) lower(blocks_[b].second, static_cast<Id>(v));
    });
  }

  buffer<rank> order() {
    buffer<rank> ranks{blocks_.size(), memory_};
    loops_.for_each(ranks.size(), [this, &ranks](std::size_t b) {
      const std::uint64_t least = blocks_[b].least, second = blocks_[b].second;
      ranks[b] = {sizeof(Id) == 4 ? least << 32 | second : least, static_cast<Id>(second), static_cast<Id>(b)};
    });
    streaming::radix_sort(
        ranks.span(), &rank::key, [](const rank& a, const rank& b) { return std::tie(a.key, a.second) < std::tie(b.key, b.second); },
        loops_.threads());
    return ranks;
  }

  /// All vertices but heads.
  void write(std::uint64_t* vertices) {
    const auto block_of = named_.block_of.span();
    if (Loops::concurrent && giant_ != no_vertex<Id>) {
      drivers::ascending_to<std::uint64_t>(
          loops_, block_of.size(), [this, block_of](std::size_t v) { return block_of[v] == giant_; }, memory_,
          [&](std::size_t) { return vertices + blocks_[giant_].next; });
    }
    loops_.for_each(block_of.size(), [this, block_of, vertices](std::size_t v) {
      const Id b = block_of[v];
      if (b == no_vertex<Id> || (Loops::concurrent && b == giant_)) return;
      vertices[add(blocks_[b].next, 1)] = v;
    });
  }

  void insert_head(Id number, std::uint64_t* first, std::uint64_t* last) const {
    std::uint64_t* const end = last - 1;  // what has been written
    if (Loops::concurrent && number != giant_) std::sort(first, end);
    const std::uint64_t head = named_.heads[number];
    std::uint64_t* const place = std::upper_bound(first, end, head);
    std::copy_backward(place, end, last);
    *place = head;
  }

  static void lower(Id& word, Id value) noexcept { typename Loops::template parents<Id>{&word}.fetch_min(Id{0}, value); }
  /// Returns the value before.
  static std::uint64_t add(std::uint64_t& word, std::uint64_t more) noexcept {
    if constexpr (Loops::concurrent) {
      return std::atomic_ref<std::uint64_t>{word}.fetch_add(more, std::memory_order_relaxed);
    } else {
      return (word += more) - more;
    }
  }

  const Loops& loops_;
  const drivers::named_blocks<Id>& named_;
  std::pmr::memory_resource* memory_;
  buffer<block> blocks_;
  Id giant_ = no_vertex<Id>;
};

}  // namespace copse::api
