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

  /// The number of components. O(vertices), in one pass and without an allocation; summarise() answers more in one call.
  [[nodiscard]] std::uint64_t count() const noexcept;
  /// The largest component. O(vertices), as it calls summarise().
  [[nodiscard]] component largest() const { return summarise(labels).largest; }
};

/// Returns the component labels of `g`. Throws usage_error for an unknown or refused variant and for an invalid view, saying where it is
/// invalid; resource_error when memory runs out; cancelled. A graph_view is checked in O(n + arcs) unless it is marked trusted; a graph is
/// always trusted. After an exception, labels in the caller's memory have no meaning.
///
/// With execution::device `auto` the report's explanation says what time is expected on the CPU and on a GPU. The estimate uses rates that
/// are measured once per process, in about a second; they are not measured if the CPU solves the graph before a GPU would have started.
///
/// On several GPUs the edges are streamed to them in pieces, by the variant auto. GPUs take 32-bit ids. By a hybrid variant the CPU and a
/// GPU solve the graph together (docs/explanation/hybrid.md).
[[nodiscard]] components_result components(const graph& g, const solve_options& options = {}, const execution& on = {});
[[nodiscard]] components_result components(graph_view g, const solve_options& options = {}, const execution& on = {});

/// Finds components of the caller's arrays and writes them to the caller's memory, without a copy: `labels` has one element per vertex. Ids
/// and offsets are (32, 32), (32, 64) or (64, 64) bits wide. Throws usage_error also if the size of `labels` is not the number of vertices.
template <unsigned_index Id, unsigned_index Offset>
solve_report components(csr_view<Id, Offset> g, std::span<Id> labels, const solve_options& options = {}, const execution& on = {});
/// Finds the components of an edge list that has each edge once, in any direction and order. It is one array of edges, or two columns as
/// SciPy, Arrow and data frames have them. Two columns are read in place when the variant is auto, and otherwise copied into one array
/// first.
template <unsigned_index Id>
solve_report components(coo_view<Id> edges, std::span<Id> labels, const solve_options& options = {}, const execution& on = {});
template <unsigned_index Id>
solve_report components(edge_columns_view<Id> edges, std::span<Id> labels, const solve_options& options = {}, const execution& on = {});

/// Labels of pairs of ids of any kind, such as `components({from, to})` with two vectors of int, long long or std::string
/// (copse/pairs.hpp). Vertices are the ids that occur. With the variant auto on the CPU, edges are united directly from the pairs, as by
/// components_sink; otherwise graph_of() makes a graph of them first. Throws what components_sink and graph_of() throw.
[[nodiscard]] components_result components(const id_pairs& edges, const solve_options& options = {}, const execution& on = {});

/// Labels of the graph in a file. The edges of a list, in text or as pairs, are united while they are parsed (memory O(vertices), no edge
/// is stored) when the variant is auto or, unless the file declares its vertices, serial.none.rem or (with two threads or more)
/// threads.none.rem_cas.naive.halve_one; otherwise the graph is read and then solved.
///
/// On GPUs, lists are parsed by CPU threads and their edges are streamed to one GPU or several in pieces, by the variant auto. Rows of
/// `.sg` and `.egr` files are copied unchanged to one GPU with room for them, and checked on the way. Ids that do not suit a GPU (strings,
/// ids of 2^32 - 1 and above, and sparse ids) are first read to host memory, if there is one file, and streamed from there. Other rows, and
/// pipes, are read to host memory. To solve a file several times use prepared_graph.hpp.
///
/// If on.memory is a tracked_memory whose limit is certainly too small for a graph that must be stored, the resource_error is thrown before
/// the file is read. The message of a later resource_error ends with the bytes of each way to solve the file that plan.hpp knows.
[[nodiscard]] components_result components(const std::filesystem::path& path, const io::read_options& input,
                                           const solve_options& options = {}, const execution& on = {});

/// Labels of several edge lists that together are one graph; edges are united while they are parsed, one file after the other.
[[nodiscard]] components_result components(std::span<const std::filesystem::path> paths, const io::read_options& input,
                                           const solve_options& options = {}, const execution& on = {});

/// True if components() and spanning_forest() unite the edges of this file while they parse it, without storing the graph.
[[nodiscard]] bool is_streamed(const std::filesystem::path& path, const io::read_options& input, const solve_options& options = {},
                               const execution& on = {});

}  // namespace copse
