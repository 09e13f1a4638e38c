#include <variants/choosers.hpp>

namespace copse::variant {

choice choose(std::string_view chooser, graph_view g, unsigned threads, std::uint64_t seed) {
  if (chooser == "gconn_default") return gconn_default(g);
  if (chooser == "gconn_tree") return gconn_tree(g, seed);
  return automatic(g, threads, seed);
}

choice choose_for_forest(std::string_view chooser, graph_view g, unsigned threads, std::uint64_t seed) {
  return chooser == "auto" ? automatic_forest(g, threads, seed) : choose(chooser, g, threads, seed);
}

}  // namespace copse::variant
