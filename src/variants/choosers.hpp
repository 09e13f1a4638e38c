// Choosers pick a variant for calls that do not name one. `auto` is copse's own; the two of the GConn paper are yardsticks for it.
#pragma once
#include <copse/graph.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace copse::variant {

struct choice {
  std::string variant;
  std::string explanation;  ///< facts about the graph, the choice, and the reason for it
};

inline constexpr std::array<std::string_view, 3> chooser_names{"auto", "gconn_tree", "gconn_default"};

/// Returns the choice of a chooser. Precondition: its name is one of `chooser_names`. Depends on the kind of graph, n, the arcs and the
/// threads, and if these do not decide, on random samples of the graph: microseconds, up to a few tenths of a millisecond.
choice choose(std::string_view chooser, graph_view g, unsigned threads, std::uint64_t seed);

/// Returns the choice for a spanning forest. All variants that gconn_tree and gconn_default choose can make one; `auto` chooses among rules
/// that record links.
choice choose_for_forest(std::string_view chooser, graph_view g, unsigned threads, std::uint64_t seed);

/// Returns the choice of `auto` for an edge list in two columns: always a variant that unites the edges in their order
/// (api/components.cpp).
choice automatic_columns(std::uint64_t vertices, std::uint64_t edges, unsigned threads);
choice automatic(graph_view g, unsigned threads, std::uint64_t seed);
choice automatic_forest(graph_view g, unsigned threads, std::uint64_t seed);

/// The thresholds of the decision tree in GConn's Figure 12. The figure prints no numbers; these separate the winners of the paper's
/// tables: no sampling wins at 2.1 and 2.4 arcs per vertex, sampling from 6.0 up. Hook-based sampling wins in these tables if it unites at
/// least 96 % of the vertices into one tree; on our graphs its first step alone unites either all of them or less than 40 %.
struct gconn_thresholds {
  double arcs_per_vertex = 4;  ///< with fewer arcs per vertex there is no sampling
  double hooked_share = .5;    ///< hook-based sampling is chosen if its first step unites at least this share of the vertices into one tree
};

/// The choosers of the GConn paper, its decision tree and its default, which return a variant of `backend`: threads or cuda. The graph of
/// gconn_tree must be in host memory, because its rows are examined.
choice gconn_tree(graph_view g, std::uint64_t seed, std::string_view backend = "threads", const gconn_thresholds& forks = {});
choice gconn_default(graph_view g, std::string_view backend = "threads");

}  // namespace copse::variant
