// The families of lattice.hpp, and the random tree: their sizes say all about them.
#include <gen/families.hpp>

namespace copse::gen {
namespace {

constexpr std::string_view source = "by definition";
constexpr parameter vertices[] = {{"n", "vertices", ""}};

template <class Edges>
recipe make_tree(const spec& s, Edges edges) {
  const std::uint64_t n = s.integer("n", 0, most_vertices);
  return {s, edges, n, n == 0 ? 0 : n - 1};
}
recipe make_path(const spec& s) { return make_tree(s, path_edges{}); }
recipe make_star(const spec& s) { return make_tree(s, star_edges{}); }
recipe make_random_tree(const spec& s) { return make_tree(s, random_tree_edges{stream_of(s, purpose::edges)}); }

constexpr parameter complete_parameters[] = {{"n", "vertices, 0 to 6074001000", ""}};

recipe make_complete(const spec& s) {
  const std::uint64_t n = s.integer("n", 0, most_vertices_with_pairs);
  return {s, complete_edges{n}, n, pair_count(n)};
}

constexpr parameter grid_parameters[] = {{"side", "side x side vertices, 1 to 2^28; give side, or rows and columns", "none"},
                                         {"rows", "1 to 2^28", "none"},
                                         {"cols", "1 to 2^28", "none"}};

recipe make_grid(const spec& s) {
  const bool square = s.has("side");
  if (square == (s.has("rows") || s.has("cols"))) s.refuse(square ? "both side and rows or cols" : "no size", "side, or rows and cols");
  const std::uint64_t rows = s.integer(square ? "side" : "rows", 1, most_side);
  const std::uint64_t columns = s.integer(square ? "side" : "cols", 1, most_side);
  return {s, grid_edges{columns, false}, rows * columns, rows * (columns - 1) + (rows - 1) * columns};
}

constexpr parameter torus_parameters[] = {{"side", "side x side vertices, 3 to 2^28", ""}};

recipe make_torus(const spec& s) {
  const std::uint64_t side = s.integer("side", 3, most_side);
  return {s, torus_edges{side}, side * side, 2 * side * side};
}

constexpr parameter mesh_parameters[] = {{"side", "side x side vertices, 1 to 2^28", ""}};

recipe make_mesh(const spec& s) {
  const std::uint64_t side = s.integer("side", 1, most_side);
  const std::uint64_t edges = 2 * side * (side - 1) + (side - 1) * (side - 1);
  return {s, grid_edges{side, true}, side * side, edges};
}

}  // namespace

constinit const maker path_family{{"path", "one path, 0 - 1 - 2 - ..., the longest diameter there is", source, vertices}, make_path};
constinit const maker star_family{{"star", "vertex 0 joined to all others", source, vertices}, make_star};
constinit const maker random_tree_family{
    {"random_tree", "every vertex joins a random one before it: a tree of depth O(log n)",
     "random recursive tree; Na, Rapoport: Distribution of nodes of a tree by degree, Math. Biosci. 1970", vertices},
    make_random_tree};
constinit const maker complete_family{{"complete", "all pairs", source, complete_parameters}, make_complete};
constinit const maker grid2d_family{{"grid2d", "rectangular grid, four neighbours inside", source, grid_parameters}, make_grid};
constinit const maker torus2d_family{
    {"torus2d", "square grid closed in both directions: every vertex has four neighbours", source, torus_parameters}, make_torus};
constinit const maker mesh_family{
    {"mesh", "square grid with one diagonal a cell: six neighbours inside, like a triangulated surface", source, mesh_parameters},
    make_mesh};

}  // namespace copse::gen
