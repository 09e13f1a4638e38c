// Solves on the CPU and a GPU together: options, report, tables of shares.
#pragma once
#include <copse/graph.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace copse {

// Which share of a graph's vertices the CPU should take: measured points over vertices and arcs, and what lies between them.

/// What is seen of a graph: how large it is, and the share of its arcs that lead far away, which cost the CPU a miss each.
struct graph_profile {
  std::uint64_t vertices = 0, arcs = 0;
  double scattered = 1;
};

/// One graph as it was measured: alone on each side, and by both at the best share found.
struct share_point {
  graph_profile looks;
  double share = 50;  ///< percent, between 0 and 100
  double cpu_seconds = 0, gpu_seconds = 0, both_seconds = 0;
};

/// The points of one algorithm on the CPU.
struct share_points {
  std::vector<share_point> from_host;   ///< the graph and its labels in host memory: copies count
  std::vector<share_point> on_the_gpu;  ///< both in the GPU's memory
};

/// The points of one machine.
struct share_table {
  std::string gpu;                                      ///< its name
  unsigned threads = 1;                                 ///< of the CPU
  std::map<std::string, share_points, std::less<>> by;  ///< what the CPU's part is solved by: "fast", "dfs"

  [[nodiscard]] std::span<const share_point> points(std::string_view cpu, bool resident) const;  ///< none of an algorithm not measured
};

struct chosen_share {
  double share;        ///< percent; 0: the GPU alone, 100: the CPU alone
  std::string reason;  ///< one line
};

/// Seconds of the three ways are interpolated in log n, log (arcs / n) and the scattered share (a linear fit around the place asked for,
/// in which near points count most; at a point it is that point alone), and so is the CPU's share. The quickest way is chosen; sharing must
/// be ahead by a twentieth, because equal solves differ by about that, and a graph of another kind than those measured may shift all three.
/// Without points: the CPU alone for a graph in host memory, the GPU alone for one that is there. O(points).
chosen_share choose_share(std::span<const share_point> points, bool resident, const graph_profile& looks);

/// The table of the shape of machine that is most like this one, of those that were measured: the same GPU before another, then the nearest
/// number of threads.
const share_table& shipped_shares(std::string_view gpu, unsigned threads);

// What a solve on the CPU and a GPU together may be told, and what it tells.

struct share_table;  // share_table.hpp

/// How edges between the parts are solved: by the GPU's variant, with its own edges, or apart, contracted to one per pair of components as
/// in Algorithm 3 of Banerjee and Kothapalli.
enum class cross_rule : std::uint8_t {
  keep,       ///< rows of the GPU's part keep them; not for ligra and bfs_cc, which need both directions of every edge
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

// Names of solves on the CPU and a GPU together, and what their tables go by.

/// Is it hybrid.CPU.GPU (CPU is dfs or fast; GPU is a cuda variant on rows, without its first word) or hybrid.auto, or like one?
/// components() takes them as solve_options::variant; variants() does not list them. refusal() says whether there is such a one.
bool is_hybrid(std::string_view name) noexcept;

/// All of them but hybrid.auto that match a pattern with `*` and `?`; none in a build without the GPU part.
std::vector<std::string> hybrid_names(std::string_view pattern = "*");

/// What a table of shares is asked about: of rows, some random places are looked at (fast path's probe, some tenths of a millisecond).
graph_profile profile_of(graph_view g, std::uint64_t seed = 1);

}  // namespace copse
