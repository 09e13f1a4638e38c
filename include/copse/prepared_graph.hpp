// A graph that is made ready once, where it will be solved, and then solved and proved any number of times.
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
  problem_kind problem = problem_kind::components;  ///< or forest: what the graph will be solved for
  bool hold = false;           ///< keep the graph in host memory too, where held() returns it, even if the variant could do without
  bool explain = false;        ///< measure what is expected of each device, for the report's explanation, even if solving takes less time
  bool short_fetches = false;  ///< the same as gpu_graph_options::short_fetches
};

/// The source, the options and the execution of a solve, with everything done that need not be repeated. The options and the execution
/// decide where the graph is:
/// - not held: files whose edges auto unites while they are parsed, on the CPU or through GPUs. Each solve parses them again.
/// - in the memory of one GPU. The rows of `.sg` and `.egr` files and of generator specs go straight there.
/// - in host memory, with rows if the variant walks rows. From there its edges are streamed through several GPUs, or through one that has
/// no
///   room for the graph if the variant is auto.
///
/// components() and spanning_forest() of files are one solve of such a graph. Reports have the seconds that it took to make the graph ready
/// in read_seconds, build_seconds and copy_seconds, with each solve. One thread at a time uses an object. What the execution points to must
/// outlive it.
class prepared_graph {
public:
  /// Prepares a file, or several edge lists that are one graph. Throws what io::read_graph throws, usage_error for a variant or a device
  /// that cannot solve them, and resource_error, with the bytes that each way takes where that is known.
  prepared_graph(std::span<const std::filesystem::path> paths, const io::read_options& input, const prepare_options& options = {},
                 const execution& on = {});
  /// Prepares the graph of a generator spec. Throws usage_error and resource_error too.
  explicit prepared_graph(std::string_view spec, const prepare_options& options = {}, const execution& on = {});

  /// True if each solve parses the files again, which must therefore be files that can be read again.
  [[nodiscard]] bool is_streamed() const noexcept;
  /// The graph in host memory, with rows if those were built; null if it is not there.
  [[nodiscard]] const graph* held() const noexcept;
  /// The edges and the stored arcs, as many for a list. If the graph is streamed, those of the last solve; counted in O(arcs) if it is
  /// held.
  struct size {
    std::uint64_t edges = 0, arcs = 0;
  };
  [[nodiscard]] size edge_count() const;

  /// Precondition: the graph was made ready for it.
  [[nodiscard]] components_result components();
  [[nodiscard]] forest_result spanning_forest();
  /// Proves labels where the graph is: on the GPU, in host memory, or by parsing the files again.
  [[nodiscard]] verdict verify(const labelling& labels);

private:
  struct state;
  hidden<state> state_;
};

}  // namespace copse
