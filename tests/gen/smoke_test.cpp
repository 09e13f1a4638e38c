// Every family makes a graph whose reference labels the verifier accepts.
#include <copse/generate.hpp>
#include <copse/verify.hpp>
#include <support/reference.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace copse::test {
namespace {

TEST(families, make_graphs_that_can_be_labelled_and_verified) {
  for (const char* spec : {"rmat:scale=10", "er:n=1000,m=2000", "er:n=1000,p=.004", "er:n=100,p=.7", "ba:n=1000,k=3", "grid2d:side=9",
                           "torus2d:side=9", "mesh:side=9", "osm:side=30", "web:n=1000", "clusters:n=3000", "path:n=9", "star:n=9",
                           "complete:n=9", "random_tree:n=100", "karate", "karate:shuffle=1", "path:n=1", "er:n=0,m=0"}) {
    const graph g = gen::generate_edges(spec);
    const auto reference = reference_labels(std::get<coo<std::uint32_t>>(g.shape()).view());
    buffer<std::uint32_t> labels(reference.size());
    std::copy(reference.begin(), reference.end(), labels.begin());
    const verdict v = verify(g.view(), labelling{std::move(labels), vertex_names::identity(g.vertices())});
    EXPECT_TRUE(v) << spec << ": " << v.reason;
  }
}

}  // namespace
}  // namespace copse::test
