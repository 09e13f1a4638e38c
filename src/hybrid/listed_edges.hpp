// The GPU's part as a list of edges, for finishes that do not work on rows (Soman's). Each arc to a smaller vertex becomes an edge. Thus
// every edge is listed once: rows hold both directions of the edges inside the part, and arcs across the cut, if rows keep them, lead to
// smaller vertices. (gpu_part_rows.hpp defines what a device is.)
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/memory.hpp>
#include <copse/views.hpp>
#include <loops/arcs.hpp>

#include <cstddef>
#include <cstdint>

namespace copse::hybrid {

/// Returns the number of arcs of v's row that lead to smaller vertices. In a sorted row they come first.
template <class Id>
COPSE_HOST_DEVICE std::uint64_t lower_arcs(const backend::any_rows<Id>& rows, Id v) noexcept {
  const std::uint64_t begin = rows.offsets[v], end = rows.offsets[std::size_t{v} + 1];
  if (!rows.sorted) {
    std::uint64_t count = 0;
    for (std::uint64_t a = begin; a < end; ++a) count += rows.targets[a] < v;
    return count;
  }
  return backend::end_of_smaller(rows.targets, begin, end, v) - begin;
}

template <class Id>
struct count_lower {
  backend::any_rows<Id> rows;
  std::uint64_t* counts;

  COPSE_HOST_DEVICE void operator()(std::size_t v) const noexcept { counts[v] = lower_arcs(rows, static_cast<Id>(v)); }
};

/// A walk over sorted rows that writes one edge for each arc to a smaller vertex.
template <class Id>
struct list_lower {
  backend::any_rows<Id> rows;
  const std::uint64_t* places;  ///< position of each row's first edge in the list
  edge<Id>* to;

  [[nodiscard]] COPSE_HOST_DEVICE std::size_t size() const noexcept { return rows.vertices(); }
  COPSE_HOST_DEVICE Id row(std::size_t v, std::uint64_t& first, std::uint64_t& last) const noexcept {
    first = rows.offsets[v];
    last = first + (places[v + 1] - places[v]);
    return static_cast<Id>(v);
  }
  COPSE_HOST_DEVICE void along(Id v, std::uint64_t first, std::uint64_t last, unsigned stride) const noexcept {
    const std::uint64_t shift = places[v] - rows.offsets[v];
    for (std::uint64_t a = first; a < last; a += stride) to[a + shift] = {rows.targets[a], v};
  }
};

/// Lists the arcs of a row to smaller vertices, by one thread. The row need not be sorted.
template <class Id>
struct filter_lower {
  backend::any_rows<Id> rows;
  const std::uint64_t* places;
  edge<Id>* to;

  COPSE_HOST_DEVICE void operator()(std::size_t v) const noexcept {
    std::uint64_t next = places[v];
    for (std::uint64_t a = rows.offsets[v], last = rows.offsets[v + 1]; a < last; ++a) {
      if (rows.targets[a] < v) to[next++] = {rows.targets[a], static_cast<Id>(v)};
    }
  }
};

/// Returns a list in the device's memory with one edge for each arc to a smaller vertex. O(arcs); waits for the number of edges.
template <class Device, class Id>
buffer<edge<Id>> listed_edges(Device& device, const backend::any_rows<Id>& rows) {
  const std::size_t vertices = rows.vertices();
  if (vertices == 0) return {};
  buffer<std::uint64_t> places{vertices + 1, device.memory()};
  device.loops().for_each(vertices, count_lower<Id>{rows, places.data()});
  device.sum_up(places.data(), vertices);
  buffer<edge<Id>> edges{static_cast<std::size_t>(device.fetched(places.data() + vertices)), device.memory()};
  if (rows.sorted) {
    device.walk(vertices, rows.arcs, list_lower<Id>{rows, places.data(), edges.data()});
  } else {
    device.loops().for_each(vertices, filter_lower<Id>{rows, places.data(), edges.data()});
  }
  device.wait();
  return edges;
}

}  // namespace copse::hybrid
