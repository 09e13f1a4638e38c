// Batches of edges from a caller's arrays: whatever the type of the ids, the size of the batches and the threads, the answer is the
// reference's.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <copse/components_sink.hpp>
#include <copse/errors.hpp>

#include <array>
#include <atomic>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "drive.hpp"
#include "support/reference.hpp"
#include "support/thrown.hpp"
#include "support/zoo.hpp"

namespace copse::test {
namespace {

using random_engine = std::mt19937_64;

/// The two columns of a list of edges, of any kind of id.
template <class Id>
struct columns {
  std::vector<Id> sources, targets;

  void push(Id u, Id v) {
    sources.push_back(u);
    targets.push_back(v);
  }
  void add_to(components_sink& sink, std::size_t batch) const {
    for (std::size_t at = 0; at < sources.size(); at += batch) {
      const std::size_t count = std::min(batch, sources.size() - at);
      sink.add({std::span{sources}.subspan(at, count), std::span{targets}.subspan(at, count)});
    }
  }
};

template <class Id>
columns<Id> columns_of(const id_edges& edges) {
  columns<Id> result;
  for (const auto [u, v] : edges) result.push(static_cast<Id>(u), static_cast<Id>(v));
  return result;
}

template <class Id>
std::vector<Id> zero_to(std::uint64_t count) {
  std::vector<Id> ids(count);
  std::iota(ids.begin(), ids.end(), Id{0});
  return ids;
}

template <class Id>
components_result solve(const columns<Id>& edges, std::size_t batch, const components_sink_options& options, const execution& on) {
  components_sink sink{options, on};
  edges.add_to(sink, batch);
  EXPECT_EQ(sink.edge_count(), edges.sources.size());
  return sink.finish();
}

constexpr std::size_t everything = std::size_t{1} << 40;

class edge_batches : public ::testing::TestWithParam<std::size_t> {
protected:
  [[nodiscard]] static std::size_t batch() { return GetParam(); }

