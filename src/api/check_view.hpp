// Views and columns that a caller hands in are looked at before they are solved: wrong ones would be read beyond their end.
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

/// The smallest i < count that is wrong; count when there is none. By all threads; a block is looked at as a whole first, without a branch
/// per element.
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

/// `g` with what was found about its rows: what a caller left unknown is known then. O(n + arcs), as fast as memory is read; trusted views
/// are returned as they are. Throws usage_error that says what is wrong, and where.
template <unsigned_index Id, unsigned_index Offset>
csr_view<Id, Offset> checked(csr_view<Id, Offset> g, const execution& on);

template <unsigned_index Id>
coo_view<Id> checked(coo_view<Id> edges, const execution& on);

template <unsigned_index Id>
edge_columns_view<Id> checked(edge_columns_view<Id> edges, const execution& on);

/// Two columns of ends as one array of edges, for what works on such an array. Precondition: as many sources as targets.
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
