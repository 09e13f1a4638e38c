// Verifiers of labels, forests, tours and ranks.
#pragma once
#include <copse/execution.hpp>
#include <copse/graph.hpp>
#include <copse/io.hpp>
#include <copse/keyed_table.hpp>
#include <copse/labels.hpp>
#include <copse/list_ranking.hpp>
#include <copse/memory.hpp>
#include <copse/rooted_forest.hpp>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <string>

namespace copse {

// Verifiers of labellings and spanning forests: plain serial code that shares nothing with the code it checks.

struct verdict {
  bool right = false;
  std::string reason;  ///< if wrong: the first fault found, with the vertices it concerns
  std::uint64_t vertices = 0;
  std::uint64_t components = 0;  ///< number of components, counted by the verifier
  explicit operator bool() const noexcept { return right; }
};

/// Verifies labels: the ends of every arc have the same label; every label is the smallest vertex that has it; and the graph has a
/// forest of n - k edges for k labels, so that no label joins vertices that the graph does not connect. O((n + arcs) alpha) serial time,
/// 4 or 8 bytes per vertex.
[[nodiscard]] verdict verify(graph_view g, const labelling& labels);

/// Like verify() of a view, and also that `labels` has the names of `g`: label i must belong to the vertex that has the same name in the
/// graph.
[[nodiscard]] verdict verify(const graph& g, const labelling& labels);

/// Verifies labels against a file, whose edges are parsed again and not stored. Names of `labels` are matched with the ids of the file:
/// every id of the file must have a label, and every name must be an id of the file (or one of its declared vertices).
[[nodiscard]] verdict verify(const std::filesystem::path& path, const io::read_options& options, const labelling& labels,
                             const execution& on = {});

/// Verifies labels against several edge lists that are one graph.
[[nodiscard]] verdict verify(std::span<const std::filesystem::path> paths, const io::read_options& options, const labelling& labels,
                             const execution& on = {});

/// Verifies the labels 0 .. k - 1 that dense() makes (`--labels dense`).
[[nodiscard]] verdict verify_dense(graph_view g, const labelling& labels);
[[nodiscard]] verdict verify_dense(const graph& g, const labelling& labels);
[[nodiscard]] verdict verify_dense(const std::filesystem::path& path, const io::read_options& options, const labelling& labels,
                                   const execution& on = {});
[[nodiscard]] verdict verify_dense(std::span<const std::filesystem::path> paths, const io::read_options& options, const labelling& labels,
                                   const execution& on = {});

/// Verifies groups of records by keys: the tables are read again by one thread, and every record is united with the first record that has
/// the same value, found in a std::unordered_map. Values that occur more than `max_group` times join nothing; for this the tables are read
/// twice.
[[nodiscard]] verdict verify_groups(std::span<const std::filesystem::path> paths, const io::keyed_table& table,
                                    const io::read_options& options, const labelling& labels,
                                    std::uint64_t max_group = std::numeric_limits<std::uint64_t>::max(), const execution& on = {});

/// Proves that `forest`, a list of edges, is a spanning forest of `g`: its ends are vertices, it has no cycle, each of its edges is an
/// edge of the graph (in either direction), and both ends of every arc of the graph are in the same tree. So it has n - k edges and its
/// trees are the graph's components. Plain and serial, shares no code with what it checks. O((n + arcs) alpha) time, three ids per vertex.
[[nodiscard]] verdict verify_forest(graph_view g, const graph& forest);

/// Proves that `tour` is the Euler tour of `forest`, a list of edges: every edge connects a vertex to its parent, and every vertex that is
/// no root has such an edge; depths are the numbers of edges to the roots, which are the smallest vertices of their trees; the order has
/// every vertex once, as described at forest_tour; sizes are those of the subtrees. Plain and serial, shares no code with what it checks.
/// It traverses no tree, because conditions on single vertices suffice. O(n) time, 9 bytes per vertex.
[[nodiscard]] verdict verify_tour(const graph& forest, const forest_tour& tour);

// Verifiers of ranks, directly by their definition: serial code that shares nothing with the code it checks.

struct rank_verdict {
  bool right = false;
  std::string reason;  ///< if wrong: the first fault found, with the element it concerns
  std::uint64_t elements = 0;
  std::uint64_t lists = 0;
  explicit operator bool() const noexcept { return right; }
};

/// Verifies ranks: every successor exists, and no two elements have the same one; every rank is one more than that of the successor (from
/// the head: of the predecessor), and 0 at the end (at the head) of a list. Ranks along a cycle cannot satisfy this. O(n) serial time with
/// one random read and one bit per element.
[[nodiscard]] rank_verdict verify_ranks(std::span<const std::uint32_t> successors, std::span<const std::uint32_t> ranks, rank_origin from,
                                        std::pmr::memory_resource* memory = host_memory());
[[nodiscard]] rank_verdict verify_ranks(std::span<const std::uint64_t> successors, std::span<const std::uint64_t> ranks, rank_origin from,
                                        std::pmr::memory_resource* memory = host_memory());

/// Verifies weighted ranks: every rank combines the element's weight with the rank of its successor. Because a cycle may satisfy this (with
/// zeros, or minima), every list is traversed, too.
[[nodiscard]] rank_verdict verify_ranks(std::span<const std::uint32_t> successors, std::span<const std::int64_t> weights,
                                        rank_operation operation, std::span<const std::int64_t> ranks, rank_origin from,
                                        std::pmr::memory_resource* memory = host_memory());
[[nodiscard]] rank_verdict verify_ranks(std::span<const std::uint64_t> successors, std::span<const std::int64_t> weights,
                                        rank_operation operation, std::span<const std::int64_t> ranks, rank_origin from,
                                        std::pmr::memory_resource* memory = host_memory());

}  // namespace copse