  /// Every graph of the zoo in columns of Id, isolated vertices added by their ids.
  template <class Id>
  static void expect_zoo(unsigned threads) {
    for (const auto& [name, graph] : zoo(1)) {
      columns<Id> edges;
      for (const auto [u, v] : graph.edges) edges.push(static_cast<Id>(u), static_cast<Id>(v));
      components_sink sink{{}, {.threads = threads}};
      edges.add_to(sink, batch());
      sink.add_vertices(zero_to<Id>(graph.vertex_count));
      expect_labels(sink.finish(), graph, name);
    }
  }
  static void expect_labels(const components_result& result, const coo<std::uint32_t>& graph, const std::string& name) {
    const auto expected = reference_labels(graph.view());
    ASSERT_EQ(result.labels.slots(), expected.size()) << name;
    for (std::uint64_t v = 0; v < expected.size(); ++v) ASSERT_EQ(result.labels.label(v), expected[v]) << name << ", vertex " << v;
    EXPECT_EQ(result.report.edges, graph.edges.size()) << name;
  }
};

TEST_P(edge_batches, of_int32_columns) { expect_zoo<std::int32_t>(1); }
TEST_P(edge_batches, of_uint32_columns) { expect_zoo<std::uint32_t>(3); }
TEST_P(edge_batches, of_int64_columns) { expect_zoo<std::int64_t>(3); }
TEST_P(edge_batches, of_uint64_columns) { expect_zoo<std::uint64_t>(1); }

TEST_P(edge_batches, of_interleaved_edges_over_declared_vertices) {
  for (const auto& [name, graph] : zoo(2)) {
    id_edges wide;
    for (const auto [u, v] : graph.edges) wide.push_back({u, v});
    components_sink narrow_sink{{.vertices = graph.vertex_count}}, wide_sink{{.vertices = graph.vertex_count}, {.threads = 2}};
    for (std::size_t at = 0; at < wide.size(); at += batch()) {
      const std::size_t count = std::min(batch(), wide.size() - at);
      narrow_sink.add(graph.edges.span().subspan(at, count));
      wide_sink.add(std::span{wide}.subspan(at, count));
    }
    expect_labels(narrow_sink.finish(), graph, name);
    expect_labels(wide_sink.finish(), graph, name);
  }
}

TEST_P(edge_batches, of_strings) {
  for (const auto& [name, graph] : zoo(3)) {
    string_edges texts;
    for (const auto [u, v] : graph.edges) texts.emplace_back(fmt::format("record {}", u), fmt::format("record {}", v));
    columns<std::string_view> edges;
    std::vector<io::named_edge> pairs;
    for (const auto& [u, v] : texts) {
      edges.push(u, v);
      pairs.push_back({u, v});
    }
    const auto expected = smallest_names<std::string>(texts);
    for (const unsigned threads : {1u, 3u})
      EXPECT_EQ(string_answer(solve(edges, batch(), {}, {.threads = threads}).labels), expected) << name;
    components_sink sink;
    for (std::size_t at = 0; at < pairs.size(); at += batch()) {
      sink.add(std::span{pairs}.subspan(at, std::min(batch(), pairs.size() - at)));
    }
    EXPECT_EQ(string_answer(sink.finish().labels), expected) << name;
  }
}

TEST_P(edge_batches, of_sparse_ids) {
  const auto edges = random_edges(6000, 4, [](random_engine& r) { return (std::uint64_t{1} << 40) + r() % 5000 * 1'000'003; });
  const auto expected = smallest_names<std::uint64_t>(edges);
  for (const unsigned threads : {1u, 3u}) {
    EXPECT_EQ(integer_answer(solve(columns_of<std::int64_t>(edges), batch(), {}, {.threads = threads}).labels), expected);
    EXPECT_EQ(integer_answer(solve(columns_of<std::uint64_t>(edges), batch(), {}, {.threads = threads}).labels), expected);
  }
}

// Batches may be freed as soon as they were added: strings are copied.
TEST_P(edge_batches, are_not_kept) {
  const auto edges = random_edges(3000, 5, [](random_engine& r) { return r() % 4000; });
  string_edges all;
  components_sink sink;
  for (std::size_t at = 0; at < edges.size(); at += batch()) {
    string_edges texts;
    columns<std::string_view> views;
    for (std::size_t i = at; i < std::min(edges.size(), at + batch()); ++i) {
      texts.emplace_back(fmt::format("a name of more than sixteen bytes: {}", edges[i].u), fmt::format("b{}", edges[i].v));
    }
    for (const auto& [u, v] : texts) views.push(u, v);
    sink.add({views.sources, views.targets});
    all.insert(all.end(), texts.begin(), texts.end());
    for (auto& [u, v] : texts) {
      std::fill(u.begin(), u.end(), '?');
      std::fill(v.begin(), v.end(), '?');
    }
  }
  EXPECT_EQ(string_answer(sink.finish().labels), smallest_names<std::string>(all));
}

INSTANTIATE_TEST_SUITE_P(batch, edge_batches, testing::Values(std::size_t{1}, std::size_t{1000}, everything),
                         [](const auto& batch) { return batch.param == everything ? "everything" : std::to_string(batch.param); });

// Batches of more than one block, which several threads share; the ids are dense, then gaps, then beyond 32 bits.
TEST(components_sink, answers_the_same_for_all_batches_and_threads) {
  for (const std::uint64_t stride : {std::uint64_t{1}, std::uint64_t{50'000}, std::uint64_t{1} << 40}) {
    const auto edges = random_edges(70'000, 6, [stride](random_engine& r) { return r() % 60'000 * stride; });
    const auto wanted = columns_of<std::int64_t>(edges);
    const auto reference = solve(wanted, everything, {}, {.threads = 1});
    EXPECT_EQ(integer_answer(reference.labels), smallest_names<std::uint64_t>(edges));
    for (const unsigned threads : {1u, 2u, 7u}) {
      for (const std::size_t batch : {std::size_t{999}, std::size_t{40'000}, everything}) {
        const auto result = solve(wanted, batch, {}, {.threads = threads});
        EXPECT_EQ(checksum(result.labels), checksum(reference.labels)) << stride << ' ' << threads << ' ' << batch;
        EXPECT_EQ(result.report.threads, threads);
      }
    }
  }
}

TEST(components_sink, shares_large_batches_of_strings_among_threads) {
  string_edges texts;
  columns<std::string_view> edges;
  for (const auto [u, v] : random_edges(60'000, 7, [](random_engine& r) { return r() % 50'000; })) {
    texts.emplace_back(std::to_string(u), std::to_string(v));
  }
  for (const auto& [u, v] : texts) edges.push(u, v);
  EXPECT_EQ(string_answer(solve(edges, everything, {}, {.threads = 5}).labels), smallest_names<std::string>(texts));
}

TEST(components_sink, mixes_widths_of_integers) {
  components_sink sink;
  sink.add({std::array{std::int32_t{5}}, std::array{std::int32_t{9}}});
  sink.add({std::array{std::uint64_t{1} << 40}, std::array{std::uint64_t{9}}});
  sink.add({std::array{std::uint32_t{3}, 4294967294u}, std::array{std::uint32_t{3}, 4294967294u}});
  const std::map<std::uint64_t, std::uint64_t> expected{{3, 3}, {5, 5}, {9, 5}, {4294967294u, 4294967294u}, {std::uint64_t{1} << 40, 5}};
  EXPECT_EQ(integer_answer(sink.finish().labels), expected);
}

TEST(components_sink, takes_isolated_vertices_and_empty_strings) {
  components_sink sink;
  sink.add_vertices(std::array<std::string_view, 3>{"b", "", "alone"});
  sink.add({std::array<std::string_view, 1>{"b"}, std::array<std::string_view, 1>{std::string_view{"a\0z", 3}}});
  EXPECT_EQ(sink.edge_count(), 1u);
  const std::map<std::string, std::string> expected{
      {"", ""}, {std::string{"a\0z", 3}, std::string{"a\0z", 3}}, {"alone", "alone"}, {"b", std::string{"a\0z", 3}}};
  EXPECT_EQ(string_answer(sink.finish().labels), expected);
}

TEST(components_sink, names_and_labels_of_strings_become_columns) {
  components_sink sink;
  std::vector<std::string> names;
  for (int i = 0; i < 200'000; ++i)
    names.push_back(i % 1000 == 7 ? "" : std::string(static_cast<std::size_t>(i % 40), 'x') + std::to_string(i));
  const std::vector<std::string_view> views(names.begin(), names.end());
  sink.add({std::span{views}.first(100'000), std::span{views}.subspan(50'000, 100'000)});
  const labelling labels = std::move(sink.finish().labels);
  for (const unsigned threads : {1u, 3u}) {
    const auto offsets = name_offsets(labels.names(), {.threads = threads});
    const string_column column = label_strings(labels, {.threads = threads});
    ASSERT_EQ(offsets.size(), labels.slots() + 1);
    ASSERT_EQ(column.offsets.size(), labels.slots() + 1);
    const char* const bytes = labels.names().string(0).data();
    for (std::uint64_t i = 0; i < labels.slots(); ++i) {
      ASSERT_EQ(std::string_view(bytes + offsets[i], offsets[i + 1] - offsets[i]), labels.names().string(i));
      ASSERT_EQ(std::string_view(column.bytes.data() + column.offsets[i], column.offsets[i + 1] - column.offsets[i]),
                labels.names().string(labels.label(i)));
    }
  }
}

TEST(components_sink, answers_without_any_edge) {
  const std::vector<std::int64_t> none;
  components_sink sink;
  sink.add({none, none});
  sink.add(
      {std::span<const std::string_view>{}, std::span<const std::string_view>{}});  // an empty batch says nothing about the kind of ids
  sink.add_vertices(none);
  EXPECT_EQ(sink.finish().labels.slots(), 0u);

  const auto declared = components_sink{{.vertices = 4}}.finish();
  EXPECT_EQ(declared.count(), 4u);
  EXPECT_EQ(declared.report.edges, 0u);
}

TEST(components_sink, reports_what_it_did) {
  components_sink sink{{}, {.threads = 1}};
  sink.add({std::array{1, 2}, std::array{2, 2}});
  const auto result = sink.finish();
  EXPECT_EQ(result.report.variant, "serial.none.rem");
  EXPECT_EQ(result.report.edges, 2u);
  EXPECT_EQ(result.report.threads, 1u);
  EXPECT_GT(result.report.solve_seconds, 0);
  EXPECT_NE(result.report.explanation.find("none held"), std::string::npos);
}

// Ten and more edges per vertex; memory follows the vertices.
TEST(components_sink, holds_memory_for_vertices_only) {
  constexpr std::uint64_t n = 100'000;
  const auto peak = [&](std::uint64_t stride, unsigned batches) {
    tracked_memory memory;
    {
      components_sink sink{{}, {.threads = 2, .memory = &memory}};
      random_engine random{8};
      for (unsigned k = 0; k < batches; ++k) {
        columns<std::uint64_t> edges;
        for (std::uint64_t v = 0; v < n; ++v) edges.push(v * stride, random() % n * stride);
        sink.add({edges.sources, edges.targets});
      }
      EXPECT_EQ(sink.finish().labels.names().size(), n);
    }
    EXPECT_EQ(memory.current_bytes(), 0u);
    return memory.peak_bytes();
  };
  constexpr std::uint64_t slack = 5u << 20;  // a piece of parents and the map of pages
  EXPECT_LE(peak(1, 12), 4 * n + slack);
  EXPECT_LE(peak(std::uint64_t{1} << 40, 12), 40 * n + slack);
  EXPECT_LE(peak(1, 12), peak(1, 1) + (16u << 10));  // a bit per vertex for the giant
  EXPECT_LT(peak(std::uint64_t{1} << 40, 12), peak(std::uint64_t{1} << 40, 1) + (64u << 10));
}

TEST(components_sink, refuses_columns_of_different_length) {
  components_sink sink;
  EXPECT_EQ(thrown<usage_error>([&] {
              sink.add({std::array{1, 2, 3}, std::array{1, 2}});
            }),
            "components_sink: there must be as many targets as sources, not 2 and 3");
  EXPECT_EQ(sink.finish().labels.slots(), 0u);
}

TEST(components_sink, refuses_ids_that_are_no_vertices_and_goes_on) {
  const auto fault = [](const components_sink_options& options, const execution& on, const auto&... batch) {
    components_sink sink{options, on};
    const std::string text = thrown<input_error>([&] { sink.add({batch...}); });
    EXPECT_EQ(sink.edge_count(), 0u);
    sink.add({std::array{4}, std::array{2}});
    const auto labels = sink.finish().labels;
    EXPECT_EQ(labels.label(4), 2u);
    EXPECT_EQ(labels.slots(), options.vertices.value_or(5)) << "a part of the refused batch is there";
    return text;
  };
  std::vector<std::int64_t> many(100'000, 7), negative = many;
  negative[70'000] = -3;
  negative[90'000] = -4;
  constexpr std::string_view start = "components_sink: ";
  for (const unsigned threads : {1u, 4u}) {
    const execution on{.threads = threads};
    const components_sink_options declared{.vertices = 10};
    EXPECT_EQ(fault(declared, on, negative, many),
              fmt::format("{}sources[70000]: found -3, expected ids of 0 or more, as vertices were declared", start));
    EXPECT_EQ(fault(declared, on, many, negative),
              fmt::format("{}targets[70000]: found -3, expected ids of 0 or more, as vertices were declared", start));
  }
  EXPECT_EQ(fault({.vertices = 10}, {}, std::array{1, 2}, std::array{9, 10}),
            fmt::format("{}targets[1]: found 10, expected ids below 10", start));
  EXPECT_EQ(fault({.vertices = 10}, {}, std::array{1, -2}, std::array{9, 9}),
            fmt::format("{}sources[1]: found -2, expected ids of 0 or more, as vertices were declared", start));
  EXPECT_EQ(fault({.vertices = 10}, {}, std::array<edge<std::uint32_t>, 1>{{{1, 12}}}),
            fmt::format("{}edges[0].v: found 12, expected ids below 10", start));
  components_sink sink;
  sink.add_vertices(std::array{UINT64_MAX});
  EXPECT_EQ(
      thrown<input_error>([&] {
        sink.add_vertices(std::array{1, 2, -1});
      }),
      fmt::format("{}ids[2]: found the id -1, expected ids of 0 or more, as {}ids[0] has 18446744073709551615, which is above 2^63 - 1",
                  start, start));
}

TEST(components_sink, refuses_strings_after_integers_and_the_reverse) {
  const std::array<std::string_view, 1> text{"3"};
  const std::array number{3};
  components_sink integers, strings, declared{{.vertices = 5}};
  integers.add({number, number});
  strings.add({text, text});
  EXPECT_EQ(thrown<usage_error>([&] {
              integers.add({text, text});
            }),
            "components_sink: ids must be integers, as in earlier batches, not strings");
  EXPECT_EQ(thrown<usage_error>([&] { strings.add_vertices(number); }),
            "components_sink: ids must be strings, as in earlier batches, not integers");
  EXPECT_EQ(thrown<usage_error>([&] {
              declared.add({text, text});
            }),
            "components_sink: ids must be integers, as vertices were declared, not strings");
  EXPECT_EQ(integers.finish().count(), 1u);
  EXPECT_EQ(strings.finish().count(), 1u);
}

TEST(components_sink, takes_nothing_after_finish) {
  components_sink sink;
  sink.add({std::array{1}, std::array{2}});
  static_cast<void>(sink.finish());
  EXPECT_EQ(sink.edge_count(), 0u);
  EXPECT_THROW(sink.add({std::array{1}, std::array{2}}), usage_error);
  EXPECT_THROW(sink.add_vertices(std::array{1}), usage_error);
  EXPECT_THROW(static_cast<void>(sink.finish()), usage_error);
  sink = components_sink{};
  sink.add({std::array{1}, std::array{0}});
  EXPECT_EQ(sink.finish().labels.label(1), 0u);
}

TEST(components_sink, refuses_to_go_on_after_memory_ended_midway) {
  const auto edges = columns_of<std::int64_t>(random_edges(200'000, 9, [](random_engine& r) { return r() % 1'000'000; }));
  for (const unsigned threads : {1u, 3u}) {
    tracked_memory memory{2u << 20};
    {
      components_sink sink{{}, {.threads = threads, .memory = &memory}};
      EXPECT_THROW(edges.add_to(sink, everything), resource_error);
      EXPECT_THROW(sink.add({std::array{1}, std::array{2}}), usage_error);
      EXPECT_THROW(static_cast<void>(sink.finish()), usage_error);
    }
    EXPECT_LE(memory.peak_bytes(), 2u << 20);
    EXPECT_EQ(memory.current_bytes(), 0u);
  }
}

TEST(components_sink, tells_its_observer_and_stops_when_asked) {
  struct watcher final : observer {
    std::atomic<std::uint64_t> calls{0};
    std::atomic<bool> stop{false};
    void progress(std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view unit) override {
      EXPECT_EQ(stage, "unite");
      EXPECT_EQ(unit, "edges");
      EXPECT_EQ(total, 0u);
      EXPECT_GT(done, 0u);
      ++calls;
    }
    [[nodiscard]] bool cancel_requested() const noexcept override { return stop; }
  } watcher;
  components_sink sink{{}, {.threads = 2, .observer = &watcher}};
  sink.add({std::array{1, 2}, std::array{2, 3}});
  EXPECT_EQ(watcher.calls, 1u);
  watcher.stop = true;
  EXPECT_THROW(sink.add({std::array{1}, std::array{2}}), cancelled);
  EXPECT_THROW(sink.add({std::array{1}, std::array{2}}), usage_error);
}

}  // namespace
}  // namespace copse::test
