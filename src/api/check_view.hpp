// Views and columns that a caller hands in are looked at before they are solved: wrong ones would be read beyond their end.
#pragma once
#include <copse/errors.hpp>
#include <copse/execution.hpp>
#include <copse/incremental.hpp>
#include <copse/memory.hpp>
#include <copse/views.hpp>
#include <loops/threads.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <variant>

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

/// f(first, pairs) for the pairs of two columns, at most `step` of them at a time. `call`: of the user, for the texts of errors.
template <class Id, class F>
void for_pairs(const std::string& call, const pair_columns& columns, std::size_t step, unsigned threads, std::pmr::memory_resource* memory,
               F f) {
  const backend::threads loops{threads, nullptr};
  const auto of_type = [&]<class Column>(const pair_columns::typed<Column>& all) {
    if (all.sources.size() != all.targets.size()) {
      throw usage_error{call + ": found " + std::to_string(all.sources.size()) + " sources and " + std::to_string(all.targets.size()) +
                        " targets, expected as many of each"};
    }
    const auto wrong = [](Column id) { return std::cmp_less(id, 0) || std::cmp_greater_equal(id, no_vertex<Id>); };
    buffer<edge<Id>> pairs{std::min(step, all.sources.size()), memory};
    for (std::size_t at = 0; at < all.sources.size(); at += pairs.size()) {
      const std::size_t count = std::min(pairs.size(), all.sources.size() - at);
      const auto from = all.sources.subspan(at, count), to = all.targets.subspan(at, count);
      const std::size_t bad = first_wrong(loops, count, [=](std::size_t i) { return wrong(from[i]) || wrong(to[i]); });
      if (bad < count) {
        const bool second = !wrong(from[bad]);
        const Column found = second ? to[bad] : from[bad];
        throw input_error{call + ": " + (second ? "targets[" : "sources[") + std::to_string(at + bad) + "]: found " +
                          std::to_string(found) + ", expected ids " +
                          (std::cmp_less(found, 0) ? "of 0 or more" : "below " + std::to_string(no_vertex<Id>))};
      }
      loops.for_blocks(count, [=, out = pairs.data()](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) out[i] = {static_cast<Id>(from[i]), static_cast<Id>(to[i])};
      });
      f(at, std::span<const edge<Id>>{pairs.data(), count});
    }
  };
  std::visit(of_type, columns.held());
}

}  // namespace copse::api
