#include <backend/omp/omp.hpp>
#include <registry/forest_rows.hpp>
#include <verify/proof.hpp>

#include <algorithm>
#include <atomic>
#include <string>

namespace copse::registry {
namespace {

template <unsigned_index Id>
[[noreturn]] void refuse_first_beyond(coo_view<Id> edges) {
  const Id n = edges.vertices();
  std::size_t i = 0;
  while (edges.edges[i].u < n && edges.edges[i].v < n) ++i;
  throw usage_error{"found an edge of vertices " + std::to_string(edges.edges[i].u) + " and " + std::to_string(edges.edges[i].v) +
                    ", expected them below " + std::to_string(n)};
}

}  // namespace

template <unsigned_index Id>
void expect_vertices(coo_view<Id> edges, const solve_options& options) {
  std::atomic<bool> beyond{false};
  const backend::omp loops{usable_threads(options.threads), options.observer};
  loops.for_blocks(edges.edges.size(), [&beyond, all = edges.edges, n = edges.vertices()](std::size_t begin, std::size_t end) {
    bool found = false;
    for (std::size_t i = begin; i < end; ++i) found |= all[i].u >= n || all[i].v >= n;
    if (found) beyond.store(true, std::memory_order_relaxed);
  });
  if (beyond.load(std::memory_order_relaxed)) refuse_first_beyond(edges);
}

// Union by order and halving: it runs only when there is a cycle to be named.
template <unsigned_index Id>
void expect_no_cycle(coo_view<Id> edges, std::uint64_t trees, const vertex_names& names, std::pmr::memory_resource* memory) {
  const std::uint64_t n = edges.vertices();
  if (edges.edges.size() == n - trees) return;
  buffer<Id> parents{n, memory};
  for (std::uint64_t v = 0; v < n; ++v) parents[v] = static_cast<Id>(v);
  const auto root = [&](Id v) {
    for (; parents[v] != v; v = parents[v]) parents[v] = parents[parents[v]];
    return v;
  };
  for (const edge<Id> e : edges.edges) {
    const Id u = root(e.u), v = root(e.v);
    if (u == v) {
      throw usage_error{"found an edge of vertices " + name_in_message(names, e.u) + " and " + name_in_message(names, e.v) +
                        " that closes a cycle, expected a forest"};
    }
    parents[std::max(u, v)] = std::min(u, v);
  }
}

template void expect_vertices(coo_view<std::uint32_t>, const solve_options&);
template void expect_vertices(coo_view<std::uint64_t>, const solve_options&);
template void expect_no_cycle(coo_view<std::uint32_t>, std::uint64_t, const vertex_names&, std::pmr::memory_resource*);
template void expect_no_cycle(coo_view<std::uint64_t>, std::uint64_t, const vertex_names&, std::pmr::memory_resource*);

}  // namespace copse::registry
