#include <gen/emit.hpp>
#include <gen/families.hpp>
#include <gen/lattice.hpp>

namespace copse::gen {
namespace {

constexpr parameter parameters[] = {{"n", "vertices", ""}};

graph make(const spec& s, const generate_options& options) {
  const std::uint64_t n = s.integer("n", 0, most_vertices);
  return emit_direct(path_edges{}, n, n == 0 ? 0 : n - 1, s, options);
}

}  // namespace

constinit const maker path_family{{"path", "one path, 0 - 1 - 2 - ..., the longest diameter there is", "by definition", parameters}, make};

}  // namespace copse::gen
