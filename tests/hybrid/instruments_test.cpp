// The CPU and a device together, under accessors that provoke what a quiet machine hides.
#include <gtest/gtest.h>
#include <instruments/chaos.hpp>

#include "hybrid/ways.hpp"
#include "support/rows.hpp"
#include "sweep/sweep.hpp"

namespace copse::test {
namespace {

void provoked() {
  for (const auto& g : solved_zoo()) {
    if (g.seed != 1) continue;
    const auto rows = make_test_rows<id, id>(g.edges.view(), row_state::simple);
    for (const unsigned share : {1u, 17u, 25u, 50u, 83u, 99u}) {
      for (unsigned k = 0; k < 6; ++k) {
        hybrid_way way = way_number(k);
        way.threads = 3;
        hybrid_report report;
        const id cut = hybrid::cut_at(rows.view().vertices(), share);
        ASSERT_TRUE(same_labels(solve_hybrid_on_host<small_blocks<parents::chaos>>(rows.view(), cut, way, report), g))
            << share << " %, way " << k << ", " << context(g, way.threads, "simple");
      }
    }
  }
}
TEST(hybrid, yielding_threads) {
  const parents::only_yielding scope;
  provoked();
}
TEST(hybrid, swaps_that_fail_for_no_reason) { provoked(); }

}  // namespace
}  // namespace copse::test
