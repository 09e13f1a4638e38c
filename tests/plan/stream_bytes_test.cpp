// bytes_of_stream() against the peak of components() of a file: within a factor of 1.5, whatever the ids are like.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <copse/components.hpp>
#include <copse/memory.hpp>
#include <copse/plan.hpp>

#include <cstdint>
#include <fstream>
#include <functional>
#include <random>
#include <string>

#include "support/temporary_folder.hpp"

namespace copse::test {
namespace {

struct named_list {
  const char* what;
  std::uint64_t vertices;
  std::function<std::string(std::uint64_t)> name;
};

/// A list in which every vertex occurs, two edges for each.
void write_list(const named_list& list, const std::filesystem::path& path) {
  std::ofstream text{path};
  std::mt19937_64 random{1};
  for (std::uint64_t i = 0; i < 2 * list.vertices; ++i) {
    text << list.name(i % list.vertices) << ' ' << list.name(random() % list.vertices) << '\n';
  }
}

/// Ids ascend with the vertices, strings are longer than a digit or have one letter in front.
graph_size size_of_named(const named_list& list) {
  graph_size size{.vertices = list.vertices, .edges = 2 * list.vertices};
  const std::string last = list.name(list.vertices - 1);
  if (last.find_first_not_of("0123456789") == last.npos) {
    size.slots = std::stoull(last) + 1;
    if (size.slots / 8 > size.vertices) size.ids = id_shape::sparse;
    return size;
  }
  size.ids = id_shape::strings;
  size.slots = list.vertices;
  for (std::uint64_t v = 0; v < list.vertices; ++v) size.string_bytes += list.name(v).size();
  return size;
}

std::function<std::string(std::uint64_t)> times(std::uint64_t factor) {
  return [factor](std::uint64_t v) { return std::to_string(v * factor); };
}

TEST(stream_bytes, are_near_the_peak_of_a_run) {
  const std::vector<named_list> lists{
      {"dense ids", 400'000, times(1)},
      {"every fifth id", 200'000, times(5)},
      {"every ninth id, in an array as it is small", 200'000, times(9)},
      {"few ids far apart, in an array as it is small", 1000, times(10'000)},
      {"ids that move from an array to a table", 100'000, times(1073)},
      {"ids of more than 32 bits", 200'000, times(0x100000001)},
      {"strings, short", 50'000, [](std::uint64_t v) { return fmt::format("r{}", v); }},
      {"strings, short and many", 400'000, [](std::uint64_t v) { return fmt::format("r{}", v); }},
      {"strings of 16 bytes", 200'000, [](std::uint64_t v) { return fmt::format("record-{:09}", v); }},
      {"strings of 56 bytes", 100'000, [](std::uint64_t v) { return fmt::format("https://example.org/some/path/{:026}", v); }},
      {"strings of 201 bytes", 30'000, [](std::uint64_t v) { return fmt::format("r{:0200}", v); }},
  };
  const temporary_folder folder;
  for (const named_list& list : lists) {
    write_list(list, folder / "list.el");
    for (const unsigned threads : {1u, 2u}) {
      tracked_memory memory;
      {
        const execution on{.threads = threads, .memory = &memory};
        const auto solved = components(folder / "list.el", {}, {}, on);
        ASSERT_EQ(summarise(solved.labels, 0, on).vertices, list.vertices) << list.what;
      }
      const auto expected = static_cast<double>(bytes_of_stream(size_of_named(list)));
      const double ratio = expected / static_cast<double>(memory.peak_bytes());
      EXPECT_GE(ratio, 1 / 1.5) << list.what << ": expected " << expected << ", peak " << memory.peak_bytes();
      EXPECT_LE(ratio, 1.5) << list.what << ": expected " << expected << ", peak " << memory.peak_bytes();
    }
  }
}

}  // namespace
}  // namespace copse::test
