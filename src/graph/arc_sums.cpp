// Multithreaded sums over all arcs of a graph: its checksum, and its number of loops.
#include "core/parallel.hpp"
#include "graph/labels/checksum_item.hpp"

#include <copse/build.hpp>
#include <copse/execution.hpp>
#include <copse/views.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <variant>

namespace copse {
namespace {

/// Returns the sum, modulo 2^64, of sum_of(g, begin, end) over all blocks of rows (or of edges) of the view.
template <class View, class SumOf>
std::uint64_t arc_sum(const View& g, const execution& on, SumOf sum_of) {
  constexpr std::size_t rows_per_block = 4096, edges_per_block = std::size_t{1} << 16;
  std::size_t count = 0, block = edges_per_block;
  if constexpr (requires { g.edges; }) {
    count = g.edges.size();
  } else {
    count = g.vertices();
    block = rows_per_block;
  }
  std::atomic<std::uint64_t> sum{0};
  parallel_blocks(usable_threads(on.threads), count, block,
                  [&](std::size_t begin, std::size_t end) { sum.fetch_add(sum_of(g, begin, end), std::memory_order_relaxed); });
  return sum.load(std::memory_order_relaxed);
}

// checksum = mix(s ^ mix(n + a constant)), where s is the sum of arc_item(u, v) over all arcs, modulo 2^64. An item passes both ends
// through a mixer, one after the other, so that (1, 2) and (2, 1) differ. Items are added, so their order does not matter, and a repeated
// arc counts as often as it occurs.
using labels_checksum::mix;

constexpr std::uint64_t source_hash(std::uint64_t u) noexcept { return mix(u + 0x9E3779B97F4A7C15u); }
constexpr std::uint64_t arc_item(std::uint64_t hash_of_u, std::uint64_t v) noexcept {
  return mix(hash_of_u + 0xD1B54A32D192ED03u * (v + 1));
}

template <class Id, class Offset>
std::uint64_t sum_of(csr_view<Id, Offset> g, std::size_t begin, std::size_t end) {
  std::uint64_t sum = 0;
  for (std::size_t u = begin; u < end; ++u) {
    const std::uint64_t hash = source_hash(u);
    for (const Id v : g.row(static_cast<Id>(u))) sum += arc_item(hash, v);
  }
  return sum;
}

template <class Id>
std::uint64_t sum_of(coo_view<Id> g, std::size_t begin, std::size_t end) {
  std::uint64_t sum = 0;
  for (const auto& [u, v] : g.edges.subspan(begin, end - begin)) sum += arc_item(source_hash(u), v);
  return sum;
}

}  // namespace

std::uint64_t graph_checksum(graph_view any, const execution& on) {
  return std::visit(
      [&on](const auto& g) {
        const std::uint64_t sum = arc_sum(g, on, [](const auto& of, std::size_t begin, std::size_t end) { return sum_of(of, begin, end); });
        return mix(sum ^ mix(std::uint64_t{g.vertices()} + 0x6A09E667F3BCC909u));
      },
      any);
}

namespace {

template <class Id, class Offset>
std::uint64_t loops_of(csr_view<Id, Offset> g, std::size_t begin, std::size_t end) {
  std::uint64_t loops = 0;
  for (std::size_t u = begin; u < end; ++u) {
    for (const Id v : g.row(static_cast<Id>(u))) loops += static_cast<std::uint64_t>(v == u);
  }
  return loops;
}

template <class Id>
std::uint64_t loops_of(coo_view<Id> g, std::size_t begin, std::size_t end) {
  std::uint64_t loops = 0;
  for (const auto& [u, v] : g.edges.subspan(begin, end - begin)) loops += static_cast<std::uint64_t>(u == v);
  return loops;
}

}  // namespace

edge_counts count_edges(graph_view any, const execution& on) {
  return std::visit(
      [&on](const auto& g) {
        edge_counts count;
        count.loops = arc_sum(g, on, [](const auto& of, std::size_t begin, std::size_t end) { return loops_of(of, begin, end); });
        if constexpr (requires { g.edges; }) {
          count.edges = count.arcs = g.edges.size();
        } else {
          count.arcs = g.targets.size();
          count.edges = g.symmetric == symmetry::yes ? (count.arcs - count.loops) / 2 + count.loops : count.arcs;
        }
        return count;
      },
      any);
}

}  // namespace copse
