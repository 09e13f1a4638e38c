#include <gen/families.hpp>

namespace copse::gen {
namespace {

constexpr parameter parameters[] = {{"n", "vertices", ""}};

recipe make(const spec& s) {
  const std::uint64_t n = s.integer("n", 0, most_vertices);
  return {s, random_tree_edges{stream_of(s, purpose::edges)}, n, n == 0 ? 0 : n - 1};
}

}  // namespace

constinit const maker random_tree_family{
    {"random_tree", "every vertex joins a random one before it: a tree of depth O(log n)",
     "random recursive tree; Na, Rapoport: Distribution of nodes of a tree by degree, Math. Biosci. 1970", parameters},
    make};

}  // namespace copse::gen
