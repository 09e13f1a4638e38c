// The same rules under accessors that provoke what a quiet machine hides: threads that lose the processor inside a rule (yield), and
// swaps that fail although the word was as expected. The cases share one instantiation of all rules, which is long to compile. Every
// variant solves the zoo of one of the seeds; with COPSE_SWEEP=all of each.
#include <instruments/chaos.hpp>
#include <loops/arcs.hpp>
#include <loops/threads.hpp>
#include <variants/components_code.hpp>
#include <variants/table.hpp>

#include "support/rows.hpp"
#include "sweep/sweep.hpp"

namespace copse::test {
namespace {

constexpr unsigned threads = 7;

void sweep_under_chaos() {
  using Backend = backend::basic_threads<parents::chaos, 8>;
  const auto entries = variant::variants_of(Backend::name, Backend::concurrent);
  ASSERT_FALSE(entries.empty());
  for (const auto& g : solved_zoo()) {
    const auto simple = make_test_rows<std::uint32_t, std::uint32_t>(g.edges.view(), row_state::simple);
    for (std::size_t e = 0; e < entries.size(); ++e) {
      const auto& entry = entries[e];
      if (is_pair_of_tried_parts(entry.info) || entry.info.finish == "fast") continue;  // the fast path: tests/fast
      if (!all_graphs() && seeds()[e % seeds().size()] != g.seed) continue;
      using arcs = backend::arc_set<std::uint32_t>;
      const arcs graph = entry.info.input == input_kind::csr ? arcs{simple.view()} : arcs{g.edges.view()};
      phase_times times;
      buffer<std::uint32_t> labels{g.labels.size()};
      variant::components_code<Backend, std::uint32_t>::run(entry.sampler, entry.finish, graph, labels.span(),
                                                            {{.seed = g.seed}, {.threads = threads}}, times);
      ASSERT_TRUE(same_labels(labels, g)) << entry.info.name << ", " << context(g, threads, "simple");
    }
  }
}

TEST(instruments, yielding_threads_change_no_label) {
  const parents::only_yielding scope;
  sweep_under_chaos();
}
TEST(instruments, swaps_that_fail_for_no_reason_change_no_label) { sweep_under_chaos(); }

}  // namespace
}  // namespace copse::test
