#include <gen/families.hpp>

namespace copse::gen {
namespace {

constexpr parameter parameters[] = {{"scale", "2^scale vertices, 0 to 48", ""},
                                    {"edges", "edges per vertex, 0 to 65536", "16"},
                                    {"a", "share of the top left quadrant, 0 to 1", ".57"},
                                    {"b", "share of the top right quadrant, 0 to 1", ".19"},
                                    {"c", "share of the bottom left quadrant, 0 to 1; a + b + c <= 1", ".19"}};

recipe make(const spec& s) {
  const auto scale = static_cast<unsigned>(s.integer("scale", 0, 48));
  const std::uint64_t per_vertex = s.integer("edges", 0, 65536);
  // a, then a + b, then a + b + c, each an exact decimal before it is cut to binary digits.
  const fraction a = s.share("a");
  const std::optional<fraction> ab = a.plus(s.share("b"));
  const std::optional<fraction> abc = ab ? ab->plus(s.share("c")) : std::nullopt;
  if (!abc) s.refuse("a + b + c above 1", "a + b + c of at most 1");
  const rmat_edges family{stream_of(s, purpose::edges), scale, a.scaled(31), ab->scaled(31), abc->scaled(31)};
  const std::uint64_t vertices = std::uint64_t{1} << scale;
  return {s, family, vertices, vertices * per_vertex};
}

}  // namespace

constinit const maker rmat_family{
    {"rmat", "recursive matrix: skewed degrees, small diameter, like a social network",
     "Chakrabarti, Zhan, Faloutsos: R-MAT: a recursive model for graph mining, SDM 2004; the default shares are "
     "those of Graph500",
     parameters},
    make};

}  // namespace copse::gen
