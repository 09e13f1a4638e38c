// Contraction: after edges have joined trees, each tree gets a number below the number of trees, in the order of their roots. Later steps
// work on arrays of that length only.
#pragma once
#include <copse/memory.hpp>
#include <copse/types.hpp>
#include <core/new_pages.hpp>
#include <graph/scan.hpp>

#include <copse/extend/rules/find/halve.hpp>

#include <algorithm>
#include <cstddef>
#include <memory_resource>
#include <span>
#include <utility>
#include <vector>

namespace copse::weighted {

template <unsigned_index Id>
struct contraction {
  buffer<Id> number;  ///< for each vertex, the number of its tree
  Id count = 0;       ///< number of trees
};

/// Numbers the trees of `parents`, whose paths it shortens. O(n) finds.
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
    constexpr std::size_t ahead = 16;
    for (std::size_t v = begin; v < end; ++v) {
      if (v + ahead < end) {
        const Id parent = p.load(static_cast<Id>(v + ahead));
        p.prefetch(parent);
        __builtin_prefetch(&number[parent]);
      }
      if (const Id root = find::halve{}(p, static_cast<Id>(v)); root != v) number[v] = number[root];
    }
  });
  return trees;
}

/// Composes contractions to one. Each contracts the trees of the one before it, the first one `count` vertices. The last two are composed
/// first, because their arrays are the shortest.
template <class Backend, unsigned_index Id>
contraction<Id> compose(const Backend& loops, Id count, std::vector<contraction<Id>> steps, std::pmr::memory_resource* memory) {
  if (steps.empty()) {
    contraction<Id> none{touched_buffer<Id>(loops.threads(), count, memory), count};
    loops.for_each(count, [to = none.number.data()](std::size_t v) { to[v] = static_cast<Id>(v); });
    return none;
  }
  while (steps.size() > 1) {
    const contraction<Id> last = std::move(steps.back());
    steps.pop_back();
    contraction<Id>& before = steps.back();
    loops.for_each(before.number.size(), [to = before.number.data(), by = last.number.data()](std::size_t v) { to[v] = by[to[v]]; });
    before.count = last.count;
  }
  return std::move(steps.front());
}

}  // namespace copse::weighted
