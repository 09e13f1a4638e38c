#include <gen/families.hpp>

namespace copse::gen {
namespace {

constexpr parameter parameters[] = {{"side", "side x side junctions, 1 to 2^28", ""}, {"keep", "share of streets kept, 0 to 1", ".6"}};

recipe make(const spec& s) {
  const std::uint64_t side = s.integer("side", 1, most_side);
  const osm_edges family{{stream_of(s, purpose::edges), s.share("keep").scaled(63)}, side};
  const std::uint64_t streets = 2 * side * side;
  const std::uint64_t blocks = (streets + osm_edges::streets_per_block - 1) / osm_edges::streets_per_block;
  return {s, family, side * side, blocks};
}

}  // namespace

constinit const maker osm_family{{"osm", "roads: a grid with dropped streets, the others subdivided by 0 to 4 vertices of degree two",
                                  "by definition; degrees and diameter like OpenStreetMap extracts", parameters},
                                 make};

}  // namespace copse::gen
