// A spanning forest: n - k edges that join what the graph joins. Its proof, its trees, and two questions that trees answer.
#include <fmt/core.h>
#include <copse/generate.hpp>
#include <copse/io.hpp>
#include <copse/rooted_forest.hpp>
#include <copse/spanning_forest.hpp>
#include <copse/types.hpp>
#include <copse/verify.hpp>

int main() {
  const copse::graph graph = copse::gen::generate("er:n=1000,m=1500,seed=3");
  const auto forest = copse::spanning_forest(graph);
  const auto proof = copse::verify_forest(graph.view(), forest.edges);
  fmt::print("{} edges, {} trees, {}\n", forest.edge_count(), forest.count(), proof ? "proved" : "wrong");
  copse::io::write_forest(forest.edges, "forest.csv");

  // Parents and depths. The root of a tree is its smallest vertex.
  const auto trees = copse::root_forest(forest.edges);
  fmt::print("vertex 999: parent {}, depth {}\n", trees.parent(999), trees.depth(999));

  // An Euler tour adds the size of every subtree, and an order in which each subtree is one range.
  const auto tour = copse::euler_tour(forest.edges).tour;
  const auto is_below = [&](std::uint64_t u, std::uint64_t v) {
    return tour.preorder(u) >= tour.preorder(v) && tour.preorder(u) - tour.preorder(v) < tour.size(v);
  };
  fmt::print("the tree of vertex 0 has {} vertices\n", tour.size(0));
  const bool right = proof && copse::verify_tour(forest.edges, tour) && is_below(999, trees.parent(999));
  return right ? 0 : 1;
}
