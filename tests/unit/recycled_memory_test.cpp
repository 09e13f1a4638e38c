// Arrays that are freed serve those of similar sizes that come after them; what waits goes back when memory ends.
#include <copse/errors.hpp>
#include <copse/memory.hpp>
#include <core/recycled_memory.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

namespace copse::test {
namespace {

constexpr std::size_t large = std::size_t{5} << 20;  // words: several pages of 2 MiB, and a part of one

TEST(recycled_memory, gives_an_array_that_was_freed_to_one_of_a_similar_size) {
  for (const unsigned threads : {1u, 2u, 4u}) {
    tracked_memory upstream;
    recycled_memory memory{&upstream, threads};
    const void* first = nullptr;
    {
      buffer<std::uint32_t> words{large, &memory};
      first = words.data();
      std::ranges::fill(words.span(), 7u);
      EXPECT_TRUE(std::ranges::all_of(words.span(), [](std::uint32_t w) { return w == 7; }));
    }
    const std::uint64_t taken = upstream.current_bytes();
    EXPECT_GE(taken, large * sizeof(std::uint32_t)) << "it waits";
    {
      const buffer<std::uint32_t> again{large - large / 4, &memory};
      EXPECT_EQ(again.data(), first) << threads;
      const buffer<std::uint32_t> beside{large, &memory};
      EXPECT_NE(beside.data(), first) << threads;
    }
    const buffer<std::uint32_t> few{large / 4, &memory};
    EXPECT_NE(few.data(), first) << "an array of twice the size would hold too much";
  }
}

TEST(recycled_memory, gives_back_what_waits_before_memory_ends) {
  tracked_memory upstream{3 * large};  // bytes
  recycled_memory memory{&upstream, 2};
  { const buffer<std::byte> waits{2 * large, &memory}; }
  const buffer<std::byte> other{large / 2 * 5, &memory};
  EXPECT_EQ(upstream.current_bytes(), large / 2 * 5);
  EXPECT_THROW((buffer<std::byte>{large, &memory}), resource_error);
}

}  // namespace
}  // namespace copse::test
