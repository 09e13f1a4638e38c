// Checks views and columns of callers before they are solved: a wrong offset or id would make the solver read beyond the end of an array.
#pragma once
#include <copse/errors.hpp>
#include <copse/execution.hpp>
#include <copse/memory.hpp>
#include <copse/views.hpp>
#include <loops/threads.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <span>

namespace copse::api {

/// Returns the smallest i < count for which wrong(i) is true, or count if there is none. All threads of `loops` search; each block is first
/// checked as a whole, without a branch per element.
template <class Backend, class Wrong>
std::size_t first_wrong(const Backend& loops, std::size_t count, Wrong wrong) {
  std::atomic<std::size_t> first{count};
  loops.for_blocks(count, [&first, wrong](std::size_t begin, std::size_t end) {
    bool any = false;
    for (std::size_t i = begin; i < end; ++i) any |= wrong(i);
    if (!any) return;
    while (!wrong(begin)) ++begin;
    std::size_t seen = first.load(std::memory_order_relaxed);
    while (begin < seen && !first.compare_exchange_weak(seen, begin, std::memory_order_relaxed)) {
    }
  });
  return first.load(std::memory_order_relaxed);
}

/// Returns `g` checked: whether rows are symmetric and sorted is known afterwards, even if the caller left it unknown. O(n + arcs), at the
/// speed of memory; trusted views are returned as they are. Throws usage_error that says what is wrong, and where.
template <unsigned_index Id, unsigned_index Offset>
csr_view<Id, Offset> checked(csr_view<Id, Offset> g, const execution& on);

template <unsigned_index Id>
coo_view<Id> checked(coo_view<Id> edges, const execution& on);

template <unsigned_index Id>
edge_columns_view<Id> checked(edge_columns_view<Id> edges, const execution& on);

/// Returns two columns of ends as one array of edges, for code that works on such an array. Precondition: as many sources as targets.
template <unsigned_index Id>
buffer<edge<Id>> interleaved(edge_columns_view<Id> columns, const execution& on) {
  buffer<edge<Id>> edges{columns.sources.size(), on.memory};
  backend::threads{usable_threads(on.threads), on.observer}.for_blocks(edges.size(),
                                                                       [columns, to = edges.data()](std::size_t begin, std::size_t end) {
                                                                         for (std::size_t i = begin; i < end; ++i)
                                                                           to[i] = {columns.sources[i], columns.targets[i]};
                                                                       });
  return edges;
}

}  // namespace copse::api
