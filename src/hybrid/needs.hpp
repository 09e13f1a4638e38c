// How much of a GPU's memory the rest takes, and how small it must be to fit: numbers only.
#pragma once
#include <hybrid/super_edges.hpp>

#include <algorithm>
#include <cstdint>

namespace copse::hybrid {

/// Of a graph with both directions of every edge; the rest has `arcs` arcs, those across the cut included.
struct rest_sizes {
  std::uint64_t vertices;  ///< of the graph
  std::uint64_t cut, arcs;
  std::uint64_t offset_bytes;          ///< of the graph's
  std::uint64_t row_bytes_per_vertex;  ///< of the row that solves the rest: its labels and what it keeps beside them
  bool resident;                       ///< is the graph there already?
  bool keeps = false;                  ///< does the rest keep its arcs across the cut?
};

/// Most rows keep lists of the parts of long rows, and so does the walk over cross arcs: of at most two parts of 16 bytes for 1,024 arcs.
/// As much again is for lists that are made one after the other.
constexpr std::uint64_t scratch_bytes(std::uint64_t arcs) noexcept { return 4096 + arcs / 16; }

/// Scratch of some rows may come on top.
constexpr std::uint64_t bytes_needed(const rest_sizes& s) noexcept {
  constexpr std::uint64_t id_bytes = 4, key_bytes = 8, offset_bytes = 8;
  const std::uint64_t rest = s.vertices - s.cut;
  if (rest == 0) return s.resident ? id_bytes * s.vertices : 0;
  const std::uint64_t rows = s.resident ? 0 : (rest + 1) * s.offset_bytes + id_bytes * s.arcs;
  const std::uint64_t scratch = scratch_bytes(s.arcs);
  const std::uint64_t row = scratch + (s.keeps ? s.vertices : rest) * s.row_bytes_per_vertex;
  if (s.cut == 0) return rows + row;
  if (s.keeps) return rows + (s.vertices + 1) * (s.arcs <= UINT32_MAX ? id_bytes : offset_bytes) + row + id_bytes * s.cut;
  const std::uint64_t offsets = (rest + 1) * offset_bytes;
  const std::uint64_t labels = id_bytes * s.vertices;
  const std::uint64_t solving = id_bytes * s.arcs + row;
  const std::uint64_t joining = scratch + key_bytes * slots_for(s.arcs, s.vertices);
  return rows + offsets + labels + std::max(solving, joining);
}

/// The smallest cut from `least` on with which all fits into `free_bytes`; the vertices' number when none does. `arcs_from(cut)`: the arcs
/// of the rows from there on. O(log vertices), as needs fall with the cut but for its first step. A rest that keeps its arcs in a graph
/// that is there already needs the same wherever the cut is: where the least does not do, none does.
template <class ArcsFrom>
std::uint64_t cut_that_fits(rest_sizes s, std::uint64_t least, std::uint64_t free_bytes, ArcsFrom arcs_from) {
  const auto fits = [&](std::uint64_t cut) {
    s.cut = cut;
    s.arcs = arcs_from(cut);
    return bytes_needed(s) <= free_bytes;
  };
  if (fits(least)) return least;
  if (s.keeps && s.resident) return s.vertices;
  std::uint64_t low = least, high = s.vertices;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (fits(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

}  // namespace copse::hybrid
