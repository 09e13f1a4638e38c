// How vertices are shared out: chunks that one thread owns for a pass, and the first touch of the pages behind the parents.
#pragma once
#include <fast/rules.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>

namespace copse::fast {

/// Vertices of a chunk, a multiple of 64: some eight chunks per thread, and no more than stay in the cache of one core.
template <class Backend>
std::size_t chunk_of(const Backend& backend, std::size_t n, std::size_t asked) {
  if (asked != 0) return asked;
  if (!Backend::concurrent) return std::size_t{1} << 16;
  return std::bit_ceil(std::clamp<std::size_t>(n / (std::size_t{backend.threads()} * 8), 1024, std::size_t{1} << 16));
}

/// A page of 2 MiB holds several chunks: threads that meet in one that is new would each clear a page, and all but one throw it away.
template <class Backend, class Id>
void touch_pages(const Backend& backend, std::span<Id> words) {
  constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;
  constexpr std::size_t step = huge_page_bytes / sizeof(Id);
  const typename Backend::template parents<Id> p{words.data()};
  backend.for_chunks(words.size(), step, [=](std::size_t begin, std::size_t) { p.store(static_cast<Id>(begin), Id{0}); });
}

}  // namespace copse::fast
