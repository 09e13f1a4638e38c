#include <gen/families.hpp>

namespace copse::gen {
namespace {

constexpr parameter parameters[] = {{"side", "side x side vertices, 1 to 2^28; give side, or rows and columns", "none"},
                                    {"rows", "1 to 2^28", "none"},
                                    {"cols", "1 to 2^28", "none"}};

recipe make(const spec& s) {
  const bool square = s.has("side");
  if (square == (s.has("rows") || s.has("cols"))) s.refuse(square ? "both side and rows or cols" : "no size", "side, or rows and cols");
  const std::uint64_t rows = s.integer(square ? "side" : "rows", 1, most_side);
  const std::uint64_t columns = s.integer(square ? "side" : "cols", 1, most_side);
  return {s, grid_edges{columns, false}, rows * columns, rows * (columns - 1) + (rows - 1) * columns};
}

}  // namespace

constinit const maker grid2d_family{{"grid2d", "rectangular grid, four neighbours inside", "by definition", parameters}, make};

}  // namespace copse::gen
