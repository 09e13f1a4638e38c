// One number that says which graph was measured, so that two runs anywhere can be told to be about the same one.
#pragma once
#include <copse/graph/graph.hpp>

#include <cstdint>

namespace copse {

/// 64-bit hash of the number of vertices and of the arcs as they are stored (an edge of a list is the arc u -> v), each as often as it
/// occurs. Neither the order of the arcs, nor the widths, nor rows or list change it; names of vertices have no part.
/// O(n + arcs), about as fast as memory is read (threads 0: all cores that the process may use).
std::uint64_t graph_checksum(graph_view g, unsigned threads = 0);

}  // namespace copse
