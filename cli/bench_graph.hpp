// A graph as a bench holds it, the facts of it that a report needs, and the solve of any variant on it.
#pragma once
#include <copse/components.hpp>
#include <copse/cuda.hpp>
#include <copse/extend/gpu_techniques.hpp>
#include <copse/variants.hpp>
#include <cstdint>
#include <optional>
#include <vector>

#include "bench_report.hpp"
#include "bench_trials.hpp"
#include "bench_variants.hpp"
#include "input.hpp"

namespace copse::cli {

class bench_graph {
public:
  /// Reads `from` and holds it as rows, or (`coo`) as the list of the edges of its rows, each once, in their order; solves it once.
  bench_graph(const input& from, input_kind as, resources& context, std::uint64_t seed, gpu_techniques on_gpu);
  bench_graph(const bench_graph&) = delete;
  bench_graph& operator=(const bench_graph&) = delete;

  /// The entries, ready to be measured. The contenders refer to this object.
  [[nodiscard]] std::vector<contender> contenders(const std::vector<bench_entry>& entries);
  /// The ten-line loop in fresh and in touched memory. Throws usage_error unless it is right for this graph.
  [[nodiscard]] std::vector<contender> yardsticks();

  /// Solves once more, counting; nothing where a variant cannot be counted.
  [[nodiscard]] std::optional<work_counts> count(const measurement& result) const;

  [[nodiscard]] const graph_facts& facts() const noexcept { return facts_; }
  /// The untimed solve by serial.none.rem that all others are compared with.
  [[nodiscard]] const solved_once& reference() const noexcept { return reference_; }

private:
  [[nodiscard]] solved_once checked(const components_result& result) const;
  /// On the GPU, where the graph is copied once for all variants.
  [[nodiscard]] solved_once solve_on_gpu(const std::string& variant, observer& watcher);

  input_kind as_;
  resources& context_;
  std::uint64_t seed_;
  gpu_techniques on_gpu_;
  graph held_;
  graph_facts facts_;
  solved_once reference_;
  std::optional<gpu_solver> gpu_;
  std::optional<gpu_solver::resident_graph> resident_;
};

}  // namespace copse::cli
