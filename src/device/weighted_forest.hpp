// Minimum and maximum spanning forests of rows in the memory of a GPU. Compiled without CUDA's headers.
#pragma once
#include <copse/execution.hpp>
#include <copse/memory.hpp>
#include <copse/weighted_forest.hpp>
#include <core/phase_times.hpp>
#include <device/solver.hpp>
#include <weighted/variants.hpp>

#include <cstdint>
#include <memory>
#include <span>

namespace copse::device {

/// Finds weighted forests on the GPU of a solver, which must outlive the finder. Keeps its memory from one forest to the next.
class forest_finder {
public:
  /// Finds the forest by filter_boruvka or ecl_mst.
  forest_finder(solver& on, weighted::algorithm method);
  forest_finder(forest_finder&&) noexcept;
  forest_finder& operator=(forest_finder&&) noexcept;
  ~forest_finder();

  void reserve(std::uint32_t vertices, std::uint64_t arcs);

  /// The arcs of a forest, each from the smaller end of its edge, in no order, in the memory of the GPU until the next call; and the time
  /// by the GPU's clock.
  struct found {
    std::span<const std::uint32_t> arcs;
    double seconds;
    unsigned launches;
  };
  /// Finds the forest of symmetric rows with sorted targets and fewer than 2^32 - 1 arcs, with a weight for each arc, all in the memory of
  /// the GPU. `times`: receives phases by the GPU's clock, or null. Throws input_error for a weight that is NaN, with its position.
  found find(const solver::graph& on_device, const weights_view& weights, forest_goal goal, observer* watcher, phase_times* times);
  /// Copies the arcs of the last forest to the host. Waits.
  [[nodiscard]] buffer<std::uint32_t> arcs() const;
  /// Copies the ends of these arcs in this graph, the smaller first. Waits.
  [[nodiscard]] buffer<edge<std::uint32_t>> ends(const solver::graph& on_device) const;

private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

/// Finds the forest of a list of fewer than 2^31 edges, and returns their positions, ascending. The list and its weights are in host memory
/// and are copied. Otherwise as solver::weighted_forest_of_host.
buffer<std::uint32_t> weighted_forest_of_pairs(solver& on, weighted::algorithm method,
                                               const weighted::pairs_view<std::uint32_t>& in_host_memory, const weights_view& weights,
                                               forest_goal goal, observer* watcher, phase_times& times, std::pmr::memory_resource* memory);

}  // namespace copse::device
