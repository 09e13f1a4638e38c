// The complete graph and lattices: edge i is computed by a formula.
#pragma once
#include <gen/family.hpp>
#include <gen/pairs.hpp>

#include <cstdint>

namespace copse::gen {

struct complete_edges {
  std::uint64_t n;

  template <unsigned_index Id>
  COPSE_HOST_DEVICE edge<Id> at(std::uint64_t i) const noexcept {
    return pair_at<Id>(i, n);
  }

  static constexpr parameter parameters[] = {{"n", "vertices, 0 to 6074001000", ""}};
  static constexpr family described{"complete", "all pairs", by_definition, parameters};
  static amount<complete_edges> make(const spec& s) {
    const std::uint64_t n = s.integer("n", 0, most_vertices_with_pairs);
    return {{n}, n, pair_count(n)};
  }
};

/// Lists the edges row by row: first those to the right, then those down, then (with diagonals) those to the lower right. The last row has
/// only the edges to the right.
template <bool Diagonals>
struct grid_edges {
  std::uint64_t columns;

  COPSE_HOST_DEVICE std::uint64_t per_row() const noexcept { return 2 * columns - 1 + (Diagonals ? columns - 1 : 0); }

  template <unsigned_index Id>
  COPSE_HOST_DEVICE edge<Id> at(std::uint64_t i) const noexcept {
    const std::uint64_t first = i / per_row() * columns;  // first vertex of the row
    const std::uint64_t j = i % per_row();
    if (j < columns - 1) return {static_cast<Id>(first + j), static_cast<Id>(first + j + 1)};
    if (j < 2 * columns - 1) return {static_cast<Id>(first + j - (columns - 1)), static_cast<Id>(first + j + 1)};
    const std::uint64_t u = first + j - (2 * columns - 1);
    return {static_cast<Id>(u), static_cast<Id>(u + columns + 1)};
  }
};

struct grid2d_edges : grid_edges<false> {
  static constexpr parameter parameters[] = {{"side", "side x side vertices, 1 to 2^28; give side, or rows and columns", "none"},
                                             {"rows", "1 to 2^28", "none"},
                                             {"cols", "1 to 2^28", "none"}};
  static constexpr family described{"grid2d", "rectangular grid, four neighbours inside", by_definition, parameters};
  static amount<grid2d_edges> make(const spec& s) {
    const bool square = s.has("side");
    if (square == (s.has("rows") || s.has("cols"))) s.refuse(square ? "both side and rows or cols" : "no size", "side, or rows and cols");
    const std::uint64_t rows = s.integer(square ? "side" : "rows", 1, most_side);
    const std::uint64_t columns = s.integer(square ? "side" : "cols", 1, most_side);
    return {{{columns}}, rows * columns, rows * (columns - 1) + (rows - 1) * columns};
  }
};

struct mesh_edges : grid_edges<true> {
  static constexpr parameter parameters[] = {{"side", "side x side vertices, 1 to 2^28", ""}};
  static constexpr family described{"mesh", "square grid with one diagonal a cell: six neighbours inside, like a triangulated surface",
                                    by_definition, parameters};
  static amount<mesh_edges> make(const spec& s) {
    const std::uint64_t side = s.integer("side", 1, most_side);
    return {{{side}}, side * side, 2 * side * (side - 1) + (side - 1) * (side - 1)};
  }
};

/// Every vertex has an edge to the next vertex in each dimension, and the last vertex of each line has one to the first.
template <unsigned Dimensions>
struct torus_edges {
  std::uint64_t side;

  template <unsigned_index Id>
  COPSE_HOST_DEVICE edge<Id> at(std::uint64_t i) const noexcept {
    const std::uint64_t u = i / Dimensions;
    std::uint64_t step = 1;
    for (std::uint64_t dimension = i % Dimensions; dimension > 0; --dimension) step *= side;
    const bool last = u / step % side == side - 1;
    return {static_cast<Id>(u), static_cast<Id>(last ? u - (side - 1) * step : u + step)};
  }
};

struct torus2d_edges : torus_edges<2> {
  static constexpr parameter parameters[] = {{"side", "side x side vertices, 3 to 2^28", ""}};
  static constexpr family described{"torus2d", "square grid closed in both directions: every vertex has four neighbours", by_definition,
                                    parameters};
  static amount<torus2d_edges> make(const spec& s) {
    const std::uint64_t side = s.integer("side", 3, most_side);
    return {{{side}}, side * side, 2 * side * side};
  }
};

struct torus3d_edges : torus_edges<3> {
  static constexpr parameter parameters[] = {{"side", "side x side x side vertices, 3 to 2^18", ""}};
  static constexpr family described{"torus3d", "cubic grid closed in all three directions: every vertex has six neighbours", by_definition,
                                    parameters};
  static amount<torus3d_edges> make(const spec& s) {
    const std::uint64_t side = s.integer("side", 3, std::uint64_t{1} << 18), n = side * side * side;
    return {{{side}}, n, 3 * n};
  }
};

}  // namespace copse::gen
