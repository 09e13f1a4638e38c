// Lists the numbers that satisfy a predicate, in ascending order, by many threads: they are counted chunk by chunk, then written from the
// place where each chunk's numbers begin. Used to find the roots of a forest, and those roots that have arcs.
#pragma once
#include <copse/memory.hpp>
#include <core/new_pages.hpp>
#include <graph/scan.hpp>

#include <cstddef>

namespace copse::drivers {

/// Writes the numbers below `count` for which `selects` holds to the memory that room_for(how_many) returns. Calls room_for once. Returns
/// how many numbers there are.
template <class Id, class Loops, class Predicate, class RoomFor>
std::size_t ascending_to(const Loops& loops, std::size_t count, Predicate selects, std::pmr::memory_resource* memory, RoomFor room_for) {
  constexpr std::size_t chunk = std::size_t{1} << 14;
  buffer<Id> starts{(count + chunk - 1) / chunk, memory};
  loops.for_chunks(count, chunk, [&starts, selects](std::size_t begin, std::size_t end) {
    Id found = 0;
    for (std::size_t i = begin; i < end; ++i) found = static_cast<Id>(found + (selects(i) ? 1 : 0));
    starts[begin / chunk] = found;
  });
  const std::size_t all = exclusive_scan(starts.span(), loops.threads());
  Id* const to = room_for(all);
  loops.for_chunks(count, chunk, [&starts, to, selects](std::size_t begin, std::size_t end) {
    Id at = starts[begin / chunk];
    for (std::size_t i = begin; i < end; ++i) {
      if (selects(i)) to[at++] = static_cast<Id>(i);
    }
  });
  return all;
}

template <class Id, class Loops, class Predicate>
buffer<Id> ascending(const Loops& loops, std::size_t count, Predicate selects, std::pmr::memory_resource* memory) {
  buffer<Id> all;
  ascending_to<Id>(loops, count, selects, memory, [&](std::size_t found) {
    all = touched_buffer<Id>(loops.threads(), found, memory);
    return all.data();
  });
  return all;
}

}  // namespace copse::drivers
