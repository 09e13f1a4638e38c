#include <gen/families.hpp>

namespace copse::gen {
namespace {

constexpr parameter parameters[] = {{"n", "vertices", ""}};

recipe make(const spec& s) {
  const std::uint64_t n = s.integer("n", 0, most_vertices);
  return {s, path_edges{}, n, n == 0 ? 0 : n - 1};
}

}  // namespace

constinit const maker path_family{{"path", "one path, 0 - 1 - 2 - ..., the longest diameter there is", "by definition", parameters}, make};

}  // namespace copse::gen
