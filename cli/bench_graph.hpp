// Which variants a bench measures, and a graph as a bench holds it: the facts of it that a report needs, and the solve of any variant on
// it.
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
  std::string variant;   ///< its name, or a chooser
  unsigned threads = 1;  ///< 1 for variants that are serial or on a GPU, whatever was asked
};

/// In the order of the patterns and of the table; one entry for each number of threads. Throws usage_error with the reason for a pattern
/// that matches nothing.
std::vector<bench_entry> entries_to_measure(const std::vector<std::string>& patterns, input_kind input,
                                            const std::vector<unsigned>& threads);

/// How the edges of a list follow each other. `sorted` are those of rows, each once, from its larger end where both directions are stored,
/// in the order of the rows: neither loops nor repeats. The others are those of the file or generator, all of them.
enum class edge_order : std::uint8_t { file, sorted, random };

/// How graphs are held, and how variants solve them.
struct bench_settings {
  input_kind held_as = input_kind::csr;
  edge_order order = edge_order::file;  ///< the order of lists
  bool in_place = false;                ///< true if a solve may overwrite the list: each then gets a copy
  gpu_techniques on_gpu;
  solve_options solving;  ///< the seed, and the numbers of samplers
};

class bench_graph {
public:
  /// Reads `from` and holds it as rows or as a list; solves it once.
  bench_graph(const input& from, const bench_settings& settings, resources& context);
  bench_graph(const bench_graph&) = delete;
  bench_graph& operator=(const bench_graph&) = delete;

  /// The entries, ready to be measured. The contenders refer to this object.
  [[nodiscard]] std::vector<contender> contenders(const std::vector<bench_entry>& entries);
  /// The ten-line loop in fresh and in touched memory. Throws usage_error unless it is right for this graph.
  [[nodiscard]] std::vector<contender> yardsticks();

  /// Programs, one entry for each number of threads if they take one. The contenders refer to this object and to the programs.
  [[nodiscard]] std::vector<contender> contenders(const std::vector<rival_program>& programs, const std::vector<unsigned>& threads);

  /// Solves once more, counting; nothing where a variant cannot be counted.
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

  /// The file of the user, or a copy in the format of that suffix, written when it is first asked for.
  [[nodiscard]] std::string path_for(const rival_program& program, const std::string& suffix);

  const bench_settings& settings_;
  resources& context_;
  std::string file_;  ///< empty for a generated graph, and for standard input
  graph held_;
  graph_facts facts_;
  solved_once reference_;
  std::optional<gpu_graph> resident_;
  std::map<std::string, program_file> copies_;  ///< for programs, by suffix
  bool tree_on_gpu_ = false;                    ///< gconn_tree looks at rows while they are copied in
};

}  // namespace copse::cli
