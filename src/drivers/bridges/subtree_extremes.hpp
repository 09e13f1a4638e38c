// The least or the greatest of a value over every subtree, of a forest in preorder, where a subtree is a range of places.
// Places are cut into chunks. Within a chunk values go from the last place to the first, each to its parent. A subtree that reaches beyond
// its chunk takes what lies there from whole chunks (a sparse table over them) and from the beginning of one (which holds the extremes of
// all its beginnings). So it is O(n) work however deep the trees are, and chunks do not wait for one another.
#pragma once
#include <copse/memory.hpp>
#include <copse/types.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>
#include <vector>

namespace copse::drivers {

/// values[p] becomes the extreme of values[p] .. values[ends[p] - 1]. `better(a, b)`: a is to be kept. parents[p] <= p, equal for roots.
template <class Loops, unsigned_index Id, class Better>
void spread_upwards(const Loops& loops, std::span<Id> values, std::span<const Id> parents, std::span<const Id> ends, Better better,
                    std::pmr::memory_resource* memory, std::size_t chunk = std::size_t{1} << 13) {
  const std::size_t n = values.size(), chunks = (n + chunk - 1) / chunk;
  const auto best = [better](Id a, Id b) { return better(b, a) ? b : a; };
  buffer<Id> beginnings{n, memory};
  std::vector<buffer<Id>> table;  // table[k][c]: of the chunks c .. c + 2^k - 1
  table.emplace_back(chunks, memory);
  loops.for_chunks(n, chunk, [&, chunk](std::size_t begin, std::size_t end) {
    Id seen = values[begin];
    for (std::size_t p = begin; p < end; ++p) beginnings[p] = seen = best(seen, values[p]);
    table[0][begin / chunk] = seen;
  });
  for (std::size_t width = 1; 2 * width <= chunks; width *= 2) {
    const buffer<Id>& narrow = table.back();
    buffer<Id> wide{chunks - 2 * width + 1, memory};
    for (std::size_t c = 0; c < wide.size(); ++c) wide[c] = best(narrow[c], narrow[c + width]);
    table.push_back(std::move(wide));
  }
  const auto whole_chunks = [&](std::size_t first, std::size_t last) {
    const auto level = static_cast<std::size_t>(std::bit_width(last - first) - 1);
    return best(table[level][first], table[level][last - (std::size_t{1} << level)]);
  };
  loops.for_chunks(n, chunk, [&, chunk](std::size_t begin, std::size_t end) {
    for (std::size_t p = end; p-- > begin;) {
      if (const std::size_t last = ends[p]; last > end) {
        const std::size_t next = end / chunk, stop = last / chunk;
        if (stop > next) values[p] = best(values[p], whole_chunks(next, stop));
        if (stop * chunk < last) values[p] = best(values[p], beginnings[last - 1]);
      }
      if (parents[p] >= begin && parents[p] != p) values[parents[p]] = best(values[parents[p]], values[p]);
    }
  });
}

}  // namespace copse::drivers
