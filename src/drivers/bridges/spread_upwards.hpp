// Combines values over every subtree of a forest in preorder, for example by their minimum. A subtree is a range of places. Places are cut
// into chunks. Within a chunk, from the last place to the first, each value is combined into the value of its parent. A subtree that
// reaches beyond its chunk takes the rest from whole chunks, by a sparse table over them, and from the beginning of one more chunk, by an
// array with the combination of every beginning. So it is O(n) work however deep the trees are, and chunks do not wait for one another.
#pragma once
#include <copse/memory.hpp>

#include <bit>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace copse::drivers {

/// Sets value(p), a reference, to the combination of value(p) .. value(end_of(p) - 1). A value may be combined more than once, which must
/// not change the result. parent(p) <= p, equal for roots. There are n places.
template <class Loops, class At, class Parent, class End, class Combine>
void spread_upwards(const Loops& loops, std::size_t n, At value, Parent parent, End end_of, Combine combine,
                    std::pmr::memory_resource* memory, std::size_t chunk = std::size_t{1} << 13) {
  using Value = std::remove_cvref_t<decltype(value(n))>;
  const std::size_t chunks = (n + chunk - 1) / chunk;
  buffer<Value> beginnings{n, memory};
  std::vector<buffer<Value>> table;  // table[k][c]: the combination over chunks c .. c + 2^k - 1
  table.emplace_back(chunks, memory);
  loops.for_chunks(n, chunk, [&, chunk](std::size_t begin, std::size_t end) {
    Value seen = value(begin);
    for (std::size_t p = begin; p < end; ++p) beginnings[p] = seen = combine(seen, value(p));
    table[0][begin / chunk] = seen;
  });
  for (std::size_t width = 1; 2 * width <= chunks; width *= 2) {
    const buffer<Value>& narrow = table.back();
    buffer<Value> wide{chunks - 2 * width + 1, memory};
    for (std::size_t c = 0; c < wide.size(); ++c) wide[c] = combine(narrow[c], narrow[c + width]);
    table.push_back(std::move(wide));
  }
  const auto whole_chunks = [&](std::size_t first, std::size_t last) {
    const auto level = static_cast<std::size_t>(std::bit_width(last - first) - 1);
    return combine(table[level][first], table[level][last - (std::size_t{1} << level)]);
  };
  loops.for_chunks(n, chunk, [&, chunk](std::size_t begin, std::size_t end) {
    for (std::size_t p = end; p-- > begin;) {
      if (const std::size_t last = end_of(p); last > end) {
        const std::size_t next = end / chunk, stop = last / chunk;
        if (stop > next) value(p) = combine(value(p), whole_chunks(next, stop));
        if (stop * chunk < last) value(p) = combine(value(p), beginnings[last - 1]);
      }
      if (const std::size_t above = parent(p); above >= begin && above != p) value(above) = combine(value(above), value(p));
    }
  });
}

}  // namespace copse::drivers
