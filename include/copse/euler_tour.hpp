// Euler tours: parents, depths, sizes of subtrees and preorder of a whole forest by one list ranking, however deep its trees.
#pragma once
#include <copse/core/memory.hpp>
#include <copse/core/observer.hpp>
#include <copse/core/phases.hpp>
#include <copse/graph/forest_tour.hpp>
#include <copse/graph/graph.hpp>

#include <optional>
#include <string>
#include <vector>

namespace copse {

struct tour_options {
  std::string ranking = "auto";                ///< a name of rank_variants(), or auto
  unsigned threads = 0;                        ///< 0: all cores that the process may use
  std::optional<unsigned> gpu = std::nullopt;  ///< rank the tour on this GPU; all else is done by the CPU
  copse::observer* observer = nullptr;
  std::pmr::memory_resource* memory = host_memory();
};

/// What a tour did, beside its arrays.
struct tour_report {
  std::string ranking;         ///< the variant that ranked; never auto
  std::string device = "cpu";  ///< where it ranked: cpu, or cuda:i
  unsigned threads = 1;
  double solve_seconds = 0;   ///< wall-clock, from the edges to the arrays, the check included
  std::vector<phase> phases;  ///< where they went; "rank" has the copies to a GPU and back in it
};

struct tour_result {
  forest_tour tour;
  tour_report report;
};

/// Tours a forest, such as forest_result::edges: a list of edges without a cycle. The same edges, in whatever order, give the same arrays,
/// whatever the threads. O(n) work; the number of parallel steps does not depend on the depth of the trees. With the rows of the forest and
/// the arrays, 11 ids a vertex are held at the end (8 and 4 offsets, where the edges are too many for 32-bit offsets). Throws usage_error
/// unless it is a list of n - k edges that joins n vertices to k trees (naming the first edge that is no vertex's or closes a cycle) and
/// for an unknown ranking, resource_error when memory ends, cancelled.
tour_result euler_tour(const graph& forest, const tour_options& options = {});

}  // namespace copse
