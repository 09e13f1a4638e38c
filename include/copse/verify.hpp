// Proofs of labels, forests, tours and ranks.
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

// Proofs that a labelling or a spanning forest is right, by plain serial code that shares nothing with what it checks.

struct verdict {
  bool right = false;
  std::string reason;  ///< when wrong: the first fault found, with the vertices it concerns
  std::uint64_t vertices = 0;
  std::uint64_t components = 0;  ///< as the verifier counts them
  explicit operator bool() const noexcept { return right; }
};

/// All arcs agree; every label is the smallest vertex that carries it; and the graph has a forest of n - k edges, k = number of labels,
/// so no label joins what the graph does not. O((n + arcs) alpha) serial time, 4 or 8 bytes per vertex.
[[nodiscard]] verdict verify(graph_view g, const labelling& labels);

/// The same, and `labels` are of the names of `g`: label i belongs to the vertex that the graph calls so.
[[nodiscard]] verdict verify(const graph& g, const labelling& labels);

/// Verifies the labels of a file that was never held: its edges are parsed again. Names of `labels` are matched with the ids of the file,
/// and every id of the file must have a label, every label an id of the file (or of its declared vertices).
[[nodiscard]] verdict verify(const std::filesystem::path& path, const io::read_options& options, const labelling& labels,
                             const execution& on = {});

/// As above, for several edge lists that are one graph.
[[nodiscard]] verdict verify(std::span<const std::filesystem::path> paths, const io::read_options& options, const labelling& labels,
                             const execution& on = {});

/// Verifies the labels 0 .. k - 1 that dense() makes (`--labels dense`).
[[nodiscard]] verdict verify_dense(graph_view g, const labelling& labels);
[[nodiscard]] verdict verify_dense(const graph& g, const labelling& labels);
[[nodiscard]] verdict verify_dense(const std::filesystem::path& path, const io::read_options& options, const labelling& labels,
                                   const execution& on = {});
[[nodiscard]] verdict verify_dense(std::span<const std::filesystem::path> paths, const io::read_options& options, const labelling& labels,
                                   const execution& on = {});

/// Verifies the groups of records by keys: the tables are read again, by one thread, and every record is joined with the first that has
/// the value, found in a std::unordered_map. `max_group`: values that come more often join nothing, and the tables are read twice.
[[nodiscard]] verdict verify_groups(std::span<const std::filesystem::path> paths, const io::keyed_table& table,
                                    const io::read_options& options, const labelling& labels,
                                    std::uint64_t max_group = std::numeric_limits<std::uint64_t>::max(), const execution& on = {});

/// Proves that `forest`, a list of edges, is a spanning forest of `g`: its ends are vertices, it has no cycle, every edge of it is one of
/// the graph (in either direction), and every arc of the graph joins vertices of one of its trees. So it has n - k edges and the partition
/// of the graph's components. Plain and serial, shares no code with what it checks. O((n + arcs) alpha) time, three ids per vertex.
[[nodiscard]] verdict verify_forest(graph_view g, const graph& forest);

/// Proves what an Euler tour says of `forest`, a list of edges: every edge hangs one vertex on its parent, and no vertex hangs otherwise;
/// depths count the edges up to roots, which are the smallest of their trees; the order holds every vertex once, as forest_tour has it, and
/// sizes count what is below. Plain and serial, shares no code with what it checks, and walks no tree: laws of single vertices are enough.
/// O(n) time, 9 bytes per vertex.
[[nodiscard]] verdict verify_tour(const graph& forest, const forest_tour& tour);

// A proof that ranks are right, by definition alone: serial, and shares no code with what it checks.

struct rank_verdict {
  bool right = false;
  std::string reason;  ///< when wrong: the first fault found, with the element it concerns
  std::uint64_t elements = 0;
  std::uint64_t lists = 0;
  explicit operator bool() const noexcept { return right; }
};

/// Every successor exists, none follows two; every rank is its successor's plus one (from the head: its predecessor's), and 0 where the
/// list ends (begins). No cycle can have such ranks. O(n) serial time with a random read and a bit per element.
[[nodiscard]] rank_verdict verify_ranks(std::span<const std::uint32_t> successors, std::span<const std::uint32_t> ranks, rank_origin from,
                                        std::pmr::memory_resource* memory = host_memory());
[[nodiscard]] rank_verdict verify_ranks(std::span<const std::uint64_t> successors, std::span<const std::uint64_t> ranks, rank_origin from,
                                        std::pmr::memory_resource* memory = host_memory());

/// Weighted: every rank is its weight and its successor's rank put together. A cycle may have such ranks (of zeros, or of minima), so every
/// list is walked as well.
[[nodiscard]] rank_verdict verify_ranks(std::span<const std::uint32_t> successors, std::span<const std::int64_t> weights,
                                        rank_operation operation, std::span<const std::int64_t> ranks, rank_origin from,
                                        std::pmr::memory_resource* memory = host_memory());
[[nodiscard]] rank_verdict verify_ranks(std::span<const std::uint64_t> successors, std::span<const std::int64_t> weights,
                                        rank_operation operation, std::span<const std::int64_t> ranks, rank_origin from,
                                        std::pmr::memory_resource* memory = host_memory());

}  // namespace copse
