// Rows in no order: the same arcs, elsewhere in their rows, by any number of threads and by the text for a GPU.
#include <gtest/gtest.h>
#include <copse/errors.hpp>
#include <gen/unsorted_rows.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "edges.hpp"

namespace copse::test {
namespace {

using rows32 = csr<std::uint32_t, std::uint32_t>;

TEST(unsorted_rows, have_the_same_arcs_in_other_places) {
  for (const std::string spec : {"rmat:scale=12,edges=8", "star:n=5000", "path:n=0", "er:n=10,m=0", "knn:n=5000"}) {
    const graph sorted = gen::generate(spec);
    const graph one = gen::unsorted_rows(gen::generate(spec), 7, {.threads = 1});
    const graph many = gen::unsorted_rows(gen::generate(spec), 7, {.threads = 5});
    const graph other = gen::unsorted_rows(gen::generate(spec), 8);
    const auto& expected = std::get<rows32>(sorted.shape());
    const auto& found = std::get<rows32>(one.shape());
    EXPECT_FALSE(found.sorted);
    EXPECT_EQ(found.symmetric, symmetry::yes);
    EXPECT_TRUE(std::ranges::equal(found.offsets, expected.offsets)) << spec;
    EXPECT_TRUE(std::ranges::equal(found.targets, std::get<rows32>(many.shape()).targets)) << spec;
    if (expected.targets.size() > 100) {
      EXPECT_FALSE(std::ranges::equal(found.targets, std::get<rows32>(other.shape()).targets)) << spec;
      EXPECT_FALSE(std::ranges::equal(found.targets, expected.targets)) << spec;
    }
    for (std::uint32_t u = 0; u < expected.view().vertices(); ++u) {
      std::vector<std::uint32_t> row(found.view().row(u).begin(), found.view().row(u).end());
      std::ranges::sort(row);
      ASSERT_TRUE(std::ranges::equal(row, expected.view().row(u))) << spec;
    }
    std::vector<std::uint32_t> by_arcs(found.targets.size());
    const gen::arc_mover<std::uint32_t> mover{expected.offsets.data(), expected.view().vertices(), expected.targets.data(), by_arcs.data(),
                                              7};
    for (std::size_t arc = by_arcs.size(); arc > 0; --arc) mover(arc - 1);
    EXPECT_TRUE(std::ranges::equal(by_arcs, found.targets)) << spec;
  }
}

TEST(unsorted_rows, are_refused_for_lists) { EXPECT_THROW(gen::unsorted_rows(gen::generate_edges("path:n=5"), 1), usage_error); }

}  // namespace
}  // namespace copse::test
