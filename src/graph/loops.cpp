#include "core/parallel.hpp"

#include <copse/build.hpp>
#include <copse/options.hpp>

#include <atomic>
#include <variant>

namespace copse {
namespace {

constexpr std::size_t rows_per_block = 4096;
constexpr std::size_t edges_per_block = std::size_t{1} << 16;

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

std::uint64_t count_loops(graph_view any, unsigned threads) {
  return std::visit(
      [threads](const auto& g) {
        constexpr bool listed = requires { g.edges; };
        std::size_t count = 0;
        if constexpr (listed) {
          count = g.edges.size();
        } else {
          count = g.vertices();
        }
        std::atomic<std::uint64_t> loops{0};
        parallel_blocks(usable_threads(threads), count, listed ? edges_per_block : rows_per_block,
                        [&](std::size_t begin, std::size_t end) { loops.fetch_add(loops_of(g, begin, end), std::memory_order_relaxed); });
        return loops.load(std::memory_order_relaxed);
      },
      any);
}

}  // namespace copse
