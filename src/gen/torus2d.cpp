#include <gen/families.hpp>

namespace copse::gen {
namespace {

constexpr parameter parameters[] = {{"side", "side x side vertices, 3 to 2^28", ""}};

recipe make(const spec& s) {
  const std::uint64_t side = s.integer("side", 3, most_side);
  return {s, torus_edges{side}, side * side, 2 * side * side};
}

}  // namespace

constinit const maker torus2d_family{
    {"torus2d", "square grid closed in both directions: every vertex has four neighbours", "by definition", parameters}, make};

}  // namespace copse::gen
