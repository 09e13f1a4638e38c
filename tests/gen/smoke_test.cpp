// Every family makes a graph whose reference labels the verifier accepts.
#include <copse/verify.hpp>
#include <support/reference.hpp>

#include <gtest/gtest.h>

#include <algorithm>

#include "edges.hpp"

namespace copse::test {
namespace {

TEST(families, make_graphs_that_can_be_labelled_and_verified) {
  for (const std::string& spec : small_specs()) {
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
