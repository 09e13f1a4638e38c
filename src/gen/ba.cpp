#include <gen/families.hpp>

namespace copse::gen {
namespace {

constexpr parameter parameters[] = {{"n", "vertices", ""}, {"k", "edges that every vertex brings, 1 to 65536", "8"}};

recipe make(const spec& s) {
  const std::uint64_t n = s.integer("n", 0, std::uint64_t{1} << 44);
  const std::uint64_t k = s.integer("k", 1, 65536);
  return {s, ba_edges{stream_of(s, purpose::edges), k}, n, n * k};
}

}  // namespace

constinit const maker ba_family{{"ba", "preferential attachment: power law of exponent 3, one component",
                                 "Barabasi, Albert: Emergence of scaling in random networks, Science 1999; made as in Batagelj, Brandes: "
                                 "Efficient generation of large random networks, Phys. Rev. E 2005, and Sanders, Schulz: Scalable "
                                 "generation of scale-free graphs, IPL 2016 (loops and repeats occur)",
                                 parameters},
                                make};

}  // namespace copse::gen
