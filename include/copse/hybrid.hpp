// Options, report and variant names of solves that use the CPU and a GPU together.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace copse {

/// How edges between the CPU's part and the GPU's part (cross edges) are solved: kept in the GPU's rows and solved by its variant, or
/// separately, contracted to one edge per pair of components as in Algorithm 3 of Banerjee and Kothapalli (HiPC 2011).
enum class cross_rule : std::uint8_t {
  /// Cross edges (between the CPU's and the GPU's part) stay in the rows of the GPU's part. Not for the GPU variants ligra and bfs_cc,
  /// which need both directions of every edge, and not for the CPU algorithm `pieces`, which leaves edges between its threads' parts as
  /// cross edges.
  keep,
  unite,  ///< edges between the CPU's and the GPU's part are contracted to one per pair of components, then solved by union-find
  /// Edges between the CPU's and the GPU's part are contracted to one per pair of components; then both ends of each take the smaller of
  /// their labels until no label changes, as in Algorithm 4 of Banerjee and Kothapalli (HiPC 2011).
  min_label,
};
inline constexpr std::array<std::string_view, 3> cross_rule_names{"keep", "unite", "min_label"};  // in the order of the enumerators

struct hybrid_options {
  std::optional<double> share = std::nullopt;  ///< percent of the vertices that the CPU solves; if not set, a cost model decides
  /// How cross edges, which are those between the CPU's part of the vertices and the GPU's part, are solved. If not set, it is min_label
  /// for the CPU algorithm `pieces`. For the others it is unite if the GPU variant needs rows with both directions of every edge, or if the
  /// GPU's memory holds a larger part of the vertices with unite than with keep; otherwise it is keep.
  std::optional<cross_rule> cross = std::nullopt;
};

/// Times of a hybrid solve, as in Table III of Banerjee and Kothapalli, and the values behind them. Seconds are wall-clock.
struct hybrid_report {
  cross_rule cross = cross_rule::keep;  ///< how edges between the CPU's and the GPU's part were solved
  double share = 0;                     ///< percent of the vertices that the CPU solved
  std::string reason;                   ///< why this share was chosen, in one line
  /// Fraction of sampled arcs that are likely cache misses on the CPU. Negative if no arcs were sampled: if the caller set the CPU's share
  /// of the vertices, or if the cost model gives the same share whatever this fraction is.
  double scattered = -1;
  std::uint64_t cpu_vertices = 0;  ///< the CPU solved the vertices below this one
  /// Number of cross edges that were solved separately: arcs from the GPU's part into the CPU's and, with the CPU algorithm `pieces`, edges
  /// between its threads' parts. 0 if `cross` is keep.
  std::uint64_t cross_arcs = 0;
  std::uint64_t super_edges = 0;  ///< number of edges to which the edges that cross_arcs counts were contracted
  /// Time of the CPU: copying rows to the GPU, solving its part, copying its labels to the GPU, and then touching the new memory of the
  /// result until the GPU is done.
  double cpu_seconds = 0;
  /// The last part of cpu_seconds, in which the CPU waits for the GPU, and meanwhile touches the new memory of the result, so that the
  /// operating system maps it.
  double spare_seconds = 0;
  double gpu_seconds = 0;    ///< time of the GPU's part, measured from the same start as cpu_seconds, including copies of rows
  double cross_seconds = 0;  ///< time after both parts: joining them and writing labels

  /// The fraction of the joint time of both parts in which the CPU, or the GPU, is idle.
  [[nodiscard]] double cpu_idle() const noexcept { return idle(cpu_seconds); }
  [[nodiscard]] double gpu_idle() const noexcept { return idle(gpu_seconds); }

private:
  [[nodiscard]] double idle(double busy) const noexcept {
    const double both = std::max(cpu_seconds, gpu_seconds);
    return both > 0 ? 1 - busy / both : 0;
  }
};

// Names of hybrid variants.

/// True for names of the form hybrid.auto or hybrid.CPU.GPU, where CPU is the CPU's algorithm (dfs, pieces or fast), and GPU is a cuda
/// variant on rows without the leading "cuda.". components() takes such names as solve_options::variant; variants() does not list them.
/// refusal() says whether the variant exists.
[[nodiscard]] bool is_hybrid(std::string_view name) noexcept;

/// All hybrid variants except hybrid.auto that match a pattern with `*` and `?`; none in a build without CUDA.
[[nodiscard]] std::vector<std::string> hybrid_names(std::string_view pattern = "*");

}  // namespace copse
