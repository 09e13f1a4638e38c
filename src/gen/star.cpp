#include <gen/families.hpp>

namespace copse::gen {
namespace {

constexpr parameter parameters[] = {{"n", "vertices", ""}};

recipe make(const spec& s) {
  const std::uint64_t n = s.integer("n", 0, most_vertices);
  return {s, star_edges{}, n, n == 0 ? 0 : n - 1};
}

}  // namespace

constinit const maker star_family{{"star", "vertex 0 joined to all others", "by definition", parameters}, make};

}  // namespace copse::gen
