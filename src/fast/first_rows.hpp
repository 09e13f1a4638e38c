// The fast path on the first rows of a graph. Without a sample it follows arcs to smaller vertices only, so that it neither needs words of
// other vertices nor looks at their arcs: a row is read up to its own vertex. With one, the rows are read as those of a graph whose parents
// are an array of all vertices: what that joins across the cut is joined in the graph too, and roots are below the cut, as links go to
// smaller vertices. The device that has the other rows finds the same edges there.
#pragma once
#include <copse/views.hpp>
#include <core/request.hpp>

#include <cstdint>
#include <span>

namespace copse::fast {

/// words[v] becomes, for every v < cut, a vertex below the cut that is connected to v: the smallest of those that edges among the vertices
/// below it join to v, or a smaller one. `words` has `cut` places, or one for each of all `vertices`, of which those from the cut on are
/// scratch. `g`: the graph's rows, or its first ones only, `cut` at least, with both directions of every edge.
template <class Backend, class Offset>
void label_first_rows(csr_view<std::uint32_t, Offset> g, std::uint32_t vertices, std::uint32_t cut, std::span<std::uint32_t> words,
                      const solve_request& options);

}  // namespace copse::fast
