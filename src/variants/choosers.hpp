// Choosers: they name a variant for someone who does not want to. `auto` is ours; the GConn paper's two are yardsticks for it.
#pragma once
#include <copse/graph.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace copse::variant {

struct choice {
  std::string variant;
  std::string explanation;  ///< what was seen, what was chosen, why
};

inline constexpr std::array<std::string_view, 3> chooser_names{"auto", "gconn_tree", "gconn_default"};

/// What the chooser of that name picks. Precondition: it is one of `names`. Looks at the kind of graph, n, the arcs, the threads, and
/// where that does not settle it at some random places: microseconds, up to some tenths of a millisecond.
choice choose(std::string_view chooser, graph_view g, unsigned threads, std::uint64_t seed);

/// The same for a spanning forest: gconn_tree and gconn_default name rows that make one too, `auto` takes rules that record links.
choice choose_for_forest(std::string_view chooser, graph_view g, unsigned threads, std::uint64_t seed);

/// `auto` for an edge list that is two columns: the names of rules that go over them as they stand (api/components.cpp).
choice automatic_columns(std::uint64_t vertices, std::uint64_t edges, unsigned threads);
choice automatic(graph_view g, unsigned threads, std::uint64_t seed);
choice automatic_forest(graph_view g, unsigned threads, std::uint64_t seed);
choice gconn_default(graph_view g);
choice gconn_tree(graph_view g, std::uint64_t seed);

}  // namespace copse::variant
