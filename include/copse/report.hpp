// What a call did: where it ran, its times, its phases, and its counts.
#pragma once
#include <copse/hybrid.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace copse {

// Where the time of a solve went, phase by phase.

struct phase {
  std::string_view name;  ///< "sample", "finish", "labels"; rules in rounds add their own: "graft", "shortcut", "update"
  double seconds = 0;
};

// What a solve did, counted instead of timed, for any variant and graph. (Table 3 and Figure 6 of the GConn paper have such counts.)

/// Counts of one solve under the counting accessor, which is several times slower than the solve it counts. "Accesses" are of the
/// parents (labels); sampled means: before the giant was looked for.
struct work_counts {
  std::uint64_t sampled_arcs = 0;  ///< arcs inspected by the sampler
  std::uint64_t finish_arcs = 0;   ///< arcs inspected by the finish, over all rounds
  std::uint64_t unites = 0;        ///< calls of a unite, or of a round's step, over both phases
  std::uint64_t loads = 0, stores = 0;
  std::uint64_t longest_path = 0;  ///< most loads in one call; the mean is call_loads / unites
  std::uint64_t call_loads = 0;    ///< loads inside calls; the others are of passes over all vertices
  std::uint64_t swaps = 0;         ///< compare-and-swaps and atomic minima tried
  std::uint64_t failed_swaps = 0;  ///< compare-and-swaps that another thread was ahead of

  // After sampling; all zero for a variant that does not sample.
  std::uint64_t giant_vertices = 0;  ///< vertices that carry the giant's label
  std::uint64_t outside_arcs = 0;    ///< arcs of the other vertices: what the finish may have to visit (GConn's Table 3 calls it IC)
  std::uint64_t crossing_arcs = 0;   ///< arcs between different labels
};

/// What a call did, in addition to its answer, whatever the problem. Seconds are wall-clock; of a solve that runs on a GPU alone by its
/// clock. What a problem has no use for keeps its default.
struct solve_report {
  /// The variant that ran; never "auto". For bridges that of their forest, or `lowpoint`; for a tour that of its ranking.
  std::string variant;
  std::string explanation;     ///< what auto saw, what it chose and why; empty when the caller chose
  std::string device = "cpu";  ///< or cuda:i, or cuda:i,j
  unsigned threads = 1;
  double solve_seconds = 0;             ///< auto's choice included; from before the parents are initialised to the last canonical label
  double build_seconds = 0;             ///< making rows of an edge list, for variants that walk rows
  double copy_seconds = 0;              ///< initialising CUDA and copying graph and labels there and back; not part of solve_seconds
  double read_seconds = 0;              ///< streaming: 0, its parse is part of the solve
  std::vector<phase> phases;            ///< where solve_seconds went; rules in rounds name their own phases inside "finish"
  unsigned launches = 0;                ///< kernels, where a GPU solved (those inside CUB's sort, for cc_sort, left out)
  std::optional<work_counts> work;      ///< when solve_options::count was set
  std::uint64_t edges = 0;              ///< edge lines seen (streaming) or arcs stored (rows) or edges (lists)
  std::optional<hybrid_report> hybrid;  ///< where the CPU and a GPU solved together
};

}  // namespace copse
