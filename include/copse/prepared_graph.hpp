// A graph that is loaded once, to the memory where it will be solved, and then solved and verified any number of times.
#pragma once
#include <copse/components.hpp>
#include <copse/execution.hpp>
#include <copse/graph.hpp>
#include <copse/hidden.hpp>
#include <copse/io.hpp>
#include <copse/options.hpp>
#include <copse/spanning_forest.hpp>
#include <copse/variants.hpp>
#include <copse/verify.hpp>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace copse {

struct prepare_options : solve_options {
  problem_kind problem = problem_kind::components;  ///< the problem that the graph will be solved for: components or forest
  /// Keep the graph in host memory too, accessible by held(), even if the variant does not need it there.
  bool hold = false;
  /// Measure the expected time of each device for the report's explanation, even if solving takes less time than measuring.
  bool explain = false;
  /// Like gpu_graph_options::short_fetches: while rows of 16 or more arcs per vertex are on a GPU, sets cudaLimitMaxL2FetchGranularity for
  /// the whole process, which makes sampling them up to a sixth faster.
  bool short_fetches = false;
};

/// A source with the options and the execution of a solve, for which all work that need not be repeated is done once. Options and execution
/// determine where the graph is:
///
/// - not stored: files whose edges auto unites while they are parsed, on the CPU or through GPUs. Each solve parses them again.
/// - in the memory of one GPU. Rows of `.sg` and `.egr` files and of generator specs are loaded there directly.
/// - in host memory, with rows if the variant needs rows. From there its edges are streamed through several GPUs, or by the variant auto
///   through one GPU that has no room for the graph.
///
/// components() and spanning_forest() of files make such a graph and solve it once. The report of each solve includes the times of loading
/// in read_seconds, build_seconds and copy_seconds. Only one thread at a time may use an object. What the execution points to must outlive
/// it.
class prepared_graph {
public:
  /// Prepares the graph in a file, or in several edge lists that together are one graph. Throws what io::read_graph throws, usage_error for
  /// a variant or a device that cannot solve the graph, and resource_error if memory runs out; its text then lists the other ways to solve
  /// these files that are known, with the bytes that each needs.
  prepared_graph(std::span<const std::filesystem::path> paths, const io::read_options& input, const prepare_options& options = {},
                 const execution& on = {});
  /// Prepares the graph of a generator spec. Throws usage_error also for a bad spec; resource_error.
  explicit prepared_graph(std::string_view spec, const prepare_options& options = {}, const execution& on = {});

  /// True if each solve parses the files again; then they must not be pipes.
  [[nodiscard]] bool is_streamed() const noexcept;
  /// The graph in host memory, with rows if those were built; null if the graph is not in host memory.
  [[nodiscard]] const graph* held() const noexcept;
  /// The number of edges, and of stored arcs (for a list, the number of edges again). If the graph is streamed, they are those of the last
  /// solve; if it is in memory, they are counted in O(arcs).
  struct size {
    std::uint64_t edges = 0, arcs = 0;
  };
  [[nodiscard]] size edge_count() const;

  /// Solves the graph. Precondition: prepare_options::problem is components.
  [[nodiscard]] components_result components();
  [[nodiscard]] forest_result spanning_forest();
  /// Verifies labels where the graph is: on the GPU, in host memory, or by parsing the files again.
  [[nodiscard]] verdict verify(const labelling& labels);

private:
  struct state;
  hidden<state> state_;
};

}  // namespace copse
