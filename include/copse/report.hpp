// The report of a call: where it ran, its times, its phases, and its counts.
#pragma once
#include <copse/hybrid.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace copse {

// Phases of a solve and their times.

struct phase {
  std::string_view name;  ///< "sample", "finish", "labels"; rules that work in rounds add their own: "graft", "shortcut", "update"
  double seconds = 0;
};

// Counts of the operations of a solve, for any variant and graph, as in Table 3 and Figure 6 of the GConn paper.

/// Counts of one solve with the counting accessor, which makes the solve several times slower. Loads, stores and swaps are accesses to the
/// parent array (labels). "Sampled" means before the giant component was determined.
struct work_counts {
  std::uint64_t sampled_arcs = 0;  ///< arcs inspected by the sampler
  std::uint64_t finish_arcs = 0;   ///< arcs inspected by the finish, over all rounds
  std::uint64_t unites = 0;        ///< number of calls of a unite rule, or of a step of a rule in rounds, by sampler and finish
  std::uint64_t loads = 0, stores = 0;
  std::uint64_t longest_path = 0;  ///< largest number of loads in one of the calls that `unites` counts; the mean is call_loads / unites
  std::uint64_t call_loads = 0;    ///< loads inside the calls that `unites` counts; other loads are in passes over all vertices
  std::uint64_t swaps = 0;         ///< compare-and-swap and atomic-minimum operations attempted
  std::uint64_t failed_swaps = 0;  ///< compare-and-swaps that failed because another thread was first

  // Counts of the graph after sampling; all zero for a variant that does not sample.
  std::uint64_t giant_vertices = 0;  ///< vertices with the label of the giant component
  std::uint64_t outside_arcs = 0;    ///< arcs of vertices outside the giant, which the finish may visit (IC in Table 3 of the GConn paper)
  std::uint64_t crossing_arcs = 0;   ///< arcs whose ends have different labels after sampling
};

/// What a call did, in addition to its answer, for any problem. Seconds are wall-clock; for a solve that runs entirely on a GPU they are
/// measured by the GPU's clock. Fields that a problem does not use keep their defaults.
struct solve_report {
  /// The variant that ran; never "auto". For bridges it is the variant of their spanning forest, or `lowpoint`; for a tour, of its list
  /// ranking.
  std::string variant;
  std::string explanation;     ///< the properties that auto considered, its choice and why; empty if the caller chose
  std::string device = "cpu";  ///< "cpu", "cuda:i", "cuda:i,j", or "cpu+cuda:i" for both together
  unsigned threads = 1;
  /// From before the parents are initialised to the last canonical label, including the choice made by auto.
  double solve_seconds = 0;
  double build_seconds = 0;             ///< making rows of an edge list, for variants that need rows
  double copy_seconds = 0;              ///< initialising CUDA and copying graph and labels there and back; not part of solve_seconds
  double read_seconds = 0;              ///< reading the input; 0 if it was streamed, because then parsing is part of the solve
  std::vector<phase> phases;            ///< where solve_seconds went; rules in rounds name their own phases inside "finish"
  unsigned launches = 0;                ///< number of kernel launches, if a GPU solved (without those inside CUB's sort, for cc_sort)
  std::optional<work_counts> work;      ///< set if solve_options::count was set
  std::uint64_t edges = 0;              ///< number of edge lines (streaming), stored arcs (rows) or edges (lists)
  std::optional<hybrid_report> hybrid;  ///< set if the CPU and a GPU solved together
};

}  // namespace copse
