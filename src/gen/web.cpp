#include <gen/families.hpp>

namespace copse::gen {
namespace {

constexpr parameter parameters[] = {{"n", "pages", ""}, {"degree", "mean degree, 0 to 65536", "32"}};

recipe make(const spec& s) {
  const std::uint64_t n = s.integer("n", 0, std::uint64_t{1} << 44);
  const std::uint64_t degree = s.integer("degree", 0, 65536);
  return {s, web_edges{stream_of(s, purpose::edges), n}, n, n * degree / 2};
}

}  // namespace

constinit const maker web_family{{"web", "links of a crawl: 85 % to near pages, the others to popular ones (power law of exponent 2.2)",
                                  "shape after Broder et al.: Graph structure in the web, WWW 2000, and Boldi, Vigna: The WebGraph "
                                  "framework I, WWW 2004",
                                  parameters},
                                 make};

}  // namespace copse::gen
