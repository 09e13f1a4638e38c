// The variants that copse bench measures, and the graph that they solve with the facts that the report shows.
#pragma once
#include <copse/components.hpp>
#include <copse/graph.hpp>
#include <copse/memory.hpp>
#include <copse/options.hpp>
#include <copse/variants.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/gpu_benchmark.hpp"
#include "bench_program.hpp"
#include "bench_report.hpp"
#include "bench_trials.hpp"
#include "input.hpp"
#include "program.hpp"

namespace copse::cli {

struct bench_entry {
  std::string variant;   ///< the name of the variant, or of a chooser such as auto
  unsigned threads = 1;  ///< always 1 for serial variants and variants of cuda
};

/// Returns the variants that match the patterns, in the order of the patterns and of the table, with one entry for each number of threads.
/// Throws usage_error with the reason for a pattern that matches nothing.
std::vector<bench_entry> entries_to_measure(const std::vector<std::string>& patterns, input_kind input,
                                            const std::vector<unsigned>& threads);

/// The order of the edges of a list. `sorted`: the edges of the rows in their order, each once (from its larger end if both directions are
/// stored), without loops and repeats. `file` and `random`: all edges of the file or generator, in its order or shuffled.
enum class edge_order : std::uint8_t { file, sorted, random };

/// How graphs are held, and how variants solve them.
struct bench_settings {
  input_kind held_as = input_kind::csr;
  edge_order order = edge_order::file;  ///< the order of lists
  bool in_place = false;                ///< true if solves may overwrite the list; each then works on a copy
  gpu_techniques on_gpu;
  solve_options solving;  ///< the seed and the parameters of the samplers
};

class bench_graph {
public:
  /// Reads `from` and holds it as rows or as a list; solves it once.
  bench_graph(const input& from, const bench_settings& settings, resources& context);
  bench_graph(const bench_graph&) = delete;
  bench_graph& operator=(const bench_graph&) = delete;

  /// Returns a contender, which can be measured, for each of these variants. They refer to this object.
  [[nodiscard]] std::vector<contender> contenders(const std::vector<bench_entry>& entries);
  /// Contenders that run the yardstick, a sequential loop of ten lines: one in fresh memory, one in memory that was touched before. Throws
  /// usage_error for a graph that it cannot solve.
  [[nodiscard]] std::vector<contender> yardsticks();

  /// One contender per program, or one per number of threads for programs that take that number. The contenders refer to this object and to
  /// the programs.
  [[nodiscard]] std::vector<contender> contenders(const std::vector<rival_program>& programs, const std::vector<unsigned>& threads);

  /// Solves once more with a variant that counts its work. Returns nothing if the variant cannot be counted.
  [[nodiscard]] std::optional<work_counts> count(const measurement& result) const;

  [[nodiscard]] const graph_facts& facts() const noexcept { return facts_; }
  /// The untimed solve by serial.none.rem that all others are compared with.
  [[nodiscard]] const solved_once& reference() const noexcept { return reference_; }

private:
  [[nodiscard]] solve_options options_for(const std::string& variant) const;
  [[nodiscard]] execution on(unsigned threads, observer* watcher) const;
  [[nodiscard]] solved_once checked(const components_result& result) const;
  /// Solves the graph, in place if the settings say so.
  [[nodiscard]] components_result solved(const solve_options& options, const execution& on) const;
  /// Solves on the GPU, to which the graph is copied once for all variants.
  [[nodiscard]] solved_once solve_on_gpu(const std::string& variant, observer& watcher);

  /// Returns the file for a placeholder of the program's command, such as {graph} or {graph.sg}: the file of the user if `suffix` is empty,
  /// otherwise a copy in that format, which is written on first use.
  [[nodiscard]] std::string path_for(const rival_program& program, const std::string& suffix);

  const bench_settings& settings_;
  resources& context_;
  std::string file_;  ///< empty for a generated graph, and for standard input
  graph held_;
  graph_facts facts_;
  solved_once reference_;
  std::optional<gpu_graph> resident_;
  std::map<std::string, program_file> copies_;  ///< copies of the graph for programs, by suffix
  /// True if the variant cuda.gconn_tree is to be measured. Then the graph is copied to the GPU for the chooser gconn_tree, which samples
  /// the rows in host memory before they are copied.
  bool tree_on_gpu_ = false;
};

}  // namespace copse::cli
