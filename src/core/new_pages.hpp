// Touches the pages of a new array before many threads write to it. The system clears a page at its first access; if several threads access
// the same new page of 2 MiB, each clears one, and all but one are thrown away. So each page is first touched by a single thread.
#pragma once
#include <copse/memory.hpp>
#include <core/parallel.hpp>
#include <core/team.hpp>

#include <atomic>
#include <cstddef>
#include <memory_resource>
#include <span>

namespace copse {

/// Writes to all pages of `elements` with several threads, so that the system allocates the pages now; the values are lost.
template <class T>
void touch_pages(unsigned threads, std::span<T> elements) {
  constexpr std::size_t page_bytes = std::size_t{2} << 20, step = page_bytes / sizeof(T);
  if (elements.empty()) return;
  parallel_blocks(threads, elements.size(), step, [elements](std::size_t begin, std::size_t) { elements[begin] = T{}; });
  elements.back() = T{};  // touches the last page if the array does not begin at a page
}

/// A buffer whose pages the system has already allocated, because touch_pages() wrote to them.
template <class T>
buffer<T> touched_buffer(unsigned threads, std::size_t size, std::pmr::memory_resource* memory) {
  buffer<T> elements{size, memory};
  touch_pages(threads, elements.span());
  return elements;
}

/// Calls work() while another thread, if there is one, writes to the pages of `elements`, so that the system has allocated them when the
/// caller fills the array afterwards. The values are undefined until then.
template <class T, class Work>
void touching_pages_beside(unsigned threads, std::span<T> elements, Work work) {
  constexpr std::size_t page_bytes = std::size_t{2} << 20, step = page_bytes / sizeof(T);
  if (threads < 2 || elements.size() < 2 * step) return work();
  std::atomic<bool> done{false};  // set by worker 0 when work() has ended
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
