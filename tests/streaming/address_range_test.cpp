// Reserved addresses whose pages are counted when they are touched, and become huge ones where most of them are worth it.
#include <gtest/gtest.h>
#include <copse/errors.hpp>
#include <copse/memory.hpp>
#include <drivers/streaming/address_range.hpp>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace copse::test {
namespace {

using streaming::address_range;

constexpr std::uint64_t huge_pages = 512;  // small ones in a huge one
constexpr std::uint64_t range_bytes = std::uint64_t{64} << 20;

std::uint64_t& word_of(const address_range& range, std::uint64_t page) {
  return static_cast<std::uint64_t*>(range.data())[page * address_range::page_bytes / sizeof(std::uint64_t)];
}

/// Touches every `step`-th of the first pages, and writes its number there.
void touch_every(address_range& range, std::uint64_t step, std::uint64_t pages) {
  for (std::uint64_t page = 0; page < pages; page += step) {
    range.touch(page);
    word_of(range, page) = page + 1;
  }
}

TEST(address_range, few_pages_are_counted_one_by_one) {
  tracked_memory memory;
  {
    const auto range = address_range::reserve(range_bytes, &memory);
    const std::uint64_t bitmap = memory.current_bytes();
    touch_every(*range, 16, 1024);
    EXPECT_EQ(range->touched_bytes(), 64 * address_range::page_bytes);
    EXPECT_EQ(memory.current_bytes() - bitmap, range->touched_bytes());
    EXPECT_FALSE(range->touched(1));
  }
  EXPECT_EQ(memory.current_bytes(), 0u);
}

TEST(address_range, many_pages_take_those_between_them_and_keep_what_they_hold) {
  tracked_memory memory;
  {
    const auto range = address_range::reserve(range_bytes, &memory);
    const std::uint64_t bitmap = memory.current_bytes();
    touch_every(*range, 4, 8 * huge_pages);  // 4 MiB
    EXPECT_EQ(range->touched_bytes(), 8 * huge_pages * address_range::page_bytes);
    EXPECT_EQ(memory.current_bytes() - bitmap, range->touched_bytes());
    for (std::uint64_t page = 0; page < 8 * huge_pages; ++page) ASSERT_EQ(word_of(*range, page), page % 4 == 0 ? page + 1 : 0);
    touch_every(*range, 100, 16 * huge_pages);  // sparse ones stay small
    EXPECT_LT(range->touched_bytes(), 9 * huge_pages * address_range::page_bytes);
  }
  EXPECT_EQ(memory.current_bytes(), 0u);
}

TEST(address_range, without_memory_for_more_pages_stay_small) {
  tracked_memory memory{std::uint64_t{5} << 20};
  const auto range = address_range::reserve(range_bytes, &memory);
  touch_every(*range, 8, 8 * huge_pages);
  touch_every(*range, 8, 16 * huge_pages);
  const std::uint64_t before = range->touched_bytes();
  EXPECT_LE(memory.current_bytes(), std::uint64_t{5} << 20);
  EXPECT_THROW(touch_every(*range, 1, 16 * huge_pages), resource_error);
  EXPECT_GE(range->touched_bytes(), before);
  for (std::uint64_t page = 0; page < 16 * huge_pages; page += 8) ASSERT_EQ(word_of(*range, page), page + 1);
}

TEST(address_range, threads_touch_the_same_pages) {
  tracked_memory memory;
  {
    const auto range = address_range::reserve(range_bytes, &memory);
    const std::uint64_t bitmap = memory.current_bytes();
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < 4; ++t) {
      threads.emplace_back([&range, t] {
        for (std::uint64_t page = t % 2; page < 16 * huge_pages; page += 2) {
          range->touch(page);
          const std::atomic_ref<std::uint64_t> word{word_of(*range, page)};
          word.fetch_add(1);
        }
      });
    }
    for (auto& thread : threads) thread.join();
    for (std::uint64_t page = 0; page < 16 * huge_pages; ++page) ASSERT_EQ(word_of(*range, page), 2u);
    EXPECT_EQ(range->touched_bytes(), 16 * huge_pages * address_range::page_bytes);
    EXPECT_EQ(memory.current_bytes() - bitmap, range->touched_bytes());
  }
  EXPECT_EQ(memory.current_bytes(), 0u);
}

}  // namespace
}  // namespace copse::test
