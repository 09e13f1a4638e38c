#include <gen/families.hpp>

namespace copse::gen {
namespace {

constexpr std::string_view source = "docs/measurements/gpu.md";

constexpr parameter rmat_parameters[] = {{"scale", "2^scale vertices, 1 to 32", ""},
                                         {"edges", "edges drawn per vertex, 0 to 65536", ""},
                                         {"a", "share of the top left quadrant, 0 to 1", ".57"},
                                         {"b", "share of the top right quadrant, 0 to 1", ".19"},
                                         {"c", "share of the bottom left quadrant, 0 to 1; a + b + c <= 1", ".19"}};

recipe make_rmat(const spec& s) {
  const auto scale = static_cast<unsigned>(s.integer("scale", 1, 32));
  const std::uint64_t per_vertex = s.integer("edges", 0, 65536), n = std::uint64_t{1} << scale;
  const fraction a = s.share("a");
  const std::optional<fraction> ab = a.plus(s.share("b"));
  const std::optional<fraction> abc = ab ? ab->plus(s.share("c")) : std::nullopt;
  if (!abc) s.refuse("a + b + c above 1", "a + b + c of at most 1");
  const table_draws draws{s.seed()};
  return {s, table_rmat_edges{draws, {n, draws, 11}, scale, a.scaled(53), ab->scaled(53), abc->scaled(53)}, n, n * per_vertex};
}

constexpr parameter er_parameters[] = {{"n", "vertices, 1 to 2^32", ""}, {"m", "pairs drawn, repeats and loops among them", ""}};

recipe make_er(const spec& s) {
  const std::uint64_t n = s.integer("n", 1, std::uint64_t{1} << 32);
  return {s, table_er_edges{table_draws{s.seed()}, n}, n, s.integer("m", 0, std::uint64_t{1} << 40)};
}

constexpr parameter ba_parameters[] = {{"n", "vertices, 1 to 2^32", ""}, {"k", "edges that a vertex brings, 1 to 65536", "10"}};

recipe make_ba(const spec& s) {
  const std::uint64_t n = s.integer("n", 1, std::uint64_t{1} << 32), per_vertex = s.integer("k", 1, 65536);
  return {s, table_ba_edges{table_draws{s.seed()}, per_vertex}, n, n * per_vertex};
}

constexpr parameter osm_parameters[] = {{"side", "side x side junctions, 1 to 65536", ""}, {"keep", "share of streets kept, 0 to 1", ".6"}};

recipe make_osm(const spec& s) {
  const std::uint64_t side = s.integer("side", 1, 65536), streets = 2 * side * side;
  const table_osm_edges family{{table_draws{s.seed()}, s.share("keep").scaled(53)}, side};
  return {s, family, side * side, (streets + table_osm_edges::streets_per_block - 1) / table_osm_edges::streets_per_block};
}

constexpr parameter web_parameters[] = {{"n", "pages, 1 to 2^32", ""}, {"degree", "mean degree, 0 to 65536", "32"}};

recipe make_web(const spec& s) {
  const std::uint64_t n = s.integer("n", 1, std::uint64_t{1} << 32);
  return {s, table_web_edges{table_draws{s.seed()}, n}, n, n * s.integer("degree", 0, 65536) / 2};
}

constexpr parameter bits_parameters[] = {{"n", "vertices, 1 to 2^32", ""}, {"size", "vertices of the largest tree, 2 to 65536", "20"}};

recipe make_bits(const spec& s) {
  const std::uint64_t n = s.integer("n", 1, std::uint64_t{1} << 32);
  return {s, table_bits_edges{table_draws{s.seed()}, n, s.integer("size", 2, 65536)}, n, table_bits_edges::ranges};
}

}  // namespace

constinit const maker table_rmat_family{
    {"table_rmat", "R-MAT as in the tables of GPU measurements: rmat22, kron21, rmat25", source, rmat_parameters}, make_rmat};
constinit const maker table_er_family{{"table_er", "uniform pairs as in the tables of GPU measurements: er23", source, er_parameters},
                                      make_er};
constinit const maker table_ba_family{
    {"table_ba", "preferential attachment as in the tables of GPU measurements: ba24", source, ba_parameters}, make_ba};
constinit const maker table_osm_family{{"table_osm", "roads as in the tables of GPU measurements: osm44M", source, osm_parameters},
                                       make_osm};
constinit const maker table_web_family{
    {"table_web", "links of a crawl as in the tables of GPU measurements: web18M", source, web_parameters}, make_web};
constinit const maker table_bits_family{
    {"table_bits", "small random trees as in the tables of GPU measurements: bits16M", source, bits_parameters}, make_bits};

}  // namespace copse::gen
