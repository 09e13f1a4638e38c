// The pages of a new array, touched before threads write to it anyhow. A page of 2 MiB holds what many threads write at once: those that
// meet in a new one would each clear a page, and all but one throw theirs away. So each page is touched by one thread.
#pragma once
#include <copse/memory.hpp>
#include <core/parallel.hpp>
#include <core/team.hpp>

#include <atomic>
#include <cstddef>
#include <memory_resource>
#include <span>

namespace copse {

/// Touches the pages of elements whose values are not needed: some are overwritten.
template <class T>
void touch_pages(unsigned threads, std::span<T> elements) {
  constexpr std::size_t page_bytes = std::size_t{2} << 20, step = page_bytes / sizeof(T);
  if (elements.empty()) return;
  parallel_blocks(threads, elements.size(), step, [elements](std::size_t begin, std::size_t) { elements[begin] = T{}; });
  elements.back() = T{};  // where the first element is not the first of a page, the last page has none of the others
}

/// An array whose pages are touched.
template <class T>
buffer<T> touched_buffer(unsigned threads, std::size_t size, std::pmr::memory_resource* memory) {
  buffer<T> elements{size, memory};
  touch_pages(threads, elements.span());
  return elements;
}

/// work(), while another thread touches the pages of elements that are written to afterwards, if there may be another thread. They mean
/// nothing until then.
template <class T, class Work>
void touching_pages_beside(unsigned threads, std::span<T> elements, Work work) {
  constexpr std::size_t page_bytes = std::size_t{2} << 20, step = page_bytes / sizeof(T);
  if (threads < 2 || elements.size() < 2 * step) return work();
  std::atomic<bool> done{false};  // written by worker 0
  on_workers(2, [&](unsigned worker) {
    if (worker == 0) {
      struct on_leaving {
        std::atomic<bool>& done;
        ~on_leaving() { done.store(true, std::memory_order_relaxed); }
      } const leaving{done};
      return work();
    }
    for (std::size_t i = 0; i < elements.size() && !done.load(std::memory_order_relaxed); i += step) elements[i] = T{};
  });
}

}  // namespace copse
