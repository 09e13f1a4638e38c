// The bars on peak anonymous memory, measured by the kernel's count while a synthetic stream of four million vertices goes by:
// below 12 bytes per vertex plus 64 MiB for dense ids, 40 plus 64 MiB for sparse ones, 40 plus the bytes plus 64 MiB for strings.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "drive.hpp"
#include "support/sanitized.hpp"

namespace copse::test {
namespace {

using streaming::streaming_sink;

std::uint64_t anonymous_bytes() {
  std::ifstream status{"/proc/self/status"};
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("RssAnon:")) return std::stoull(line.substr(8)) * 1024;
  }
  return 0;
}

/// The most anonymous memory above what there was before, sampled every half millisecond while `work` runs.
template <class Work>
std::uint64_t peak_of(Work work) {
  const std::uint64_t before = anonymous_bytes();
  std::atomic<std::uint64_t> peak{before};
  {
    const std::jthread sampler{[&](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        peak = std::max(peak.load(), anonymous_bytes());
        std::this_thread::sleep_for(std::chrono::microseconds{500});
      }
    }};
    work();
  }
  return peak - before;
}

constexpr std::uint64_t vertices = 4'000'000;
constexpr std::uint64_t bar_slack = std::uint64_t{64} << 20;
constexpr std::size_t batch_edges = 1024;

/// Batches of edges that are never held: a pass over all vertices in scattered order, then random pairs.
template <class Emit>
void scattered_pairs(std::uint64_t edges, Emit emit) {
  std::mt19937_64 random{1};
  for (std::uint64_t i = 0; i < edges; ++i) {
    const std::uint64_t u = i < vertices ? i * 1'000'003 % vertices : random() % vertices;
    emit(u, i % 3 == 0 ? random() % vertices : u);
  }
}

template <class Name>
std::uint64_t peak_of_integers(Name name) {
  return peak_of([&] {
    streaming_sink sink{1, host_memory()};
    sink.begin({.vertices = std::nullopt, .edges = std::nullopt, .workers = 1, .named = false});
    id_edges batch;
    scattered_pairs(2 * vertices, [&](std::uint64_t u, std::uint64_t v) {
      batch.push_back({name(u), name(v)});
      if (batch.size() < batch_edges) return;
      sink.edges(0, {.ids = batch});
      batch.clear();
    });
    sink.edges(0, {.ids = batch});
    const auto labels = sink.take_labelling();
    EXPECT_GE(labels.slots(), vertices);
  });
}

class memory_bar : public ::testing::Test {
protected:
  void SetUp() override {
    if (sanitized) GTEST_SKIP() << "a sanitizer's own memory would be counted";
    malloc_trim(0);
  }
};

TEST_F(memory_bar, dense_ids) {
  const auto peak = peak_of_integers([](std::uint64_t v) { return v; });
  EXPECT_LT(peak, 12 * vertices + bar_slack);
  fmt::print("{:.1f} bytes per vertex\n", static_cast<double>(peak) / vertices);
}

TEST_F(memory_bar, dense_ids_with_gaps) {
  const auto peak = peak_of_integers([](std::uint64_t v) { return v * 4; });
  EXPECT_LT(peak, 40 * vertices + bar_slack);
  fmt::print("{:.1f} bytes per vertex\n", static_cast<double>(peak) / vertices);
}

TEST_F(memory_bar, sparse_ids_below_2_32) {
  const auto peak = peak_of_integers([](std::uint64_t v) { return v * 1073; });
  EXPECT_LT(peak, 40 * vertices + bar_slack);
  fmt::print("{:.1f} bytes per vertex\n", static_cast<double>(peak) / vertices);
}

TEST_F(memory_bar, sparse_ids_of_64_bits) {
  const auto peak = peak_of_integers([](std::uint64_t v) { return v * 0x9e3779b97f4a7c15u; });
  EXPECT_LT(peak, 40 * vertices + bar_slack);
  fmt::print("{:.1f} bytes per vertex\n", static_cast<double>(peak) / vertices);
}

TEST_F(memory_bar, string_ids) {
  std::uint64_t name_bytes = 0;
  for (std::uint64_t v = 0; v < vertices; ++v) name_bytes += fmt::formatted_size("id{}", v);
  const auto peak = peak_of([&] {
    streaming_sink sink{1, host_memory()};
    sink.begin({.vertices = std::nullopt, .edges = std::nullopt, .workers = 1, .named = true});
    string_edges texts;
    std::vector<io::named_edge> batch;
    const auto flush = [&] {
      for (const auto& [u, v] : texts) batch.push_back({u, v});
      sink.edges(0, {.names = batch});
      batch.clear();
      texts.clear();
    };
    scattered_pairs(vertices, [&](std::uint64_t u, std::uint64_t v) {
      texts.emplace_back(fmt::format("id{}", u), fmt::format("id{}", v));
      if (texts.size() == batch_edges) flush();
    });
    flush();
    EXPECT_EQ(sink.take_labelling().slots(), vertices);
  });
  EXPECT_LT(peak, 40 * vertices + name_bytes + bar_slack);
  fmt::print("{:.1f} bytes per vertex, {:.1f} of them the string\n", static_cast<double>(peak) / vertices,
             static_cast<double>(name_bytes) / vertices);
}

}  // namespace
}  // namespace copse::test
