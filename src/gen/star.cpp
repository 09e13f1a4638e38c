#include <gen/emit.hpp>
#include <gen/families.hpp>
#include <gen/lattice.hpp>

namespace copse::gen {
namespace {

constexpr parameter parameters[] = {{"n", "vertices", ""}};

graph make(const spec& s, const generate_options& options) {
  const std::uint64_t n = s.integer("n", 0, most_vertices);
  return emit_direct(star_edges{}, n, n == 0 ? 0 : n - 1, s, options);
}

}  // namespace

constinit const maker star_family{{"star", "vertex 0 joined to all others", "by definition", parameters}, make};

}  // namespace copse::gen
