#include "graph/arc_sum.hpp"

#include <copse/build.hpp>

#include <variant>

namespace copse {
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

std::uint64_t count_loops(graph_view any, unsigned threads) {
  return std::visit(
      [threads](const auto& g) {
        return arc_sum(g, threads, [](const auto& of, std::size_t begin, std::size_t end) { return loops_of(of, begin, end); });
      },
      any);
}

}  // namespace copse
