// Connected components of a graph in memory, or of an edge list while it is parsed.
#pragma once
#include <copse/graph.hpp>
#include <copse/labels.hpp>
#include <copse/options.hpp>
#include <copse/reading.hpp>
#include <copse/report.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace copse {

class id_pairs;  // copse/pairs.hpp

struct components_result {
  labelling labels;
  solve_report report;

  /// Number of components, and the largest one. O(vertices) each call, the number in one pass that takes no memory; summarise() answers
  /// several questions at once.
  [[nodiscard]] std::uint64_t count() const noexcept;
  [[nodiscard]] component largest() const { return summarise(labels).largest; }
};

/// Labels of `g`. Throws usage_error for an unknown or refused variant and for a view that is wrong, saying where, resource_error when
/// memory ends, cancelled. Views are checked, in O(n + arcs), unless they are marked trusted; a graph is trusted. After an exception,
/// labels in the caller's memory have no meaning.
///
/// On the device `auto` the report's explanation says what is expected of the CPU and of a GPU. It is chosen by rates that are measured
/// once per process, in about a second; graphs that the CPU solves before a GPU would have started are not measured.
///
/// On several GPUs the edges are streamed through them in pieces, by the variant auto. GPUs take 32-bit ids. By a variant
/// of hybrid the CPU and a GPU solve together (docs/explanation/hybrid.md).
[[nodiscard]] components_result components(const graph& g, const solve_options& options = {}, const execution& on = {});
[[nodiscard]] components_result components(graph_view g, const solve_options& options = {}, const execution& on = {});

/// Finds components in the caller's arrays and writes them to the caller's memory, without a copy: `labels` has one element per vertex. Ids
/// and offsets are (32, 32), (32, 64) or (64, 64) bits. Throws usage_error too when `labels` has another size.
template <unsigned_index Id, unsigned_index Offset>
solve_report components(csr_view<Id, Offset> g, std::span<Id> labels, const solve_options& options = {}, const execution& on = {});
/// Finds the components of an edge list with each edge once, in any direction and order; in one array or in two columns, as SciPy, Arrow
/// and data frames have them. Columns are united as they stand when the variant is auto, and otherwise copied into one array first.
template <unsigned_index Id>
solve_report components(coo_view<Id> edges, std::span<Id> labels, const solve_options& options = {}, const execution& on = {});
template <unsigned_index Id>
solve_report components(edge_columns_view<Id> edges, std::span<Id> labels, const solve_options& options = {}, const execution& on = {});

/// Labels of pairs of ids of any kind, `components({from, to})` of two vectors of int, long long or std::string (copse/pairs.hpp). Vertices
/// are the ids that occur. By the variant auto on the CPU pairs are united as they stand, as components_sink does it; otherwise they are
/// held as a graph, as graph_of() makes it. Throws what these throw.
[[nodiscard]] components_result components(const id_pairs& edges, const solve_options& options = {}, const execution& on = {});

/// Labels of a file. The edges of a list, in text or as pairs, are united while they are parsed (memory O(vertices), no edge is held) when
/// the variant is auto or, unless the file declares its vertices, a `*.none.*` variant that takes an edge at a time; otherwise the graph is
/// read and solved.
/// On GPUs the edges go straight from the file to them. The rows of `.sg` and `.egr` are copied as they are and checked on the way, and
/// held by one GPU that has room for them. Lists are parsed by the threads, and their edges are streamed to one GPU or several in pieces,
/// by the variant auto. Ids that a GPU should not number (strings, 2^32 - 1 and above, and those that are far apart) are read to host
/// memory first, of one file, and streamed from there. Other rows, and pipes, are read to host memory. prepared_graph.hpp solves a file
/// several times.
///
/// If on.memory is a tracked_memory with a limit, and its limit is surely too small for a graph that is to be held, the
/// resource_error comes before the file is read; later ones end with the bytes of the ways that plan.hpp knows for the file.
[[nodiscard]] components_result components(const std::filesystem::path& path, const io::read_options& input,
                                           const solve_options& options = {}, const execution& on = {});

/// Labels of several edge lists that are one graph; they are united while they are parsed, one file after the other.
[[nodiscard]] components_result components(std::span<const std::filesystem::path> paths, const io::read_options& input,
                                           const solve_options& options = {}, const execution& on = {});

/// True if components() and spanning_forest() unite the edges of such a file while they parse them, so that they do not hold the graph.
[[nodiscard]] bool is_streamed(const std::filesystem::path& path, const io::read_options& input, const solve_options& options = {},
                               const execution& on = {});

}  // namespace copse
