// The CPU's share of a graph in a hybrid solve. If the caller gives no share, it follows from a model of the time that each side takes
// alone. Also computes how much memory the GPU's part takes, and how small the part must be to fit.
#pragma once
#include <hybrid/cpu_part.hpp>
#include <hybrid/super_edges.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

namespace copse::hybrid {

/// What modelled_share() computes the expected times of the CPU and of the GPU from.
struct modelled_solve {
  std::uint64_t vertices = 0, arcs = 0;
  double scattered = 1;   ///< fraction of arcs that are likely cache misses on the CPU
  bool resident = false;  ///< true if the graph is in the GPU's memory and the labels stay there
  cpu_part part = cpu_part::fast;
  unsigned threads = 1;
};

struct chosen_share {
  double share;        ///< percent of the vertices for the CPU; 0: the GPU alone, 100: the CPU alone
  std::string reason;  ///< why this share was chosen, in one line
};

/// Returns the CPU's share of the vertices with which the model expects the solve to be fastest. The more arcs are cache misses on the CPU
/// (modelled_solve::scattered), the smaller the share is, or it stays the same.
chosen_share modelled_share(const modelled_solve& solve);

/// The sizes that decide how much memory a GPU's part takes. The graph has both directions of every edge; `arcs` counts the arcs of the
/// part, including those across the cut.
struct rest_sizes {
  std::uint64_t vertices;  ///< vertices of the graph
  std::uint64_t cut, arcs;
  std::uint64_t offset_bytes;              ///< bytes per offset of the graph
  std::uint64_t variant_bytes_per_vertex;  ///< bytes of the cuda variant for labels and its other arrays
  bool resident;                           ///< true if the graph is in the GPU's memory already
  bool keeps = false;                      ///< true if the rows of the GPU's part keep their arcs to the CPU's part
};

/// Bytes for scratch memory. Most variants keep lists of the parts of long rows, and so does the walk over cross arcs: at most two parts of
/// 16 bytes per 1,024 arcs. The function returns twice that, because lists may be built one after the other.
constexpr std::uint64_t scratch_bytes(std::uint64_t arcs) noexcept { return 4096 + arcs / 16; }

/// Returns the bytes that a GPU's part needs. Some variants may need more scratch memory.
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
  // bytes for joining the two parts: scratch memory, a hash table of the pairs of components that cross edges join, and a list of these
  const std::uint64_t joining = scratch + 2 * key_bytes * slots_for(s.arcs, s.vertices);
  return rows + offsets + labels + std::max(solving, joining);
}

/// Returns the smallest cut, at least `least`, with which the GPU's part fits into `free_bytes`, or the number of vertices if no part fits.
/// `arcs_from(cut)` returns the number of arcs of the rows from the cut on. O(log vertices), because a larger cut needs less memory, except
/// that a cut at 0 may need less than a cut at 1. A part that keeps its cross arcs has arrays for all vertices: if the graph is
/// resident, too, a larger cut saves almost nothing, so a part that does not fit at `least` is taken to fit at none.
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
