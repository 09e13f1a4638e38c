// Choosers pick a variant for calls that do not name one. `auto` is copse's; the GConn paper's two are yardsticks for it.
#pragma once
#include <copse/graph.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace copse::variant {

struct choice {
  std::string variant;
  std::string explanation;  ///< what was found in the graph, what was chosen, and why
};

inline constexpr std::array<std::string_view, 3> chooser_names{"auto", "gconn_tree", "gconn_default"};

/// Returns the choice of a chooser. Precondition: its name is one of `chooser_names`. Depends on the kind of graph, n, the arcs and the
/// threads, and if these do not decide, on random samples of the graph: microseconds, up to a few tenths of a millisecond.
choice choose(std::string_view chooser, graph_view g, unsigned threads, std::uint64_t seed);

/// The choice for a spanning forest. The variants of gconn_tree and gconn_default can make one; `auto` chooses among rules that record
/// links.
choice choose_for_forest(std::string_view chooser, graph_view g, unsigned threads, std::uint64_t seed);

/// `auto` for an edge list that is two columns: the names of rules that go over them as they stand (api/components.cpp).
choice automatic_columns(std::uint64_t vertices, std::uint64_t edges, unsigned threads);
choice automatic(graph_view g, unsigned threads, std::uint64_t seed);
choice automatic_forest(graph_view g, unsigned threads, std::uint64_t seed);

/// Where the decision tree of GConn's Figure 12 forks. The figure prints no numbers; these separate the winners of the paper's own tables:
/// no sampling wins at 2.1 and 2.4 arcs per vertex and sampling from 6.0 up. Hook-based sampling wins there where it covers 96 % or more in
/// the end; on our graphs its first step alone covers either all or less than 40 %.
struct gconn_thresholds {
  double arcs_per_vertex = 4;  ///< fewer: no sampling
  double hooked_share = .5;    ///< hook-based sampling if first hooks cover at least this share of the vertices
};

/// Variants of `backend`, threads or cuda. The graph is in host memory: the tree looks at its rows.
choice gconn_tree(graph_view g, std::uint64_t seed, std::string_view backend = "threads", const gconn_thresholds& forks = {});
choice gconn_default(graph_view g, std::string_view backend = "threads");

}  // namespace copse::variant
