// The pages of a new array, touched before threads write to it anyhow. A page of 2 MiB holds what many threads write at once: those that
// meet in a new one would each clear a page, and all but one throw theirs away. So each page is touched by one thread.
#pragma once
#include <core/parallel.hpp>

#include <cstddef>
#include <span>

namespace copse {

/// Of elements that mean nothing yet: some are overwritten.
template <class T>
void touch_pages(unsigned threads, std::span<T> elements) {
  constexpr std::size_t page_bytes = std::size_t{2} << 20, step = page_bytes / sizeof(T);
  if (elements.empty()) return;
  parallel_blocks(threads, elements.size(), step, [elements](std::size_t begin, std::size_t) { elements[begin] = T{}; });
  elements.back() = T{};  // where the first element is not the first of a page, the last page has none of the others
}

}  // namespace copse
