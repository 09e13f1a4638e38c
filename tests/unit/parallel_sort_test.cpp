// Sorting by comparisons on all threads.
#include <gtest/gtest.h>
#include <core/parallel_sort.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace copse::test {
namespace {

TEST(parallel_sort, sorts_any_number_of_elements_on_any_number_of_threads) {
  struct element {
    std::uint32_t key, number;
    auto operator<=>(const element&) const = default;
  };
  std::mt19937 random{1};
  for (const std::uint32_t size : {0u, 1u, 4095u, 4096u, 5001u, 40000u, 131072u}) {
    for (const std::uint32_t keys : {1u, 3u, 1u << 30}) {
      std::vector<element> shuffled(size);
      for (std::uint32_t i = 0; i < size; ++i) shuffled[i] = {static_cast<std::uint32_t>(random() % keys), i};
      std::shuffle(shuffled.begin(), shuffled.end(), random);
      std::vector<element> expected = shuffled;
      std::sort(expected.begin(), expected.end());
      for (const unsigned threads : {1u, 2u, 3u, 7u, 16u}) {
        SCOPED_TRACE(std::to_string(size) + " elements, " + std::to_string(threads) + " threads");
        std::vector<element> found = shuffled;
        parallel_sort(std::span{found}, std::less{}, threads);
        ASSERT_EQ(found, expected);
      }
    }
  }
}

}  // namespace
}  // namespace copse::test
