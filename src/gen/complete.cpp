#include <gen/emit.hpp>
#include <gen/families.hpp>
#include <gen/lattice.hpp>

namespace copse::gen {
namespace {

constexpr parameter parameters[] = {{"n", "vertices, 0 to 6074001000", ""}};

graph make(const spec& s, const generate_options& options) {
  const std::uint64_t n = s.integer("n", 0, most_vertices_with_pairs);
  return emit_direct(complete_edges{n}, n, pair_count(n), s, options);
}

}  // namespace

constinit const maker complete_family{{"complete", "all pairs", "by definition", parameters}, make};

}  // namespace copse::gen
