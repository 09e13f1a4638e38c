// Solves on the CPU and a GPU together: options, report, names.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace copse {

/// How edges between the parts are solved: with the GPU's own edges, by its variant, or separately, contracted to one per pair of
/// components as in Algorithm 3 of Banerjee and Kothapalli.
enum class cross_rule : std::uint8_t {
  keep,       ///< rows of the GPU's part keep them; not for ligra and bfs_cc, which need both directions of every edge, nor `pieces`
  unite,      ///< contracted, by a union-find rule
  min_label,  ///< contracted, as in their Algorithm 4: both ends take the smaller label, until none changes
};
inline constexpr std::array<std::string_view, 3> cross_rule_names{"keep", "unite", "min_label"};  // in the order of the enumerators

struct hybrid_options {
  std::optional<double> share = std::nullopt;      ///< percent of the vertices for the CPU; without it a model of both sides decides
  std::optional<cross_rule> cross = std::nullopt;  ///< without it they are kept where that works, and united where it gives the GPU more
};

/// The columns of their Table III, and what they are made of. Seconds are wall-clock.
struct hybrid_report {
  cross_rule cross = cross_rule::keep;  ///< how edges between the parts were solved
  double share = 0;                     ///< percent of the vertices that the CPU had
  std::string reason;                   ///< why, in one line
  double scattered = -1;                ///< fraction of probed arcs that are likely cache misses; negative: the share did not depend on it
  std::uint64_t cpu_vertices = 0;       ///< the vertices below it
  std::uint64_t cross_arcs = 0;         ///< arcs from the GPU's part into the CPU's, and edges between pieces; 0 if the rule is keep
  std::uint64_t super_edges = 0;        ///< what they are contracted to
  double cpu_seconds = 0;    ///< what the cores do: rows copied to the GPU, their part, its labels on the GPU, room for the others
  double spare_seconds = 0;  ///< the last part of these, of work that is only done while the GPU is busy
  double gpu_seconds = 0;    ///< the GPU's part at the same time, from the same start on: copies of rows included
  double cross_seconds = 0;  ///< after both: what joins them, labels

  /// Shares of the time that both parts take together in which a side has nothing to do.
  [[nodiscard]] double cpu_idle() const noexcept { return idle(cpu_seconds); }
  [[nodiscard]] double gpu_idle() const noexcept { return idle(gpu_seconds); }

private:
  [[nodiscard]] double idle(double busy) const noexcept {
    const double both = std::max(cpu_seconds, gpu_seconds);
    return both > 0 ? 1 - busy / both : 0;
  }
};

// Names of solves on the CPU and a GPU together.

/// True for hybrid.CPU.GPU (CPU is dfs, pieces or fast; GPU is a cuda variant on rows, without its first word), hybrid.auto, and names of
/// that form. components() takes such names as solve_options::variant; variants() does not list them. refusal() says whether the variant
/// exists.
[[nodiscard]] bool is_hybrid(std::string_view name) noexcept;

/// All hybrid variants except hybrid.auto that match a pattern with `*` and `?`; none in a build without the GPU part.
[[nodiscard]] std::vector<std::string> hybrid_names(std::string_view pattern = "*");

}  // namespace copse
