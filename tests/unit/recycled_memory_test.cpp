// Arrays that are freed serve those that come after them, several smaller ones too; what waits goes back when memory ends.
#include <copse/errors.hpp>
#include <copse/memory.hpp>
#include <core/recycled_memory.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

namespace copse::test {
namespace {

constexpr std::size_t large = std::size_t{5} << 20;  // words: several pages of 2 MiB, and a part of one

TEST(recycled_memory, gives_memory_that_was_freed_to_arrays_of_at_most_its_size) {
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
    const std::uint64_t held = upstream.current_bytes();
    {
      const buffer<std::uint32_t> quarter{large / 4, &memory}, half{large / 2, &memory}, other_quarter{large / 4, &memory};
      EXPECT_EQ(quarter.data(), first) << threads;
      EXPECT_EQ(half.data(), quarter.data() + large / 4) << "each takes a part of what the one before has left";
      EXPECT_EQ(other_quarter.data(), half.data() + large / 2);
    }
    const buffer<std::uint32_t> whole_again{large, &memory};
    EXPECT_EQ(whole_again.data(), first) << "parts that are free become one";
    EXPECT_EQ(upstream.current_bytes(), held) << "none of these took new memory";
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
