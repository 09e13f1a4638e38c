// What is known of files before they are read, what is refused then, and components() on the device auto.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <copse/components.hpp>
#include <copse/errors.hpp>
#include <copse/generate.hpp>
#include <copse/memory.hpp>
#include <copse/plan.hpp>
#include <copse/spanning_forest.hpp>

#include <fstream>
#include <string>
#include <vector>

#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace copse::test {
namespace {

using paths = std::vector<std::filesystem::path>;

/// A tree of so many vertices: i and i / 2.
std::string tree(int edges) {
  std::string text;
  for (int i = 0; i < edges; ++i) text += std::to_string(i) + " " + std::to_string(i / 2) + "\n";
  return text;
}

TEST(size_of_files, counts_a_small_file) {
  const temporary_folder folder;
  write_bytes(folder / "a.el", "0 1\n1 9\n");
  write_bytes(folder / "b.el", "alice bob\nbob carol\n");
  const sized_source ids = size_of_files(paths{folder / "a.el"}, {});
  EXPECT_EQ(ids.size.edges, 2u);
  EXPECT_EQ(ids.size.slots, 10u);
  EXPECT_EQ(ids.size.vertices, 4u) << "at most: two ends per edge";
  EXPECT_EQ(ids.origin, "counted");
  EXPECT_TRUE(ids.streamed);
  EXPECT_EQ(ids.hidden, "");
  const sized_source strings = size_of_files(paths{folder / "b.el"}, {});
  EXPECT_EQ(strings.size.ids, id_shape::strings);
  EXPECT_EQ(strings.size.string_bytes, 5u + 3 + 3 + 5);
}

TEST(size_of_files, leaves_the_counts_of_the_caller_alone) {
  const temporary_folder folder;
  write_bytes(folder / "a.el", "# remark\n0 1\n");
  io::read_counts counts;
  io::read_options input;
  input.counts = &counts;
  EXPECT_EQ(size_of_files(paths{folder / "a.el"}, input).size.edges, 1u);
  EXPECT_EQ(counts.comment_lines.load(), 0u);
}

TEST(size_of_files, refuses_what_can_be_read_once) {
  EXPECT_EQ(thrown<usage_error>([] { size_of_files(paths{"-"}, {}); }),
            "plan cannot read standard input or a pipe, which can be read only once: give a file");
  EXPECT_EQ(device_for(paths{"-"}, {}, {}, true).reason, "the CPU, as the input can be read only once");
}

TEST(size_of_graph, counts_rows_by_arcs) {
  const graph rows = gen::generate("grid2d:side=8");
  const graph list = gen::generate_edges("grid2d:side=8");
  EXPECT_EQ(size_of_graph(rows.view()).arcs, 2 * size_of_graph(list.view()).edges);
  EXPECT_EQ(size_of_graph(rows.view()).edges, size_of_graph(list.view()).edges);
  EXPECT_EQ(size_of_graph(list.view()).vertices, 64u);
}

TEST(room, a_list_that_cannot_be_held_is_refused_before_it_is_read) {
  const temporary_folder folder;
  write_bytes(folder / "tree.el", tree(300'000));
  tracked_memory memory{2'097'152};
  const execution on{.threads = 2, .memory = &memory};
  const solve_options held{.variant = "serial.none.async.naive"};
  EXPECT_EQ(thrown<resource_error>([&] { components(folder / "tree.el", {}, held, on); }),
            "the option memory: found 2.1 MB, expected 2.4 MB and more for a list of edges in memory; copse plan: at most 300000 vertices, "
            "300000 edges, counted; stream 2.4 MB on cpu (edges are united while they are parsed); held 6.0 MB on cpu (a list of edges in "
            "memory, to be solved again and again)");
  EXPECT_EQ(memory.peak_bytes(), 0u) << "nothing was read into it";
  tracked_memory enough{60'000'000};
  EXPECT_EQ(components(folder / "tree.el", {}, held, {.memory = &enough}).count(), 1u);
}

TEST(room, memory_that_ends_while_edges_are_streamed_ends_with_the_ways) {
  const temporary_folder folder;
  write_bytes(folder / "tree.el", tree(300'000));
  tracked_memory memory{1'000'000};
  const std::string text = thrown<resource_error>([&] { components(folder / "tree.el", {}, {}, {.threads = 2, .memory = &memory}); });
  const std::string plan = "; copse plan: at most 300000 vertices, 300000 edges, counted; stream 2.4 MB on cpu";
  EXPECT_NE(text.find(plan), std::string::npos) << text;
  EXPECT_EQ(text.find(plan), text.rfind("; copse plan: ")) << "once: " << text;
}

// Graphs of these tests are too small for a GPU to be worth its start, so that all machines take the CPU.

TEST(device_auto, of_graphs_in_memory_and_of_files_says_why) {
  const temporary_folder folder;
  write_bytes(folder / "a.el", "0 1\n2 3\n");
  write_bytes(folder / "b.el", "3 4\n");
  const execution on{.device = "auto", .threads = 2};
  const std::string begin = "device auto: ";
  for (const graph& g : {gen::generate("karate"), gen::generate_edges("karate")}) {
    for (const components_result& found : {components(g, {}, on), components(g.view(), {}, on)}) {
      EXPECT_EQ(found.count(), 1u);
      EXPECT_EQ(found.report.device, "cpu");
      EXPECT_TRUE(found.report.explanation.starts_with(begin)) << found.report.explanation;
      EXPECT_NE(found.report.explanation.find(components(g, {}, {.threads = 2}).report.explanation), std::string::npos)
          << "and why this variant";
    }
  }
  const components_result one = components(folder / "a.el", {}, {}, on);
  EXPECT_EQ(one.count(), 2u);
  EXPECT_TRUE(one.report.explanation.starts_with(begin)) << one.report.explanation;
  const components_result both = components(paths{folder / "a.el", folder / "b.el"}, {}, {}, on);
  EXPECT_EQ(both.count(), 2u);
  EXPECT_TRUE(both.report.explanation.starts_with(begin)) << both.report.explanation;
}

TEST(device_auto, of_labels_in_the_memory_of_the_caller_says_why) {
  const std::vector<edge<std::uint32_t>> edges{{0, 1}, {3, 4}};
  const std::vector<std::uint32_t> sources{0, 3}, targets{1, 4};
  std::vector<std::uint32_t> labels(5);
  const execution on{.device = "auto"};
  for (int form = 0; form < 2; ++form) {
    std::fill(labels.begin(), labels.end(), 77u);
    const solve_report report =
        form == 0 ? components(coo_view<std::uint32_t>{5, edges}, std::span<std::uint32_t>{labels}, {}, on)
                  : components(edge_columns_view<std::uint32_t>{5, sources, targets}, std::span<std::uint32_t>{labels}, {}, on);
    EXPECT_EQ(labels, (std::vector<std::uint32_t>{0, 0, 2, 3, 3}));
    EXPECT_TRUE(report.explanation.starts_with("device auto: ")) << report.explanation;
  }
}

TEST(device_auto, leaves_wide_ids_to_the_cpu) {
  const std::vector<edge<std::uint64_t>> edges{{0, 1}, {3, 4}};
  std::vector<std::uint64_t> labels(5);
  const solve_report report = components(coo_view<std::uint64_t>{5, edges}, std::span<std::uint64_t>{labels}, {}, {.device = "auto"});
  EXPECT_EQ(labels, (std::vector<std::uint64_t>{0, 0, 2, 3, 3}));
  EXPECT_TRUE(report.explanation.starts_with("device auto: the CPU, as 64-bit ids do not run on a GPU")) << report.explanation;
}

TEST(device_auto, leaves_named_variants_and_other_calls_to_the_cpu) {
  const graph karate = gen::generate("karate");
  const components_result named = components(karate, {.variant = "serial.none.rem"}, {.device = "auto"});
  EXPECT_EQ(named.report.variant, "serial.none.rem");
  EXPECT_EQ(named.report.explanation, "") << "a variant by name has its device";
  EXPECT_EQ(spanning_forest(karate, {}, {.device = "auto"}).report.device, "cpu");
  EXPECT_THROW(components(karate, {}, {.device = "automatic"}), usage_error);
}

TEST(device_auto, explains_itself_by_seconds_when_asked) {
  if (!gpus().empty()) GTEST_SKIP() << "a GPU is on this machine";
  const graph karate = gen::generate_edges("karate");
  EXPECT_EQ(device_for(size_of_graph(karate.view()), {.threads = 2}, true).reason,
            "no GPU is seen; less than 0.001 s on the CPU with 2 threads");
  tracked_memory little{10'000'000};
  EXPECT_TRUE(device_for(size_of_graph(karate.view()), {.threads = 3, .memory = &little}, true)
                  .reason.starts_with("the CPU, as nothing could be measured: memory limit: "));
}

TEST(plan_components, has_the_ways_of_a_file_under_the_limit_of_its_memory) {
  const temporary_folder folder;
  write_bytes(folder / "tree.el", tree(300'000));
  tracked_memory memory{4'000'000};
  const solve_plan plan = plan_components(paths{folder / "tree.el"}, {}, {.workers = 2}, {.threads = 2, .memory = &memory});
  EXPECT_EQ(plan.asked.memory_bytes, 4'000'000u);
  EXPECT_EQ(plan.sizes, "counted");
  ASSERT_GE(plan.ways.size(), 3u);
  EXPECT_EQ(plan.ways[0].name, "stream");
  EXPECT_EQ(plan.ways[0].bytes, 2'400'000u);
  EXPECT_TRUE(plan.ways[0].fits);
  EXPECT_EQ(plan.ways[1].name, "held");
  EXPECT_FALSE(plan.ways[1].fits) << plan.ways[1].bytes;
  EXPECT_EQ(plan.ways[2].name, "2 workers");
  EXPECT_GT(*plan.ways[0].seconds, 0);
}

}  // namespace
}  // namespace copse::test
