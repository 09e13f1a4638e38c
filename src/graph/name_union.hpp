// The names of two answers together. Both lists are ascending, so their union is found by walking them side by side, in blocks that threads
// take: no hash table, no sort. Positions keep their order.
#pragma once
#include <copse/graph.hpp>
#include <copse/memory.hpp>
#include <copse/types.hpp>

#include <memory_resource>

namespace copse {

template <unsigned_index Id>
struct name_union {
  vertex_names names;
  buffer<Id> of_a, of_b;  ///< the position in it of every name of a and of b
};

/// Preconditions: names of one kind, of which there are no more together than an Id can number. O(names of both), two passes.
template <unsigned_index Id>
name_union<Id> unite_names(const vertex_names& a, const vertex_names& b, unsigned threads, std::pmr::memory_resource* memory);

}  // namespace copse
