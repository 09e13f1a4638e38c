// The GRAPH argument of a command: a file, standard input or a generator spec, with the memory and the observer for reading it.
#pragma once
#include <copse/execution.hpp>
#include <copse/graph.hpp>
#include <copse/io.hpp>
#include <copse/memory.hpp>
#include <copse/weighted_forest.hpp>
#include <copse/weighted_graph.hpp>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "console.hpp"
#include "options.hpp"

namespace copse::cli {

/// Returns write options with this format and defaults otherwise.
io::write_options format_only(const std::string& format);
/// Returns the options for writing a small table to `path`; "-" is standard output, as CSV.
io::write_options table_format(const std::string& path);
/// Throws input_error if the suffix of `path` is none that a small table can be written to; `what` says what the table holds.
void expect_table_suffix(const std::string& path, std::string_view what);

/// Where a graph is written to.
struct graph_output {
  std::string path;
  std::string format;  ///< the value of --output-format; if empty, the suffix of the path decides
  std::string id_map;  ///< the file that --id-map names; empty for none
  bool drop_weights = false;

  void add_options(CLI::App& app);
  /// Throws for an unknown suffix, and for --id-map with a format that keeps the ids.
  void require_sense() const;
  /// Throws usage_error if the output format cannot hold the weights of this input, unless they may be dropped.
  void require_room_for_weights(const std::string& input) const;
};

/// Counts the vertices that a file of that format cannot hold: where it lists edges, those that no edge touches. Loops count as edges.
std::uint64_t vertices_left_out(const graph& g, const std::filesystem::path& output, const std::string& format,
                                std::pmr::memory_resource* memory);

/// Returns the vertex whose id the user wrote as `text`; nothing if there is none.
std::optional<std::uint64_t> find_vertex(const vertex_names& names, const std::string& text);

/// What a command runs with. Everything large is allocated through `memory`.
struct resources {
  explicit resources(const run_options& options);

  /// Returns the execution for a call on this device, with at most `gpu_memory` bytes of each GPU.
  [[nodiscard]] execution on(std::string device = "cpu", std::uint64_t gpu_memory = UINT64_MAX);
  /// Reports that the answer for a graph is wrong, with the reason, and is not written. Returns the exit code.
  int refuse(const std::string& graph, std::string_view answer, std::string_view reason);
  /// Prints the explanation of what auto chose, unless it is empty.
  void explain(const std::string& explanation);
  /// Writes a graph, and notes what its format cannot keep: the ids of the input, vertices without edges.
  void write(const graph& g, const graph_output& to);
  void write(const weighted_graph& g, const graph_output& to);
  /// Prints notes on what the output format does not keep of a graph, and writes the map of ids if it was asked for.
  void tell_of_graph(const graph& g, const graph_output& to);
  /// Prints a note if no weight reaches the threshold.
  void note_threshold(weights_view weights, double threshold);
  /// Prints a note if a file of that format does not keep these names.
  void note_new_ids(const vertex_names& names, const std::filesystem::path& path, const std::string& format);

  console observer;
  tracked_memory memory;
  unsigned threads;        ///< number of threads; 0 for all cores
  bool memory_is_limited;  ///< true if the user set the limit by --memory
};

class input {
public:
  /// `weighted` is true if weights will be read.
  input(const input_options& options, resources& context, bool weighted = false);

  /// The input as the user wrote it; if there are several, the first.
  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  [[nodiscard]] bool generated() const noexcept { return generated_; }
  /// The first input that can be read only once: standard input, a pipe, a terminal. Empty when all can be read again.
  [[nodiscard]] std::string read_once() const;
  /// True if several edge lists were given, which are one graph that is never held in memory.
  [[nodiscard]] bool several() const noexcept { return paths_.size() > 1; }
  /// The format of a file; not for generated graphs.
  [[nodiscard]] io::format format() const;
  /// True if the input arrives as edges, which can be processed while they are read, rather than as rows.
  [[nodiscard]] bool lists_edges() const { return !generated_ && !io::has_rows(format()); }
  [[nodiscard]] std::span<const std::filesystem::path> paths() const noexcept { return paths_; }
  /// The options for the pass that computes the answer, which counts the edges that are left out.
  [[nodiscard]] const io::read_options& read_options() const noexcept { return read_; }
  /// The options for further passes over the file, which do not count left-out edges again.
  [[nodiscard]] io::read_options uncounted_options() const;
  [[nodiscard]] const io::read_counts& counts() const noexcept { return counts_; }
  /// The line of a summary that says how many edges --min-weight left out; empty if there are none.
  [[nodiscard]] std::string left_out_text() const;

  /// Makes read() and read_weighted() store the numbers that the edges have in the file.
  void number_edges(io::edge_numbers& numbers) noexcept { read_.numbers = &numbers; }

  /// Returns the graph in memory: rows or edges as its file has them, or the raw edges of its generator. Precondition: !several(),
  /// so there is one input.
  [[nodiscard]] graph read() const;

  /// Returns the graph in memory, with its weights if it has any. Precondition: !several(), so there is one input.
  [[nodiscard]] io::perhaps_weighted_graph read_with_any_weights() const;
  /// Returns the edges of a file with their weights. Throws as expect_weights() does. Precondition: !several(), so there is one input.
  [[nodiscard]] weighted_graph read_weighted(const std::string& asked_by) const;
  /// Returns the weighted forest of a file, found without having all edges in memory if its format allows that. Throws as expect_weights()
  /// does. Precondition: !several(), so there is one input.
  [[nodiscard]] weighted_forest_result read_forest(const std::string& asked_by, const weighted_forest_options& options) const;

  /// Throws unless the input is a file whose format can have weights; `asked_by` is the option or command that needs them.
  void expect_weights(const std::string& asked_by) const;

private:
  std::string text_;
  std::vector<std::filesystem::path> paths_;
  mutable io::read_counts counts_;
  io::read_options read_;
  resources& context_;
  bool generated_;
};

}  // namespace copse::cli
