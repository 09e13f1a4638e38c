// The giant of a stream: bits that workers raise while they unite, and answers that are the same as without.
#include <gtest/gtest.h>
#include <copse/copse.hpp>

#include "drivers/streaming/unite_batch.hpp"
#include "streaming/drive.hpp"
#include "support/failing_memory.hpp"

namespace copse::test {
namespace {

using streaming::address_range;

/// A random graph with a giant, in steps of 64 ids so that there are gaps, and a tail that comes late.
id_edges giant_with_gaps(std::uint64_t step) {
  const graph random = gen::generate_edges("er:n=20000,m=300000");
  id_edges all;
  for (const auto [u, v] : std::get<coo<std::uint32_t>>(random.shape()).edges) all.push_back({u * step, v * step});
  for (std::uint64_t k = 0; k < 5000; ++k) {
    all.push_back({(20000 + k) * step, k % 3 == 0 ? k * step : (20000 + k) * step});
    all.push_back({k * step, (k + 1) * step});
  }
  return all;
}

void expect_answer(const labelling& found, const id_edges& all, std::uint64_t slots) {
  std::vector<edge<std::uint64_t>> list(all.begin(), all.end());
  const auto expected = components(graph_view{coo_view<std::uint64_t>{slots, list}}, {.variant = "serial.none.union_find"});
  std::vector<bool> named(slots);
  for (const auto [u, v] : all) named[u] = named[v] = true;
  for (std::uint64_t v = 0; v < found.slots(); ++v) {
    if (!named[v]) continue;
    ASSERT_EQ(found.label(v), expected.labels.label(v)) << v;
  }
}

TEST(stream_giant, answers_are_those_of_a_static_solve) {
  for (const std::uint64_t step : {1u, 5u}) {
    const id_edges all = giant_with_gaps(step);
    for (const unsigned workers : {1u, 4u}) {
      for (const bool declared : {false, true}) {
        streaming::streaming_sink sink{workers, host_memory()};
        const std::uint64_t slots = 25000 * step;
        feed(sink, all, workers, 1000, declared ? std::optional{slots} : std::nullopt);
        expect_answer(sink.take_labelling(), all, slots);
        if (HasFatalFailure()) return;
      }
    }
  }
}

template <bool Shared>
void raises_bits_of_the_giant_alone(unsigned workers) {
  constexpr std::uint32_t n = 100000;
  std::vector<std::uint32_t> words(n, 0);
  const streaming::flat_words<std::uint32_t> forest{words.data()};
  streaming::stream_giant<std::uint32_t> giant{n, host_memory()};
  id_edges all;  // a star over the even vertices below 90000; pairs of the others
  for (std::uint32_t turn = 0; turn < 4; ++turn) {
    for (std::uint32_t v = 2; v < 90000; v += 2) {
      all.push_back({v, 0});
      if (v % 20 == 0) all.push_back({v + 1, v + 3});
    }
  }
  std::atomic<std::size_t> next{0};
  const auto unite_rest = [&](unsigned) {
    const streaming::parents_of<Shared, streaming::flat_words<std::uint32_t>> parents{forest};
    for (std::size_t at = next.fetch_add(500); at < all.size(); at = next.fetch_add(500)) {
      EXPECT_TRUE(streaming::unite_batch<Shared>(giant, forest, std::span{all}.subspan(at, std::min<std::size_t>(500, all.size() - at)), n,
                                                 [&](std::uint32_t v) {
                                                   parents.appear(v);
                                                   return true;
                                                 }));
    }
  };
  on_workers(workers, unite_rest);
  // Workers that stood still for long may have left the last look to nobody: as many edges again are sure to bring one.
  next = 0;
  unite_rest(0);
  const auto inside = giant.inside();
  ASSERT_NE(inside.words, nullptr);
  std::size_t raised = 0;
  for (std::uint32_t v = 0; v < n; ++v) {
    raised += inside.has(v);
    ASSERT_FALSE(inside.has(v) && (v % 2 == 1 || v >= 90000)) << v;
  }
  EXPECT_GT(raised, 40000u);
}

TEST(stream_giant, one_worker_raises_bits_of_the_giant_alone) { raises_bits_of_the_giant_alone<false>(1); }
TEST(stream_giant, workers_share_the_chunks) { raises_bits_of_the_giant_alone<true>(4); }

TEST(stream_giant, without_memory_for_bits_no_giant_is_known_and_nothing_fails) {
  const id_edges all = giant_with_gaps(1);
  failing_memory memory;
  streaming::stream_giant<std::uint32_t> giant{1u << 20, &memory};
  memory.fail_after(0);
  std::vector<std::uint32_t> words(1u << 20, 0);
  const streaming::flat_words<std::uint32_t> forest{words.data()};
  const streaming::plain_inverted<streaming::flat_words<std::uint32_t>> parents{forest};
  EXPECT_TRUE(streaming::unite_batch<false>(giant, forest, all, 25000, [&](std::uint32_t v) {
    parents.appear(v);
    return true;
  }));
  EXPECT_TRUE(streaming::unite_batch<false>(giant, forest, all, 25000, [](std::uint32_t) { return true; }));
  memory.never_fail();
}

}  // namespace
}  // namespace copse::test
