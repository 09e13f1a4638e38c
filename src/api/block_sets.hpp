// The biconnected components as sets of vertices, from the block of each edge of a forest.
//
// Blocks are ordered by their two smallest vertices. Then one pass over the vertices writes each into its set, and last its head, which may
// be the head of many, is inserted. Only sets that several threads write to at once need sorting; threads would wait for one another at the
// largest, which is gathered in order instead.
#pragma once
#include <copse/bridges.hpp>
#include <copse/memory.hpp>
#include <copse/types.hpp>
#include <core/radix_sort.hpp>
#include <drivers/bridges/found_cuts.hpp>
#include <drivers/rooting/ascending.hpp>
#include <graph/scan.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <tuple>

namespace copse::api {

template <class Loops, unsigned_index Id>
class block_sets {
public:
  /// Takes both by reference.
  block_sets(const Loops& loops, const drivers::named_blocks<Id>& named, std::pmr::memory_resource* memory)
      : loops_{loops}, named_{named}, memory_{memory}, next_{named.blocks.size(), memory} {}
  block_sets(const block_sets&) = delete;

  /// Vertices ascend; sets are ordered by their two smallest vertices.
  vertex_sets make() {
    const std::size_t count = named_.blocks.size();
    vertex_sets sets{buffer<std::uint64_t>{count + 1, memory_}, {}};
    sets.offsets[count] = 0;
    if (count == 0) return sets;
    if constexpr (Loops::concurrent) find_giant();
    const buffer<rank> ranks = order();
    loops_.for_each(count, [&](std::size_t i) { sets.offsets[i] = named_.blocks[ranks[i].number].size; });
    sets.offsets[count] = exclusive_scan(sets.offsets.span().first(count), loops_.threads());
    loops_.for_each(count, [&](std::size_t i) { next_[ranks[i].number] = sets.offsets[i]; });
    sets.vertices = buffer<std::uint64_t>{sets.offsets[count], memory_};
    write(sets.vertices.data());
    loops_.for_each(count, [&, vertices = sets.vertices.data()](std::size_t i) {
      complete(ranks[i].number, vertices + sets.offsets[i], vertices + sets.offsets[i + 1]);
    });
    return sets;
  }

private:
  struct rank {
    std::uint64_t key;
    Id second, number;
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

  buffer<rank> order() {
    buffer<rank> ranks{named_.blocks.size(), memory_};
    loops_.for_each(ranks.size(), [this, &ranks](std::size_t b) {
      const std::uint64_t least = named_.blocks[b].least, second = named_.blocks[b].second;
      ranks[b] = {sizeof(Id) == 4 ? least << 32 | second : least, static_cast<Id>(second), static_cast<Id>(b)};
    });
    radix_sort(
        ranks.span(), &rank::key, [](const rank& a, const rank& b) { return std::tie(a.key, a.second) < std::tie(b.key, b.second); },
        loops_.threads());
    return ranks;
  }

  /// All vertices but heads, of blocks of more than two.
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

  /// Writes the head, or both vertices.
  void complete(Id number, std::uint64_t* first, std::uint64_t* last) const {
    const auto& block = named_.blocks[number];
    if (block.size == 2) {
      first[0] = block.least;
      first[1] = block.second;
      return;
    }
    std::uint64_t* const end = last - 1;  // what has been written
    if (Loops::concurrent && number != giant_) std::sort(first, end);
    std::uint64_t* const place = std::upper_bound(first, end, block.head);
    std::copy_backward(place, end, last);
    *place = block.head;
  }

  /// Returns the value before.
  static std::uint64_t advance(std::uint64_t& next) noexcept {
    if constexpr (Loops::concurrent) {
      return std::atomic_ref<std::uint64_t>{next}.fetch_add(1, std::memory_order_relaxed);
    } else {
      return next++;
    }
  }

  const Loops& loops_;
  const drivers::named_blocks<Id>& named_;
  std::pmr::memory_resource* memory_;
  buffer<std::uint64_t> next_;  ///< by block: where the next vertex is written
  Id giant_ = no_vertex<Id>;    ///< the number of the largest block
};

}  // namespace copse::api
