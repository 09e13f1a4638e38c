// Our own path on the first rows of a graph: they are read as rows of a graph whose parents are an array of all vertices. What it joins
// across the cut is joined in the graph too, and roots are below the cut, as links go to smaller vertices. Whoever has the other rows finds
// the same edges there.
#pragma once
#include <copse/core/solve_options.hpp>
#include <copse/graph/csr.hpp>

#include <cstdint>
#include <span>

namespace copse::own {

/// words[v] becomes, for every v < cut, a vertex below the cut that is connected to v: the smallest of those that edges among the vertices
/// below it join to v, or a smaller one. `words` has a place for every vertex of the graph, of which those from the cut on are scratch.
/// `g`: the graph's rows, or its first ones only, `cut` at least, with both directions of every edge.
template <class Backend, class Offset>
void label_first_rows(csr_view<std::uint32_t, Offset> g, std::uint32_t cut, std::span<std::uint32_t> words, const solve_options& options);

}  // namespace copse::own
