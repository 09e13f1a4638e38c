// A bit per vertex that shows whether it is in the largest tree. If a graph has a giant, most edges have both ends in it once the light
// edges are solved: two bits, which the caches hold, show this before the numbers of the trees are read, which they do not hold.
#pragma once
#include <copse/memory.hpp>
#include <core/most_frequent.hpp>
#include <core/random.hpp>
#include <weighted/contraction.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace copse::weighted {

template <unsigned_index Id>
class largest_tree {
public:
  /// Finds the largest tree by the trees of a sample of ends of edges. If fewer than a third of the sample is in one tree, has_both() is
  /// false for all edges: the test would filter out too few to be worth its time. Precondition: there are edges.
  template <class Backend, class Source>
  largest_tree(const Backend& loops, const contraction<Id>& trees, const Source& source, std::pmr::memory_resource* memory) {
    constexpr std::size_t samples = 1024, fewest_votes = samples / 3;
    const std::size_t n = trees.number.size();
    std::array<Id, samples> seen;
    const random_stream random{1, 1};
    for (std::size_t k = 0; k < samples; ++k) seen[k] = trees.number[source.an_end(random.below(k, source.positions()))];
    const auto [giant, votes] = most_frequent(std::span<Id>{seen});
    if (votes < fewest_votes) return;
    words_ = buffer<std::uint64_t>{(n + 63) / 64, memory};
    loops.for_blocks(words_.size(),
                     [=, number = trees.number.data(), words = words_.data(), largest = giant](std::size_t begin, std::size_t end) {
                       for (std::size_t w = begin; w < end; ++w) {
                         const std::size_t first = w * 64, last = std::min(n, first + 64);
                         std::uint64_t bits = 0;
                         for (std::size_t v = first; v < last; ++v) bits |= std::uint64_t{number[v] == largest} << (v - first);
                         words[w] = bits;
                       }
                     });
  }

  /// Tests whether both ends of an edge are in the largest tree. Each thread takes a copy.
  class test {
  public:
    explicit test(const largest_tree& tree) noexcept : words_{tree.words_.data()} {}
    /// False if no tree is large enough.
    [[nodiscard]] bool is_any() const noexcept { return words_ != nullptr; }
    [[nodiscard]] bool has_both(Id u, Id v) const noexcept { return is_any() && (has(u) & has(v)); }
    /// Precondition: is_any().
    [[nodiscard]] bool has(Id v) const noexcept { return (words_[v / 64] >> (v % 64) & 1) != 0; }
    /// Calls f(v) for each vertex of [first, last] that is not in the tree. Precondition: is_any().
    template <class F>
    void each_outside(Id first, Id last, F f) const {
      for (std::size_t word = first / 64; word <= last / 64; ++word) {
        std::uint64_t outside = ~words_[word];
        if (word == first / 64) outside &= ~std::uint64_t{0} << (first % 64);
        if (word == last / 64) outside &= ~std::uint64_t{0} >> (63 - last % 64);
        for (; outside != 0; outside &= outside - 1) f(static_cast<Id>(word * 64 + static_cast<std::size_t>(std::countr_zero(outside))));
      }
    }

  private:
    const std::uint64_t* words_;
  };

private:
  buffer<std::uint64_t> words_;
};

}  // namespace copse::weighted
