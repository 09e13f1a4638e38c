// The last pass: inverted parents become labels, in place. Because a parent is never larger than its child, one ascending pass of one
// thread finds every parent already labelled; several threads climb to the root instead, then turn the words around.
#pragma once
#include <copse/extend/rules/find/naive.hpp>

#include <cstddef>

#include "core/parallel.hpp"
#include "inverted_parents.hpp"

namespace copse::streaming {

inline constexpr std::size_t flatten_block = std::size_t{1} << 16;

/// Points every present vertex below `count` at its root. Words stay inverted parents.
template <class Words>
void point_at_roots(Words words, std::size_t count, unsigned threads) {
  using id = typename Words::id;
  if (threads <= 1) {
    const plain_inverted<Words> parents{words};
    for (std::size_t v = 0; v < count; ++v) {
      const id x = static_cast<id>(v);
      if (!parents.absent(x)) parents.store(x, parents.load(parents.load(x)));
    }
    return;
  }
  parallel_blocks(threads, count, flatten_block, [words](std::size_t begin, std::size_t end) {
    const shared_inverted<Words> parents{words};
    for (std::size_t v = begin; v < end; ++v) {
      const id x = static_cast<id>(v);
      if (parents.absent(x)) continue;
      const id root = find::naive{}(parents, x);
      if (root != parents.load(x)) parents.store(x, root);
    }
  });
}

/// Turns words 0 .. count - 1 into labels; an absent vertex gets no_vertex, which is its word turned around.
template <unsigned_index Id>
void turn_into_labels(Id* words, std::size_t count, unsigned threads) {
  if (threads <= 1) {
    for (std::size_t v = 0; v < count; ++v) {
      const Id parent = static_cast<Id>(~words[v]);
      words[v] = parent >= v ? parent : words[parent];  // a root, or absent, or the label that the parent has already
    }
    return;
  }
  point_at_roots(flat_words<Id>{words}, count, threads);
  parallel_blocks(threads, count, flatten_block, [words](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) words[v] = static_cast<Id>(~words[v]);
  });
}

}  // namespace copse::streaming
