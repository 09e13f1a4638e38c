#include <gen/families.hpp>

namespace copse::gen {
namespace {

constexpr parameter parameters[] = {{"side", "side x side vertices, 1 to 2^28", ""}};

recipe make(const spec& s) {
  const std::uint64_t side = s.integer("side", 1, most_side);
  const std::uint64_t edges = 2 * side * (side - 1) + (side - 1) * (side - 1);
  return {s, grid_edges{side, true}, side * side, edges};
}

}  // namespace

constinit const maker mesh_family{
    {"mesh", "square grid with one diagonal a cell: six neighbours inside, like a triangulated surface", "by definition", parameters},
    make};

}  // namespace copse::gen
