// Batches that several workers add at once.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <copse/components_sink.hpp>
#include <copse/errors.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "drive.hpp"
#include "support/reference.hpp"
#include "support/thrown.hpp"

namespace copse::test {
namespace {

using random_engine = std::mt19937_64;

// As edges of one's own threads: batches of many sizes, isolated vertices among them, and the same answer.
TEST(components_sink, takes_batches_of_several_threads_at_once) {
  const auto random = random_edges(70'000, 16, [](random_engine& r) { return r() % 60'000 * (std::uint64_t{1} << 20); });
  string_edges texts;
  for (const auto [u, v] : random) texts.emplace_back(fmt::format("name {}", u), fmt::format("name {}", v));
  std::vector<io::named_edge> named;
  for (const auto& [u, v] : texts) named.push_back({u, v});
  const auto expected_integers = smallest_names<std::uint64_t>(random);
  const auto expected_strings = smallest_names<std::string>(texts);
  for (const unsigned threads : {1u, 2u, 7u}) {
    components_sink integers{{}, {.threads = threads}}, strings{{}, {.threads = threads}};
    ASSERT_EQ(strings.worker_count(), threads);
    std::atomic<std::size_t> next{0};
    strings.on_workers([&](unsigned worker) {
      for (std::size_t at = next++ * 3000; at < random.size(); at = next++ * 3000) {
        const std::size_t count = std::min<std::size_t>(at % 7 == 0 ? 1000 : 3000, random.size() - at);
        integers.add_by(worker, std::span{random}.subspan(at, count));
        strings.add_by(worker, std::span{std::as_const(named)}.subspan(at, count));
        for (std::size_t i = at + count; i < std::min(at + 3000, random.size()); ++i) {
          integers.add_vertices_by(worker, std::array{random[i].u, random[i].v});
          strings.add_vertices_by(worker, std::array{named[i].u, named[i].v});
          integers.add_by(worker, std::span{&random[i], 1});
          strings.add_by(worker, std::span<const io::named_edge>{&named[i], 1});
        }
      }
    });
    EXPECT_EQ(integers.edge_count(), random.size());
    EXPECT_EQ(strings.edge_count(), random.size());
    EXPECT_EQ(integer_answer(integers.finish().labels), expected_integers) << threads;
    const auto result = strings.finish();
    EXPECT_EQ(string_answer(result.labels), expected_strings) << threads;
    EXPECT_EQ(result.report.edges, random.size());
    EXPECT_GT(result.report.solve_seconds, 0);
  }
}

TEST(components_sink, refuses_a_worker_too_many_and_what_a_batch_of_a_worker_may_not_have) {
  const std::array<edge<std::uint64_t>, 2> good{{{3, 4}, {5, 4}}}, negative{{{3, 4}, {5, UINT64_MAX}}};
  const std::array<io::named_edge, 1> named{{{"3", "4"}}};
  components_sink sink{{}, {.threads = 2}};
  EXPECT_EQ(thrown<usage_error>([&] { sink.add_by(2, good); }), "components_sink: worker must be below 2, not 2");
  sink.add_by(1, good);
  sink.add_by(0, {std::span{negative}.last(1), true});
  EXPECT_EQ(thrown<input_error>([&] { sink.add_by(1, negative); }),
            "components_sink: edges[1].v: found the id 18446744073709551615, expected ids up to 9223372036854775807, as components_sink: "
            "edges[0].v has -1");
  EXPECT_EQ(thrown<usage_error>([&] { sink.add_by(0, named); }),
            "components_sink: ids must be integers, as in earlier batches, not strings");
  const auto labels = sink.finish().labels;
  EXPECT_EQ(labels.label(labels.names().find(std::uint64_t{3}).value()), labels.names().find(UINT64_MAX).value());
  EXPECT_THROW(sink.add_by(0, good), usage_error);
  EXPECT_THROW(sink.on_workers([](unsigned) {}), usage_error);
}

TEST(components_sink, tells_all_workers_that_memory_ended) {
  tracked_memory memory{2u << 20};
  components_sink sink{{}, {.threads = 2, .memory = &memory}};
  const auto edges = random_edges(200'000, 9, [](random_engine& r) { return r() % 1'000'000; });
  const auto text = thrown<resource_error>([&] { sink.add_by(1, std::span{edges}); });
  EXPECT_TRUE(text.starts_with("memory limit: ")) << text;
  for (const unsigned worker : {0u, 1u}) EXPECT_EQ(thrown<resource_error>([&] { sink.add_by(worker, std::span{edges}); }), text);
  EXPECT_THROW(sink.add({std::array{1}, std::array{2}}), usage_error);
  EXPECT_THROW(static_cast<void>(sink.finish()), usage_error);
}

TEST(components_sink, takes_edges_of_a_gpu_on_one_only) {
  const std::array<edge<std::uint32_t>, 1> edges{{{0, 1}}};
  EXPECT_EQ(thrown<usage_error>([&] {
              components_sink{{.vertices = 2}}.add_async({edges.data(), 1});
            }),
            "components_sink: edges in the memory of a GPU need a GPU as execution::device");
  EXPECT_EQ(thrown<usage_error>([] {
              components_sink{{}, {.device = "hybrid"}};
            }),
            "components_sink: device must be the CPU or GPUs, not hybrid");
}

}  // namespace
}  // namespace copse::test
