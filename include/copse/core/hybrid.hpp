// What a solve on the CPU and a GPU together may be told, and what it tells.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace copse {

struct share_table;  // share_table.hpp

/// How edges between the parts are solved: by the GPU's row, with its own, or apart, contracted to one a pair of components as in
/// Algorithm 3 of Banerjee and Kothapalli.
enum class cross_rule : std::uint8_t {
  keep,       ///< rows of the GPU's part keep them; not for rows of ligra and bfs_cc, which need both directions of every edge
  unite,      ///< contracted, by a union-find rule
  min_label,  ///< contracted, as in their Algorithm 4: both ends take the smaller label, until none changes
};
inline constexpr std::array<std::string_view, 3> cross_rule_names{"keep", "unite", "min_label"};  // in the order of the enumerators

struct hybrid_options {
  std::optional<double> share = std::nullopt;      ///< percent of the vertices for the CPU; without it the table says
  const share_table* shares = nullptr;             ///< that table; null: the one shipped for the machine that is most like this
  std::optional<cross_rule> cross = std::nullopt;  ///< without it they are kept where that works, and united where it gives the GPU more
  std::uint64_t gpu_memory_bytes = UINT64_MAX;     ///< the most it takes of the GPU's memory; what does not fit is the CPU's
};

/// The columns of their Table III, and what they are made of. Seconds are wall-clock.
struct hybrid_report {
  cross_rule cross = cross_rule::keep;  ///< how edges between the parts were solved
  double share = 0;                     ///< percent of the vertices that the CPU had
  std::string reason;                   ///< who said so
  double scattered = -1;                ///< arcs that lead far away, of some, where a table was asked; negative: it was not
  std::uint64_t cpu_vertices = 0;       ///< the vertices below it
  std::uint64_t cross_arcs = 0;         ///< arcs from the GPU's part into the CPU's; 0 where they are kept, as nobody counts them
  std::uint64_t super_edges = 0;        ///< what they are contracted to
  double cpu_seconds = 0;    ///< what the cores do: rows copied to the GPU, their part, its labels on the GPU, room for the others
  double spare_seconds = 0;  ///< of these the last, which they do only while the GPU is at work
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

}  // namespace copse
