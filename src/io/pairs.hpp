// Pairs of ids as they lie in a binary file, passed on to a sink in parallel.
#pragma once
#include "io/binary_source.hpp"

namespace copse::io {

/// `us` and `vs` are item 0 of each column, `stride` items apart; pairs [begin, end) of them. Ids that occur are the vertices, unless
/// options.vertices declares them. Refuses the first negative or undeclared id in file order.
struct packed_pairs {
  packed_integers all;  ///< both columns
  std::uint64_t begin = 0, end = 0;
  std::uint64_t first_v = 1;  ///< item of the first v; the first u is item 0
  std::uint64_t stride = 2;   ///< items from one u to the next
};
void pass_on(const packed_pairs& pairs, const read_options& options, edge_sink& sink);

}  // namespace copse::io
