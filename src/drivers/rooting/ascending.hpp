// Numbers that are wanted, in ascending order, by many threads: counted chunk by chunk, then written where each chunk begins. The roots of
// a forest are found so, and those of them that have arcs.
#pragma once
#include <copse/memory.hpp>
#include <graph/scan.hpp>

#include <cstddef>

namespace copse::drivers {

template <class Id, class Loops, class Wanted>
buffer<Id> ascending(const Loops& loops, std::size_t count, Wanted wanted, std::pmr::memory_resource* memory) {
  constexpr std::size_t chunk = std::size_t{1} << 14;
  buffer<Id> starts{(count + chunk - 1) / chunk, memory};
  loops.for_chunks(count, chunk, [&starts, wanted](std::size_t begin, std::size_t end) {
    Id found = 0;
    for (std::size_t i = begin; i < end; ++i) found = static_cast<Id>(found + (wanted(i) ? 1 : 0));
    starts[begin / chunk] = found;
  });
  buffer<Id> all{exclusive_scan(starts.span(), loops.threads()), memory};
  loops.for_chunks(count, chunk, [&starts, &all, wanted](std::size_t begin, std::size_t end) {
    Id at = starts[begin / chunk];
    for (std::size_t i = begin; i < end; ++i) {
      if (wanted(i)) all[at++] = static_cast<Id>(i);
    }
  });
  return all;
}

}  // namespace copse::drivers
