// Finds vertices by degree: the vertex of highest degree among random ones, and the neighbour of highest degree of every vertex.
#pragma once
#include <copse/memory.hpp>
#include <core/random.hpp>
#include <loops/arcs.hpp>

#include <algorithm>
#include <cstddef>
#include <memory_resource>

namespace copse::backend {

/// Returns the vertex of highest degree among some random vertices and vertex 0. Precondition: there are vertices.
template <class Backend, class Id>
Id busiest_of(const Backend& /*loops*/, const any_rows<Id>& rows, unsigned samples, random_stream random) {
  Id best = 0;
  for (unsigned k = 0; k < samples; ++k) {
    const Id v = static_cast<Id>(random.below(k, rows.vertices()));
    if (rows.degree(v) > rows.degree(best)) best = v;
  }
  return best;
}

/// Returns the neighbour of highest degree for every vertex, of several such neighbours the first in the row, and the vertex itself if it
/// has no arcs. Reads all arcs, and the degree of each target, so callers compute it once even if they walk the arcs several times.
template <class Backend, class Id>
buffer<Id> heaviest_neighbours(const Backend& loops, const any_rows<Id>& rows, std::pmr::memory_resource* memory) {
  buffer<Id> heaviest{rows.vertices(), memory};
  loops.for_blocks(heaviest.size(), [&rows, to = heaviest.data()](std::size_t begin, std::size_t end) {
    const auto lighter = [&rows](Id a, Id b) { return rows.degree(a) < rows.degree(b); };
    for (std::size_t i = begin; i < end; ++i) {
      const Id v = static_cast<Id>(i);
      const auto row = rows.row(v);
      to[i] = row.empty() ? v : *std::max_element(row.begin(), row.end(), lighter);
    }
  });
  return heaviest;
}

}  // namespace copse::backend
