// Minimum and maximum spanning forests of rows in the memory of a GPU, found any number of times in memory that is taken once.
#pragma once
#include <copse/execution.hpp>
#include <copse/memory.hpp>
#include <copse/report.hpp>
#include <copse/views.hpp>
#include <copse/weighted_forest.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace copse {

/// A column of weights in the memory of a GPU, one for each arc of rows; as weights_view.
using device_weights_view =
    std::variant<device_span<const float>, device_span<const double>, device_span<const std::int32_t>, device_span<const std::uint32_t>,
                 device_span<const std::int64_t>, device_span<const std::uint64_t>>;

struct gpu_weighted_forest_options {
  std::string variant = "cuda.filter_boruvka";  ///< or another variant of problem_kind::weighted_forest that begins with cuda
  bool time_phases = false;                     ///< report phases too, which costs some microseconds between them
};

/// weighted_forest() of arrays that are on the GPU, and a forest that stays there. Its memory grows to what the largest graph needed and
/// stays: 44 bytes per vertex and 32 for each of at most 3 candidates per vertex, with cuda.ecl_mst 16 per vertex and 32 per edge; and 4
/// per arc where weights are no 32-bit unsigned ones to be minimised. All calls wait for what they enqueue on the stream: after every round
/// the host decides whether there is another, and how large it is. One thread at a time. Throws usage_error for another variant,
/// resource_error where there is no GPU, or no memory on it, and in builds without the GPU part.
class gpu_weighted_forest {
public:
  using id = std::uint32_t;

  /// On the GPU of `on.stream`, if there is one, and otherwise of `on.device`. Work is enqueued on that stream, and calls wait for it where
  /// they have to.
  explicit gpu_weighted_forest(const gpu_weighted_forest_options& options = {}, const execution& on = {});
  gpu_weighted_forest(gpu_weighted_forest&&) noexcept;
  gpu_weighted_forest& operator=(gpu_weighted_forest&&) noexcept;
  ~gpu_weighted_forest();

  /// Allocates the memory for graphs of `vertices` vertices and `arcs` arcs, so that the first find() need not.
  void reserve(id vertices, std::uint64_t arcs);

  /// What the last find() found. `solve_seconds` is by the GPU's clock; phases, if they were asked for, are "keys", "first round", "list",
  /// "rounds", "trees" and "collect", with cuda.ecl_mst "keys", "list" and "rounds".
  struct found {
    device_span<const id> arcs;  ///< n - k, each from the smaller end of its edge, in no order
    double solve_seconds = 0;
    unsigned launches = 0;
    std::vector<phase> phases;
  };
  /// Symmetric rows with sorted targets, fewer than 2^32 - 1 arcs, the same weight in both directions of an edge. Edges are compared as
  /// weighted_forest() does, so the forest is the same set of edges. A view that is not trusted is checked on the GPU first, outside the
  /// clock. The arcs stay until the next call. Throws usage_error for a view that is wrong and for another form of graph, input_error for a
  /// weight that is not a number, with its place; cancelled.
  [[nodiscard]] const found& find(const device_graph_view& g, const device_weights_view& weights, forest_goal goal = forest_goal::minimum,
                                  observer* watcher = nullptr);

  /// The ends of the arcs that the last find() found, the smaller first, in their order: edges on the GPU, until the next find(). The rows
  /// that find() took must still be there.
  [[nodiscard]] device_span<const edge<id>> edges();
  /// The arcs that the last find() found, in host memory.
  [[nodiscard]] buffer<id> copy_out(std::pmr::memory_resource* memory = host_memory());

  /// Rows and weights in the memory of the GPU; must go before this object does.
  class resident {
  public:
    resident(resident&&) noexcept;
    resident& operator=(resident&&) noexcept;
    ~resident();
    [[nodiscard]] const device_graph_view& graph() const noexcept;
    [[nodiscard]] const device_weights_view& weights() const noexcept;

  private:
    friend gpu_weighted_forest;
    struct parts;
    explicit resident(std::unique_ptr<parts> owned);
    std::unique_ptr<parts> parts_;
  };
  /// Copies of rows of 32-bit ids and their weights, which are believed from then on. Throws usage_error for another form of graph, and
  /// where there is not one weight for each arc.
  [[nodiscard]] resident copy_in(graph_view rows, weights_view weights);

private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace copse
