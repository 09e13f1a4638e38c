#include <gen/families.hpp>

namespace copse::gen {
namespace {

constexpr parameter parameters[] = {{"n", "vertices", ""}, {"size", "vertices of the largest cluster possible, 2 to 2^32", "20"}};

recipe make(const spec& s) {
  const std::uint64_t n = s.integer("n", 0, most_vertices);
  const std::uint64_t size = s.integer("size", 2, std::uint64_t{1} << 32);
  const std::uint64_t run = 64 * size;
  const cluster_edges family{stream_of(s, purpose::structure), stream_of(s, purpose::edges), n, size, run};
  return {s, family, n, n / run + (n % run != 0 ? 1 : 0)};
}

}  // namespace

constinit const maker clusters_family{
    {"clusters", "many small components of 2 to `size` vertices, each a random tree, as matched records give", "by definition", parameters},
    make};

}  // namespace copse::gen
