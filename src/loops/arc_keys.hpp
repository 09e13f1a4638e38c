// Builds rows by sorting keys: an arc u -> v becomes the key u << bits | v, with as few bits as the vertices need, so that keys ascend as
// rows do, and equal keys are repeats. These are the steps of single threads before and after the sort (gpu/loops/edge_rows.cu).
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/views.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace copse::backend {

/// Returns how many bits a vertex has in an arc's key (source << bits | target); 0 for a graph of at most one vertex, in which all arcs are
/// loops.
constexpr unsigned key_bits(std::uint32_t vertices) noexcept {
  return vertices < 2 ? 0u : static_cast<unsigned>(std::bit_width(vertices - 1));
}

struct arc_key {
  unsigned bits;

  [[nodiscard]] COPSE_HOST_DEVICE std::uint64_t of(std::uint64_t u, std::uint64_t v) const noexcept { return u << bits | v; }
  [[nodiscard]] COPSE_HOST_DEVICE std::uint32_t source(std::uint64_t key) const noexcept { return static_cast<std::uint32_t>(key >> bits); }
  [[nodiscard]] COPSE_HOST_DEVICE std::uint32_t target(std::uint64_t key) const noexcept {
    return static_cast<std::uint32_t>(key & ((std::uint64_t{1} << bits) - 1));
  }
};

/// Writes the keys (source << bits | target) of both arcs of edge i, at positions i and count + i.
struct mirrored_keys {
  const edge<std::uint32_t>* edges;
  std::size_t count;
  arc_key key;
  std::uint64_t* to;

  COPSE_HOST_DEVICE void operator()(std::size_t i) const noexcept {
    const edge<std::uint32_t> e = edges[i];
    to[i] = key.of(e.u, e.v);
    to[count + i] = key.of(e.v, e.u);
  }
};

/// True if key i of the sorted keys of arcs stands for an arc of the rows: if it is neither a loop nor equal to the key before it.
struct is_arc {
  const std::uint64_t* sorted;
  arc_key key;

  COPSE_HOST_DEVICE bool operator()(std::uint64_t i) const noexcept {
    const std::uint64_t here = sorted[i];
    return key.source(here) != key.target(here) && (i == 0 || sorted[i - 1] != here);
  }
};

struct target_writer {
  const std::uint64_t* arcs;
  arc_key key;
  std::uint32_t* to;

  COPSE_HOST_DEVICE void operator()(std::size_t i) const noexcept { to[i] = key.target(arcs[i]); }
};

/// Writes the offset of vertex u, which is the number of keys below u's smallest possible key. It is found by a binary search, so that the
/// time does not depend on how many empty rows there are.
template <class Offset>
struct offset_writer {
  const std::uint64_t* arcs;
  std::size_t count;
  arc_key key;
  Offset* to;

  COPSE_HOST_DEVICE void operator()(std::size_t u) const noexcept {
    const std::uint64_t first = key.of(u, 0);
    std::size_t low = 0;
    for (std::size_t high = count; low < high;) {
      const std::size_t middle = low + (high - low) / 2;
      if (arcs[middle] < first) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    to[u] = static_cast<Offset>(low);
  }
};

}  // namespace copse::backend
