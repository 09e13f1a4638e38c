// The same rules under accessors that provoke what a quiet machine hides: threads that lose the processor inside a rule (yield), and
// swaps that fail although the word was as expected (chaos).
#include <backend/omp/omp.hpp>
#include <copse/parents/chaos.hpp>
#include <copse/parents/yield.hpp>
#include <registry/rows.hpp>

#include "support/rows.hpp"
#include "sweep/sweep.hpp"

namespace copse::test {
namespace {

using narrow_rows = csr_view<std::uint32_t, std::uint32_t>;
using narrow_edges = coo_view<std::uint32_t>;
using narrow_views = registry::type_list<narrow_rows, narrow_edges>;

template <class Backend>
void sweep_backend() {
  const auto rows = registry::make_rows<Backend>(narrow_views{});
  ASSERT_FALSE(rows.empty());
  for (const auto& g : solved_zoo()) {
    const auto simple = make_test_rows<std::uint32_t, std::uint32_t>(g.edges.view(), row_state::simple);
    for (const auto& row : rows) {
      for (const unsigned threads : {2u, 7u}) {
        const solve_options options{.threads = threads, .seed = g.seed};
        const auto labels = row.info.input == input_kind::csr ? registry::solve_row(row, simple.view(), options)
                                                              : registry::solve_row(row, g.edges.view(), options);
        ASSERT_TRUE(same_labels(labels, g)) << row.info.name << ", " << context(g, threads, "simple");
      }
    }
  }
}

TEST(instruments, yielding_threads_change_no_label) { sweep_backend<backend::basic_omp<parents::yield, 8>>(); }
TEST(instruments, swaps_that_fail_for_no_reason_change_no_label) { sweep_backend<backend::basic_omp<parents::chaos, 8>>(); }

}  // namespace
}  // namespace copse::test
