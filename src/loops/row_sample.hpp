// What a few random rows tell about a graph, in addition to its sizes: whether many vertices have no arcs, as in random graphs with few
// edges; how long the rows of their neighbours are, which is far above the mean in graphs with hubs; and whether arcs lead to vertices with
// near ids. The same source is compiled for rows in host memory and on a GPU.
#pragma once
#include <copse/extend/host_device.hpp>
#include <core/random.hpp>
#include <loops/arcs.hpp>

#include <cstddef>
#include <cstdint>

namespace copse::backend {

inline constexpr unsigned sampled_rows = 512;

struct row_sample {
  static constexpr unsigned nearness = 64;  ///< near: the ids differ by less than 1 / nearness of all vertices
  static constexpr unsigned adjacency = 4;  ///< adjacent: the ids differ by at most this number

  std::uint32_t rows = 0, without_arcs = 0;
  std::uint32_t near = 0;      ///< number of sampled vertices with arcs of which a random neighbour is near
  std::uint32_t adjacent = 0;  ///< number of sampled vertices with arcs of which that random neighbour is adjacent
  std::uint64_t arcs_met = 0;  ///< sum of the row lengths of these random neighbours

  /// Adds row number `k` of the sample. The arrays need not have been checked before. Precondition: there are vertices.
  template <class Id>
  COPSE_HOST_DEVICE void add(const any_rows<Id>& g, std::uint64_t seed, unsigned k) noexcept {
    const random_stream random{seed, 5};
    const Id v = static_cast<Id>(random.below(2 * k, g.vertices()));
    const std::uint64_t arcs = length_of(g, v);
    ++rows;
    if (arcs == 0) {
      ++without_arcs;
    } else {
      const Id u = g.targets[g.offsets[v] + random.below(2 * k + 1, arcs)];
      if (u >= g.vertices()) return;
      arcs_met += length_of(g, u);
      const Id distance = u < v ? v - u : u - v;
      near += distance < g.vertices() / nearness ? 1 : 0;
      adjacent += distance <= adjacency ? 1 : 0;
    }
  }

  template <class Id>
  COPSE_HOST_DEVICE static std::uint64_t length_of(const any_rows<Id>& g, Id v) noexcept {
    const std::uint64_t first = g.offsets[v], last = g.offsets[std::size_t{v} + 1];
    return first < last && last <= g.arcs ? last - first : 0;
  }

  [[nodiscard]] double share_without_arcs() const noexcept { return rows == 0 ? 0 : static_cast<double>(without_arcs) / rows; }
  [[nodiscard]] double mean_arcs_met() const noexcept {
    return rows == without_arcs ? 0 : static_cast<double>(arcs_met) / (rows - without_arcs);
  }
  [[nodiscard]] bool leads_nearby() const noexcept { return 2 * near > rows - without_arcs; }
  [[nodiscard]] double share_adjacent() const noexcept {
    return rows == without_arcs ? 0 : static_cast<double>(adjacent) / (rows - without_arcs);
  }
};

/// Samples rows in host memory.
template <class Id>
row_sample sample_of(const any_rows<Id>& g, std::uint64_t seed) {
  row_sample found;
  if (g.vertices() == 0) return found;
  for (unsigned k = 0; k < sampled_rows; ++k) found.add(g, seed, k);
  return found;
}

}  // namespace copse::backend
