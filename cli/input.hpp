// A GRAPH of the command line: a file, standard input, or a generator spec, with the memory and the observer it is read with.
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

/// Settings that hold a format only, for a look at names before any work.
io::write_options format_only(const std::string& format);
/// How a small table is written to `path`: "-" is standard output, as CSV.
io::write_options table_format(const std::string& path);
/// Throws input_error for a name that such a table, which holds `what`, cannot be written to.
void expect_table_suffix(const std::string& path, std::string_view what);

/// Where a graph is written to.
struct graph_output {
  std::string path;
  std::string format;  ///< --output-format; empty: by suffix
  std::string id_map;  ///< --id-map
  bool drop_weights = false;

  void add_options(CLI::App& app);
  /// Throws where a suffix is not known, or --id-map has nothing to tell.
  void require_sense() const;
  /// Throws where weights of this input would be lost.
  void require_room_for_weights(const std::string& input) const;
};

/// Counts the vertices that a file of that format cannot hold: where it lists edges, those that no edge touches. Loops count as edges.
std::uint64_t vertices_left_out(const graph& g, const std::filesystem::path& output, const std::string& format,
                                std::pmr::memory_resource* memory);

/// The vertex that the user calls so.
std::optional<std::uint64_t> find_vertex(const vertex_names& names, const std::string& text);

/// What a command runs with. Everything large is allocated through `memory`.
struct resources {
  explicit resources(const run_options& options);

  /// How a call of the command runs: on that device, with at most so much memory of each GPU.
  [[nodiscard]] execution on(std::string device = "cpu", std::uint64_t gpu_memory = UINT64_MAX);
  /// Reports that the answer for a graph is wrong, with the reason, and is not written. Returns the exit code.
  int refuse(const std::string& graph, std::string_view answer, std::string_view reason);
  /// What auto has to say, where it says anything.
  void explain(const std::string& explanation);
  /// Writes a graph, and notes what its format cannot keep: the ids of the input, vertices without edges.
  void write(const graph& g, const graph_output& to);
  void write(const weighted_graph& g, const graph_output& to);
  /// The notes on what such a file does not hold of a graph; writes the map of ids.
  void tell_of_graph(const graph& g, const graph_output& to);
  /// The note, when no weight reaches a threshold.
  void note_threshold(weights_view weights, double threshold);
  /// Notes it if vertices with these names get other names in a file of that format.
  void note_new_ids(const vertex_names& names, const std::filesystem::path& path, const std::string& format);

  console observer;
  tracked_memory memory;
  unsigned threads;        ///< 0: all
  bool memory_is_limited;  ///< by an option, so that the limit is meant
};

class input {
public:
  /// `weighted`: weights will be read.
  input(const input_options& options, resources& context, bool weighted = false);

  /// The input as the user wrote it; if there are several, the first.
  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  [[nodiscard]] bool generated() const noexcept { return generated_; }
  /// The first input that can be read only once: standard input, a pipe, a terminal. Empty when all can be read again.
  [[nodiscard]] std::string read_once() const;
  /// Several edge lists are one graph, which is never held.
  [[nodiscard]] bool several() const noexcept { return paths_.size() > 1; }
  /// The format of a file; not for generated graphs.
  [[nodiscard]] io::format format() const;
  /// True if the input arrives as edges, which can be processed while they are read, rather than as rows.
  [[nodiscard]] bool lists_edges() const { return !generated_ && !io::has_rows(format()); }
  [[nodiscard]] std::span<const std::filesystem::path> paths() const noexcept { return paths_; }
  /// The options for the pass that answers, which counts what it leaves out.
  [[nodiscard]] const io::read_options& read_options() const noexcept { return read_; }
  /// The options for another pass over the file, which counts nothing again.
  [[nodiscard]] io::read_options uncounted_options() const;
  [[nodiscard]] const io::read_counts& counts() const noexcept { return counts_; }

  /// Makes read() and read_weighted() store the numbers that the edges have in the file.
  void number_edges(io::edge_numbers& numbers) noexcept { read_.numbers = &numbers; }

  /// The graph, held: as its file has it (rows or edges), or the raw edges of its generator. Precondition: not several().
  [[nodiscard]] graph read() const;

  /// The graph, held, and its weights where there are any. Precondition: not several().
  [[nodiscard]] io::perhaps_weighted_graph read_with_any_weights() const;
  /// The edges of a file with their weights. Precondition: not several().
  [[nodiscard]] weighted_graph read_weighted(const std::string& asked_by) const;
  /// The weighted forest of a file whose edges are not held, where its format allows that. Precondition: not several().
  [[nodiscard]] weighted_forest_result read_forest(const std::string& asked_by, const weighted_forest_options& options) const;

  /// Throws unless it is a file that has weights, or may have them; `asked_by` is the option or command that wants them.
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
