// The numbers that satisfy a predicate, in ascending order, by many threads: counted chunk by chunk, then written from where each chunk
// begins. It finds the roots of a forest, and those roots that have arcs.
#pragma once
#include <copse/memory.hpp>
#include <graph/scan.hpp>

#include <cstddef>

namespace copse::drivers {

template <class Id, class Loops, class Predicate>
buffer<Id> ascending(const Loops& loops, std::size_t count, Predicate selects, std::pmr::memory_resource* memory) {
  constexpr std::size_t chunk = std::size_t{1} << 14;
  buffer<Id> starts{(count + chunk - 1) / chunk, memory};
  loops.for_chunks(count, chunk, [&starts, selects](std::size_t begin, std::size_t end) {
    Id found = 0;
    for (std::size_t i = begin; i < end; ++i) found = static_cast<Id>(found + (selects(i) ? 1 : 0));
    starts[begin / chunk] = found;
  });
  buffer<Id> all{exclusive_scan(starts.span(), loops.threads()), memory};
  loops.for_chunks(count, chunk, [&starts, &all, selects](std::size_t begin, std::size_t end) {
    Id at = starts[begin / chunk];
    for (std::size_t i = begin; i < end; ++i) {
      if (selects(i)) all[at++] = static_cast<Id>(i);
    }
  });
  return all;
}

}  // namespace copse::drivers
