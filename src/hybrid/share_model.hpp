// The CPU's share of a graph. For callers that give none: a model of the time that each side takes alone. For all: how much of a GPU's
// memory the GPU's part takes, and how small the part must be to fit.
#pragma once
#include <hybrid/cpu_part.hpp>
#include <hybrid/super_edges.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

namespace copse::hybrid {

/// The inputs of the model.
struct modelled_solve {
  std::uint64_t vertices = 0, arcs = 0;
  double scattered = 1;   ///< fraction of arcs that are likely cache misses on the CPU
  bool resident = false;  ///< true if the graph is in the GPU's memory and the labels stay there
  cpu_part part = cpu_part::fast;
  unsigned threads = 1;
};

struct chosen_share {
  double share;        ///< percent of the vertices for the CPU; 0: the GPU alone, 100: the CPU alone
  std::string reason;  ///< one line
};

/// Returns the share that the model expects to be fastest. A larger `scattered` never gives a larger share.
chosen_share modelled_share(const modelled_solve& solve);

/// Sizes of a graph with both directions of every edge; the GPU's part has `arcs` arcs, including those across the cut.
struct rest_sizes {
  std::uint64_t vertices;  ///< vertices of the graph
  std::uint64_t cut, arcs;
  std::uint64_t offset_bytes;              ///< bytes per offset of the graph
  std::uint64_t variant_bytes_per_vertex;  ///< what the cuda variant takes: its labels and its other arrays
  bool resident;                           ///< true if the graph is in the GPU's memory already
  bool keeps = false;                      ///< true if the GPU part keeps its arcs across the cut
};

/// Most variants keep lists of the parts of long rows, and so does the walk over cross arcs: at most two parts of 16 bytes per 1,024 arcs.
/// The same number of bytes again is for lists that are built one after the other.
constexpr std::uint64_t scratch_bytes(std::uint64_t arcs) noexcept { return 4096 + arcs / 16; }

/// Some variants may need more scratch on top.
constexpr std::uint64_t bytes_needed(const rest_sizes& s) noexcept {
  constexpr std::uint64_t id_bytes = 4, key_bytes = 8, offset_bytes = 8;
  const std::uint64_t part = s.vertices - s.cut;
  if (part == 0) return s.resident ? id_bytes * s.vertices : 0;
  const std::uint64_t rows = s.resident ? 0 : (part + 1) * s.offset_bytes + id_bytes * s.arcs;
  const std::uint64_t scratch = scratch_bytes(s.arcs);
  const std::uint64_t variant = scratch + (s.keeps ? s.vertices : part) * s.variant_bytes_per_vertex;
  if (s.cut == 0) return rows + variant;
  if (s.keeps) return rows + (s.vertices + 1) * (s.arcs <= UINT32_MAX ? id_bytes : offset_bytes) + variant + id_bytes * s.cut;
  const std::uint64_t offsets = (part + 1) * offset_bytes;
  const std::uint64_t labels = id_bytes * s.vertices;
  const std::uint64_t solving = id_bytes * s.arcs + variant;
  const std::uint64_t joining = scratch + 2 * key_bytes * slots_for(s.arcs, s.vertices);  // a table, and the pairs in it
  return rows + offsets + labels + std::max(solving, joining);
}

/// The smallest cut from `least` on with which the GPU's part fits into `free_bytes`; the number of vertices if none does.
/// `arcs_from(cut)`: the arcs of the rows from the cut on. O(log vertices), because needs fall as the cut rises, but for the step from 0. A
/// part that keeps its arcs in a resident graph needs the same memory at any cut: if it does not fit at `least`, it fits at none.
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
