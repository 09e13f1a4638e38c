// Lists that all threads make together.
#pragma once
#include <core/parallel.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace copse {

/// Appends to `all` what the calls work(begin, end, here) for the blocks of [0, count) append to the vector `here`, in the order of blocks.
/// If there is one block, `here` may be `all` itself, with what it has already.
template <class Vector, class Work>
void gather(Vector& all, std::size_t count, std::size_t block, Work work, unsigned threads) {
  using list = std::vector<typename Vector::value_type>;
  if constexpr (std::is_same_v<Vector, list>) {
    if (count <= block) return count == 0 ? void() : work(std::size_t{0}, count, all);
  }
  std::vector<list> lists((count + block - 1) / block);
  parallel_blocks(threads, count, block, [&](std::size_t begin, std::size_t end) {
    list here;  // not in `lists` yet, where it would share a cache line with those of other threads
    work(begin, end, here);
    lists[begin / block] = std::move(here);
  });
  std::size_t size = all.size();
  for (const list& here : lists) size += here.size();
  all.reserve(size);
  for (const list& here : lists) all.insert(all.end(), here.begin(), here.end());
}

}  // namespace copse
