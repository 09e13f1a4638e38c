// What is asked of the memory resource, what happens over its limit, and that a failing allocation leaks nothing, wherever it fails.
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <copse/errors.hpp>

#include <functional>
#include <iostream>

#include "drive.hpp"
#include "support/failing_memory.hpp"

namespace copse::test {
namespace {

using streaming::streaming_sink;
using random_engine = std::mt19937_64;

const auto dense = random_edges(3000, 1, [](random_engine& r) { return r() % 2000; });
const auto moving = [] {
  auto edges = dense;
  edges[2000].u = UINT64_MAX;
  return edges;
}();

string_edges strings() {
  string_edges edges;
  for (const auto [u, v] : dense) edges.emplace_back(fmt::format("s{}", u), fmt::format("s{}", v));
  return edges;
}

TEST(streaming_memory, touched_pages_are_counted_and_given_back) {
  tracked_memory memory;
  {
    labelling labels;
    {
      streaming_sink sink{1, &memory};
      feed(sink, random_edges(200'000, 2, [](random_engine& r) { return r() % 1'000'000; }), 1, 1000);
      labels = sink.take_labelling();
    }
    EXPECT_GE(memory.current_bytes(), labels.slots() * 4);
    EXPECT_LE(memory.current_bytes(), labels.slots() * 4 + (1u << 20));
  }
  EXPECT_EQ(memory.current_bytes(), 0u);
  EXPECT_GE(memory.peak_bytes(), 3'900'000u);
}

TEST(streaming_memory, the_limit_holds) {
  for (const unsigned workers : {1u, 7u}) {
    tracked_memory memory{2u << 20};
    streaming_sink sink{workers, &memory};
    EXPECT_THROW(feed(sink, random_edges(200'000, 3, [](random_engine& r) { return r() % 1'000'000; }), workers, 1000), resource_error);
    EXPECT_LE(memory.peak_bytes(), 2u << 20);
  }
}

void fail_everywhere(const std::function<void(std::pmr::memory_resource*)>& run) {
  const std::uint64_t failures = failures_of(run);
  EXPECT_GE(failures, 1u);
  std::cout << failures << " allocations failed while edges were united\n";
}

TEST(streaming_memory, every_allocation_may_fail) {
  for (const unsigned workers : {1u, 2u}) {
    fail_everywhere([workers](auto* memory) {
      streaming_sink sink{workers, memory};
      feed(sink, dense, workers, 100);
      EXPECT_EQ(integer_answer(sink.take_labelling()), smallest_names<std::uint64_t>(dense));
    });
    fail_everywhere([workers](auto* memory) {
      streaming_sink sink{workers, memory};
      feed(sink, moving, workers, 100);
      EXPECT_EQ(integer_answer(sink.take_labelling()), smallest_names<std::uint64_t>(moving));
    });
    fail_everywhere([workers](auto* memory) {
      streaming_sink sink{workers, memory};
      feed(sink, dense, workers, 100, 2000);
      EXPECT_EQ(sink.take_labelling().slots(), 2000u);
    });
    fail_everywhere([workers, edges = strings()](auto* memory) {
      streaming_sink sink{workers, memory};
      feed(sink, edges, workers, 100);
      EXPECT_EQ(string_answer(sink.take_labelling()), smallest_names<std::string>(edges));
    });
  }
}

}  // namespace
}  // namespace copse::test
