// Trees become vertices: after edges have joined trees, each tree gets a number below the number of trees, in the order of their roots.
// What is left to do works on arrays of that length only.
#pragma once
#include <copse/memory.hpp>
#include <copse/types.hpp>
#include <core/new_pages.hpp>
#include <graph/scan.hpp>

#include <copse/extend/rules/find/halve.hpp>

#include <algorithm>
#include <cstddef>
#include <span>

namespace copse::weighted {

template <unsigned_index Id>
struct contraction {
  buffer<Id> number;  ///< per vertex, the number of its tree
  Id count = 0;       ///< number of trees
};

/// O(n) finds; shortens the paths in `parents`.
template <class Backend, unsigned_index Id>
contraction<Id> contract(const Backend& loops, std::span<Id> parents, std::pmr::memory_resource* memory) {
  constexpr std::size_t block = std::size_t{1} << 14;
  const typename Backend::template parents<Id> p{parents.data()};
  const std::size_t n = parents.size();
  contraction<Id> trees{buffer<Id>{n, memory}, 0};
  touch_pages(loops.threads(), trees.number.span());
  buffer<Id> starts{(n + block - 1) / block, memory};
  const std::span<Id> number = trees.number.span();
  loops.for_chunks(n, block, [p, &starts](std::size_t begin, std::size_t end) {
    Id roots = 0;
    for (std::size_t v = begin; v < end; ++v) roots += p.is_root(static_cast<Id>(v), p.load(static_cast<Id>(v))) ? 1 : 0;
    starts[begin / block] = roots;
  });
  trees.count = exclusive_scan(starts.span(), loops.threads());
  loops.for_chunks(n, block, [p, &starts, number](std::size_t begin, std::size_t end) {
    Id next = starts[begin / block];
    for (std::size_t v = begin; v < end; ++v) {
      if (p.is_root(static_cast<Id>(v), p.load(static_cast<Id>(v)))) number[v] = next++;
    }
  });
  loops.for_chunks(n, block, [p, number](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      if (const Id root = find::halve{}(p, static_cast<Id>(v)); root != v) number[v] = number[root];
    }
  });
  return trees;
}

/// Both, one after the other: `first` says what a vertex of `then` was.
template <class Backend, unsigned_index Id>
void compose(const Backend& loops, contraction<Id>& first, const contraction<Id>& then) {
  loops.for_each(first.number.size(), [to = first.number.data(), by = then.number.data()](std::size_t v) { to[v] = by[to[v]]; });
  first.count = then.count;
}

}  // namespace copse::weighted
