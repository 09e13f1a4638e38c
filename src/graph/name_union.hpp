// The union of the names of two answers. Both lists are ascending, so threads merge them in blocks, without a hash table or a sort. The
// order of names is kept.
#pragma once
#include <copse/graph.hpp>
#include <copse/memory.hpp>
#include <copse/types.hpp>

#include <memory_resource>

namespace copse {

template <unsigned_index Id>
struct name_union {
  vertex_names names;
  buffer<Id> of_a, of_b;  ///< for each name of a and of b, its position in `names`
};

/// Preconditions: the names are of one kind, and an Id can number all names of both lists together. O(names of both lists), in two passes.
template <unsigned_index Id>
name_union<Id> unite_names(const vertex_names& a, const vertex_names& b, unsigned threads, std::pmr::memory_resource* memory);

}  // namespace copse
