// Forests under accessors that provoke what a quiet machine hides: threads that lose the processor inside a rule (yield), and swaps that
// fail although the word was as expected (chaos). A link that is reported twice, or by a thread that did not make it, shows here.
#include <instruments/chaos.hpp>
#include <loops/threads.hpp>
#include <variants/forest_code.hpp>
#include <variants/table.hpp>

#include "forests.hpp"
#include "support/rows.hpp"

namespace copse::test {
namespace {

void sweep_under_chaos() {
  using Backend = backend::basic_threads<parents::chaos, 8>;
  const auto entries = variant::variants_of(Backend::name, Backend::concurrent, problem_kind::forest);
  ASSERT_EQ(entries.size(), 360u);
  for (const auto& g : solved_zoo()) {
    if (g.seed != 1) continue;
    const auto simple = make_test_rows<std::uint32_t, std::uint32_t>(g.edges.view(), row_state::simple);
    for (const auto& entry : entries) {
      if (is_pair_of_tried_parts(entry.info)) continue;
      using arcs = backend::arc_set<std::uint32_t>;
      const bool on_rows = entry.info.input == input_kind::csr;
      const arcs set = on_rows ? arcs{simple.view()} : arcs{g.edges.view()};
      const graph_view view = on_rows ? graph_view{simple.view()} : graph_view{g.edges.view()};
      phase_times times;
      auto result = variant::forest_code<Backend, std::uint32_t>::run(entry.sampler, entry.finish, set, {},
                                                                      {{.seed = g.seed}, {.threads = 7}}, times);
      const forest_result found{graph{coo<std::uint32_t>{g.edges.vertex_count, std::move(result)}}, {}, {}};
      ASSERT_TRUE(is_right(found, g, view)) << entry.info.name << ", " << context(g, 7, "simple");
    }
  }
}

TEST(forest_instruments, yielding_threads_tell_each_link_once) {
  const parents::only_yielding scope;
  sweep_under_chaos();
}
TEST(forest_instruments, swaps_that_fail_for_no_reason_tell_no_link) { sweep_under_chaos(); }

}  // namespace
}  // namespace copse::test
