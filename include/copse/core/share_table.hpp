// Which share of a graph's vertices the CPU should take: measured points over vertices and arcs, and what lies between them.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace copse {

/// What is seen of a graph: how large it is, and the share of its arcs that lead far away, which cost the CPU a miss each.
struct graph_looks {
  std::uint64_t vertices = 0, arcs = 0;
  double scattered = 1;
};

/// One graph as it was measured: alone on each side, and by both at the best share found.
struct share_point {
  graph_looks looks;
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
  std::map<std::string, share_points, std::less<>> by;  ///< what the CPU's part is solved by: "own", "dfs"

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
chosen_share choose_share(std::span<const share_point> points, bool resident, const graph_looks& looks);

/// The table of the shape of machine that is most like this one, of those that were measured: the same GPU before another, then the nearest
/// number of threads.
const share_table& shipped_shares(std::string_view gpu, unsigned threads);

}  // namespace copse
