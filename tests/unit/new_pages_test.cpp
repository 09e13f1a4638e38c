// Pages touched beside other work: the work is done once, its error comes out, and what is written afterwards stays.
#include <copse/memory.hpp>
#include <core/new_pages.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>

namespace copse::test {
namespace {

TEST(new_pages, work_beside_is_done_once) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{1} << 22}) {
    for (const unsigned threads : {1u, 2u, 4u}) {
      buffer<std::uint32_t> elements(size);
      int times = 0;
      touching_pages_beside(threads, elements.span(), [&] { ++times; });
      EXPECT_EQ(times, 1) << size << ", " << threads;
      std::ranges::fill(elements.span(), 7u);
      EXPECT_TRUE(std::ranges::all_of(elements.span(), [](std::uint32_t x) { return x == 7; }));
    }
  }
}

TEST(new_pages, an_error_of_the_work_comes_out) {
  buffer<std::uint32_t> elements(std::size_t{1} << 22);
  EXPECT_THROW(touching_pages_beside(2, elements.span(), [] { throw std::runtime_error{"no"}; }), std::runtime_error);
}

}  // namespace
}  // namespace copse::test
