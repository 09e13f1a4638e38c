// From a family to an edge list: chooses the width, cuts the work into blocks for the threads, and permutes ids when asked. A family is a
// small struct, the same text for host and device, and comes in two kinds:
//   direct:  `edge<Id> at<Id>(i)` gives edge i of a known number;
//   blocked: `count(block)` says how many edges a block has, `fill(block, out)` writes them and returns the end, so the number of edges
//            is known after one pass.
// Every edge depends on (parameters, seed, index) alone, never on threads.
#pragma once
#include <copse/core/error.hpp>
#include <copse/core/threads.hpp>
#include <copse/gen/generate.hpp>
#include <core/parallel.hpp>
#include <core/permutation.hpp>
#include <gen/spec.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

namespace copse::gen {

/// What the random streams of one seed are for.
enum class purpose : std::uint64_t { edges = 1, shuffle = 2, structure = 3 };

inline random_stream stream_of(const spec& s, purpose what) { return {s.seed(), static_cast<std::uint64_t>(what)}; }

/// Bounds of sizes: far beyond any memory, and small enough that counts of edges do not wrap.
inline constexpr std::uint64_t most_vertices = std::uint64_t{1} << 56;
inline constexpr std::uint64_t most_side = std::uint64_t{1} << 28;

inline constexpr std::size_t edges_per_block = std::size_t{1} << 14;

template <unsigned_index Id>
coo<Id> allocate_edges(std::uint64_t vertices, std::uint64_t edges, const generate_options& options) {
  if (edges > std::numeric_limits<std::ptrdiff_t>::max() / sizeof(edge<Id>)) {
    throw resource_error{"out of memory: " + std::to_string(edges) + " edges of " + std::to_string(sizeof(edge<Id>)) + " bytes"};
  }
  return {static_cast<Id>(vertices), buffer<edge<Id>>(static_cast<std::size_t>(edges), options.memory)};
}

template <unsigned_index Id>
void permute_ids(std::span<edge<Id>> edges, const permutation& order) {
  for (edge<Id>& e : edges) e = {static_cast<Id>(order(e.u)), static_cast<Id>(order(e.v))};
}

template <unsigned_index Id, class Family>
graph emit_direct_as(const Family& family, std::uint64_t vertices, std::uint64_t edges, const spec& s, const generate_options& options) {
  coo<Id> list = allocate_edges<Id>(vertices, edges, options);
  const permutation order{vertices, stream_of(s, purpose::shuffle)};
  parallel_blocks(usable_threads(options.threads), list.edges.size(), edges_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) list.edges[i] = family.template at<Id>(i);
    if (s.shuffle()) permute_ids(list.edges.span().subspan(begin, end - begin), order);
  });
  return graph{std::move(list)};
}

/// Family blocks are small; this many share an entry of the table of starts.
inline constexpr std::uint64_t blocks_per_chunk = 64;

template <unsigned_index Id, class Family>
graph emit_blocked_as(const Family& family, std::uint64_t vertices, std::uint64_t blocks, std::span<const std::uint64_t> starts,
                      const spec& s, const generate_options& options) {
  coo<Id> list = allocate_edges<Id>(vertices, starts.back(), options);
  const permutation order{vertices, stream_of(s, purpose::shuffle)};
  parallel_blocks(usable_threads(options.threads), starts.size() - 1, 16, [&](std::size_t begin, std::size_t end) {
    edge<Id>* out = list.edges.data() + starts[begin];
    for (std::uint64_t b = begin * blocks_per_chunk; b < std::min(blocks, end * blocks_per_chunk); ++b) out = family.fill(b, out);
    if (s.shuffle()) permute_ids(list.edges.span().subspan(starts[begin], starts[end] - starts[begin]), order);
  });
  return graph{std::move(list)};
}

inline bool fits_32(std::uint64_t vertices) noexcept { return vertices <= std::numeric_limits<std::uint32_t>::max(); }

template <class Family>
graph emit_direct(const Family& family, std::uint64_t vertices, std::uint64_t edges, const spec& s, const generate_options& options) {
  return fits_32(vertices) ? emit_direct_as<std::uint32_t>(family, vertices, edges, s, options)
                           : emit_direct_as<std::uint64_t>(family, vertices, edges, s, options);
}

/// starts[i] = count(0) + ... + count(i - 1), in items + 1 entries.
template <class Count>
buffer<std::uint64_t> prefix_counts(std::uint64_t items, const generate_options& options, Count count) {
  buffer<std::uint64_t> starts(static_cast<std::size_t>(items + 1), options.memory);
  starts[0] = 0;
  parallel_blocks(usable_threads(options.threads), static_cast<std::size_t>(items), 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) starts[i + 1] = count(i);
  });
  for (std::size_t i = 0; i < items; ++i) starts[i + 1] += starts[i];
  return starts;
}

template <class Family>
graph emit_blocked(const Family& family, std::uint64_t vertices, std::uint64_t blocks, const spec& s, const generate_options& options) {
  const std::uint64_t chunks = blocks / blocks_per_chunk + (blocks % blocks_per_chunk != 0 ? 1 : 0);
  const buffer<std::uint64_t> starts = prefix_counts(chunks, options, [&](std::uint64_t chunk) {
    std::uint64_t edges = 0;
    for (std::uint64_t b = chunk * blocks_per_chunk; b < std::min(blocks, (chunk + 1) * blocks_per_chunk); ++b) edges += family.count(b);
    return edges;
  });
  return fits_32(vertices) ? emit_blocked_as<std::uint32_t>(family, vertices, blocks, starts.span(), s, options)
                           : emit_blocked_as<std::uint64_t>(family, vertices, blocks, starts.span(), s, options);
}

}  // namespace copse::gen
