#include <gen/families.hpp>

namespace copse::gen {
namespace {

constexpr parameter parameters[] = {{"n", "vertices, 0 to 6074001000", ""}};

recipe make(const spec& s) {
  const std::uint64_t n = s.integer("n", 0, most_vertices_with_pairs);
  return {s, complete_edges{n}, n, pair_count(n)};
}

}  // namespace

constinit const maker complete_family{{"complete", "all pairs", "by definition", parameters}, make};

}  // namespace copse::gen
