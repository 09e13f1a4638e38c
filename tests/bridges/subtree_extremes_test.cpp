// Extremes over subtrees against loops over their ranges, with chunks so small that subtrees span many of them.
#include <gtest/gtest.h>
#include <drivers/bridges/spread_upwards.hpp>
#include <loops/serial.hpp>
#include <loops/threads.hpp>
#include <support/zoo.hpp>

#include <algorithm>

namespace copse::test {
namespace {

/// A random forest in preorder: each vertex hangs on a vertex of the path to the one before it, or is a root.
struct preorder_forest {
  std::vector<std::uint32_t> parents, ends;
  preorder_forest(std::uint32_t n, unsigned up, zoo_detail::dice& random) : parents(n), ends(n) {
    for (std::uint32_t p = 0; p < n; ++p) {
      std::uint32_t above = p == 0 ? 0 : p - 1;
      for (std::uint32_t steps = random.below(up); steps > 0 && parents[above] != above; --steps) above = parents[above];
      parents[p] = p == 0 || random.below(50) == 0 ? p : above;
    }
    for (std::uint32_t p = 0; p < n; ++p) ends[p] = p + 1;
    for (std::uint32_t p = n; p-- > 0;) ends[parents[p]] = std::max(ends[parents[p]], ends[p]);
  }
};

TEST(subtree_extremes, are_those_of_the_ranges) {
  zoo_detail::dice random{5};
  for (const std::uint32_t n : {0u, 1u, 2u, 17u, 200u, 1000u}) {
    for (const unsigned up : {1u, 3u, 40u}) {
      const preorder_forest forest{n, up, random};
      std::vector<std::uint32_t> values(n);
      for (auto& value : values) value = random.below(10 * n);
      for (const std::size_t chunk : {1u, 2u, 7u, 64u, 4096u}) {
        const auto check = [&](const auto& loops, auto combine, const auto& extreme) {
          auto spread = values;
          drivers::spread_upwards(
              loops, n, [&](std::size_t p) -> auto& { return spread[p]; }, [&](std::size_t p) { return forest.parents[p]; },
              [&](std::size_t p) { return forest.ends[p]; }, combine, host_memory(), chunk);
          for (std::uint32_t p = 0; p < n; ++p) {
            ASSERT_EQ(spread[p], *extreme(values.begin() + p, values.begin() + forest.ends[p]))
                << n << ' ' << up << ' ' << chunk << ' ' << p;
          }
        };
        const auto least = [](auto first, auto last) { return std::min_element(first, last); };
        const auto greatest = [](auto first, auto last) { return std::max_element(first, last); };
        check(
            backend::serial{}, [](auto a, auto b) { return std::min(a, b); }, least);
        check(
            backend::threads{3}, [](auto a, auto b) { return std::max(a, b); }, greatest);
      }
    }
  }
}

}  // namespace
}  // namespace copse::test
