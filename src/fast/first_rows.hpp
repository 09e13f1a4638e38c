// The fast path on the first rows of a graph, which are those of the vertices below a cut. Without a sample it follows arcs to smaller
// vertices only, so it needs neither the parents nor the arcs of vertices from the cut on: a row is read up to its own vertex. With a
// sample, the rows are read as those of a graph whose parents are an array of all vertices. Links across the cut are right, because they
// follow edges of the graph, and roots are below the cut, because links go to smaller vertices. The device that has the other rows finds
// the same edges there.
#pragma once
#include <copse/views.hpp>
#include <core/request.hpp>

#include <cstdint>
#include <span>

namespace copse::fast {

/// For every v < cut, sets words[v] to a vertex below the cut that is connected to v. It is at most the smallest vertex that is connected
/// to v by edges among the vertices below the cut. `words` has `cut` elements, or one for each of all `vertices`, of which those from the
/// cut on are scratch. `g`: all rows of the graph, or at least its first `cut` rows, with both directions of every edge.
template <class Backend, class Offset>
void label_first_rows(csr_view<std::uint32_t, Offset> g, std::uint32_t vertices, std::uint32_t cut, std::span<std::uint32_t> words,
                      const solve_request& options);

}  // namespace copse::fast
