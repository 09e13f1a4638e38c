// Connected components of a graph in memory, or of an edge list while it is parsed.
#pragma once
#include <copse/graph.hpp>
#include <copse/hybrid.hpp>
#include <copse/io.hpp>
#include <copse/labels.hpp>
#include <copse/options.hpp>
#include <copse/report.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace copse {

/// What a solve did, beside its answer. Seconds are wall-clock.
struct solve_report {
  std::string variant;         ///< the variant that ran; never "auto"
  std::string explanation;     ///< what auto saw, what it chose and why; empty when the caller chose
  std::string device = "cpu";  ///< or cuda:i
  unsigned threads = 1;
  double solve_seconds = 0;             ///< auto's choice included; from before the parents are initialised to the last canonical label
  double build_seconds = 0;             ///< making rows of an edge list, for variants that walk rows
  double copy_seconds = 0;              ///< waking a GPU and copying graph and labels there and back; not part of solve_seconds
  double read_seconds = 0;              ///< streaming: 0, its parse is part of the solve
  std::vector<phase> phases;            ///< where solve_seconds went; rules in rounds name their own phases inside "finish"
  unsigned launches = 0;                ///< kernels, where a GPU solved (those inside CUB's sort, for cc_sort, left out)
  std::optional<work_counts> work;      ///< when solve_options::count was set
  std::uint64_t edges = 0;              ///< edge lines seen (streaming) or arcs stored (rows) or edges (lists)
  std::optional<hybrid_report> hybrid;  ///< where the CPU and a GPU solved together
};

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
components_result components(const graph& g, const solve_options& options = {});
components_result components(graph_view g, const solve_options& options = {});

/// The same from the caller's arrays into the caller's memory, without a copy: `labels` has one element per vertex. Ids and offsets are
/// (32, 32), (32, 64) or (64, 64) bits. Throws usage_error too when `labels` has another size.
template <unsigned_index Id, unsigned_index Offset>
solve_report components(csr_view<Id, Offset> g, std::span<Id> labels, const solve_options& options = {});
/// Of an edge list, each edge once, in any direction and order; in one array or in two columns, as SciPy, Arrow and data frames have them.
/// Columns are united as they stand when the variant is auto, and otherwise copied into one array first.
template <unsigned_index Id>
solve_report components(coo_view<Id> edges, std::span<Id> labels, const solve_options& options = {});
template <unsigned_index Id>
solve_report components(edge_columns_view<Id> edges, std::span<Id> labels, const solve_options& options = {});

/// By a variant of hybrid: the CPU and a GPU together (docs/explanation/hybrid.md). Without `how` the share of each comes from a table.
components_result components(const graph& g, const solve_options& options, const hybrid_options& how);
components_result components(graph_view g, const solve_options& options, const hybrid_options& how);

/// Labels of a file. Edges are united while they are parsed (memory O(vertices), no edge is held) when the variant is auto or
/// a `*.none.*` variant that works on an edge list while it passes by; otherwise the graph is read and solved.
components_result components_of_file(const std::filesystem::path& path, const io::read_options& input, const solve_options& options = {});

/// Labels of several edge lists that are one graph; they are united while they are parsed, one file after the other.
components_result components_of_files(std::span<const std::filesystem::path> paths, const io::read_options& input,
                                      const solve_options& options = {});

/// Does components_of_file unite the edges of such a file while it parses them, so that it holds none?
bool is_streamed(const std::filesystem::path& path, const io::read_options& input, const solve_options& options = {});

}  // namespace copse
