// Makes the edge list of a recipe in host memory: chooses the width of ids, divides the work into blocks for threads, and permutes ids if
// the recipe says so.
#include <copse/errors.hpp>
#include <copse/execution.hpp>
#include <core/parallel.hpp>
#include <core/random.hpp>
#include <gen/recipe.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

namespace copse::gen {
namespace {

constexpr std::size_t edges_per_block = std::size_t{1} << 14;
/// The blocks of a family are small, so this many of them share an entry of the table of prefix sums.
constexpr std::uint64_t blocks_per_chunk = 64;

template <unsigned_index Id>
coo<Id> allocate_edges(std::uint64_t vertices, std::uint64_t edges, const execution& on) {
  if (edges > std::numeric_limits<std::ptrdiff_t>::max() / sizeof(edge<Id>)) {
    throw resource_error{"out of memory: " + std::to_string(edges) + " edges of " + std::to_string(sizeof(edge<Id>)) + " bytes"};
  }
  return {static_cast<Id>(vertices), buffer<edge<Id>>(static_cast<std::size_t>(edges), on.memory)};
}

template <unsigned_index Id>
void permute_ids(std::span<edge<Id>> edges, const permutation& order) {
  for (edge<Id>& e : edges) e = {static_cast<Id>(order(e.u)), static_cast<Id>(order(e.v))};
}

template <unsigned_index Id, class Family>
graph emit_direct_as(const Family& family, const recipe& plan, const execution& on) {
  coo<Id> list = allocate_edges<Id>(plan.vertices, plan.items, on);
  const permutation order{plan.vertices, plan.order};
  parallel_blocks(usable_threads(on.threads), list.edges.size(), edges_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) list.edges[i] = family.template at<Id>(i);
    if (plan.shuffle) permute_ids(list.edges.span().subspan(begin, end - begin), order);
  });
  return graph{std::move(list)};
}

template <unsigned_index Id, class Family>
graph emit_blocked_as(const Family& family, const recipe& plan, std::uint64_t vertices, std::span<const std::uint64_t> starts,
                      const execution& on) {
  const std::uint64_t blocks = plan.items;
  coo<Id> list = allocate_edges<Id>(vertices, starts.back(), on);
  const permutation order{vertices, plan.order};
  parallel_blocks(usable_threads(on.threads), starts.size() - 1, 16, [&](std::size_t begin, std::size_t end) {
    edge<Id>* out = list.edges.data() + starts[begin];
    for (std::uint64_t b = begin * blocks_per_chunk; b < std::min(blocks, end * blocks_per_chunk); ++b) out = family.fill(b, out);
    if (plan.shuffle) permute_ids(list.edges.span().subspan(starts[begin], starts[end] - starts[begin]), order);
  });
  return graph{std::move(list)};
}

/// Returns items + 1 prefix sums, where entry i is count(0) + ... + count(i - 1).
template <class Count>
buffer<std::uint64_t> prefix_counts(std::uint64_t items, const execution& on, Count count) {
  buffer<std::uint64_t> starts(static_cast<std::size_t>(items + 1), on.memory);
  starts[0] = 0;
  parallel_blocks(usable_threads(on.threads), static_cast<std::size_t>(items), 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) starts[i + 1] = count(i);
  });
  for (std::size_t i = 0; i < items; ++i) starts[i + 1] += starts[i];
  return starts;
}

template <class Family>
graph emit_blocked(const Family& family, const recipe& plan, std::uint64_t vertices, const execution& on) {
  const std::uint64_t blocks = plan.items;
  const std::uint64_t chunks = blocks / blocks_per_chunk + (blocks % blocks_per_chunk != 0 ? 1 : 0);
  const buffer<std::uint64_t> starts = prefix_counts(chunks, on, [&](std::uint64_t chunk) {
    std::uint64_t edges = 0;
    for (std::uint64_t b = chunk * blocks_per_chunk; b < std::min(blocks, (chunk + 1) * blocks_per_chunk); ++b) edges += family.count(b);
    return edges;
  });
  return fits_32(vertices) ? emit_blocked_as<std::uint32_t>(family, plan, vertices, starts.span(), on)
                           : emit_blocked_as<std::uint64_t>(family, plan, vertices, starts.span(), on);
}

}  // namespace

graph emit(const recipe& plan, const execution& on) {
  return std::visit(
      [&]<class Family>(Family family) {
        if constexpr (direct_family<Family>) {
          return fits_32(plan.vertices) ? emit_direct_as<std::uint32_t>(family, plan, on) : emit_direct_as<std::uint64_t>(family, plan, on);
        } else if constexpr (adds_vertices<Family>) {
          const buffer<std::uint64_t> added =
              prefix_counts(plan.items, on, [&](std::uint64_t block) { return family.added_vertices(block); });
          family.added_before = added.data();
          return emit_blocked(family, plan, plan.vertices + added[static_cast<std::size_t>(plan.items)], on);
        } else {
          return emit_blocked(family, plan, plan.vertices, on);
        }
      },
      plan.family);
}

}  // namespace copse::gen
