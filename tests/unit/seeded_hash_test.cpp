// The hash of ids and strings that come from files: spreads sets with structure, and nobody outside the process can foresee it.
#include <gtest/gtest.h>
#include <core/seeded_hash.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace copse::test {
namespace {

constexpr std::size_t keys = 1 << 16, buckets = 1 << 10;

/// Tables choose by the highest bits and by the low 32. With 64 keys per bucket on average, 3 times as many is bad luck beyond any chance.
template <class Key>
void expect_spread(const std::vector<Key>& set, const std::string& name) {
  const seeded_hash hash;
  std::array<std::uint32_t, buckets> high{}, low{};
  for (const Key& key : set) {
    const std::uint64_t h = hash(key);
    ++high[h >> 54];
    ++low[(h & 0xffffffffu) >> 22];
  }
  EXPECT_LT(*std::ranges::max_element(high), 3 * keys / buckets) << name;
  EXPECT_LT(*std::ranges::max_element(low), 3 * keys / buckets) << name;
}

/// Ids that an unseeded mixer of two multiplications, known to everybody, sends to one slot: the mixer run backwards.
std::vector<std::uint64_t> crafted() {
  const auto inverse = [](std::uint64_t odd) {
    std::uint64_t x = odd;
    for (int i = 0; i < 6; ++i) x *= 2 - odd * x;
    return x;
  };
  const auto unshift = [](std::uint64_t x, unsigned by) {
    std::uint64_t before = x;
    for (unsigned done = by; done < 64; done += by) before = x ^ before >> by;
    return before;
  };
  std::vector<std::uint64_t> ids;
  for (std::uint64_t i = 0; i < keys; ++i) {
    std::uint64_t x = unshift(i << 34, 32) * inverse(0xd6e8feb86659fd93u);
    x = unshift(x, 28) * inverse(0x9fb21c651e98df25u);
    ids.push_back(unshift(x, 32));
  }
  return ids;
}

TEST(seeded_hash, spreads_ids_with_structure) {
  for (const unsigned shift : {0u, 1u, 8u, 20u, 32u, 40u, 47u}) {
    std::vector<std::uint64_t> ids;
    for (std::uint64_t i = 0; i < keys; ++i) ids.push_back(i << shift);
    std::ranges::reverse(ids);
    expect_spread(ids, "multiples of 2^" + std::to_string(shift));
  }
  expect_spread(crafted(), "crafted");
}

TEST(seeded_hash, spreads_strings_with_structure) {
  for (const std::string tail : {"", "a", "12345678", "a long tail that all of them share"}) {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < keys; ++i) words.push_back(std::to_string(i) + tail);
    expect_spread(words, tail);
  }
  const seeded_hash hash;
  EXPECT_NE(hash(std::string_view{}), hash(std::string_view{"\0", 1})) << "the length counts";
}

// Run by the next test in processes of their own.
TEST(seeded_hash, tells_its_value) {
  EXPECT_EQ(seeded_hash{}(std::uint64_t{1}), seeded_hash{}(std::uint64_t{1})) << "one process has one seed";
  std::printf("value %016lx\n", static_cast<unsigned long>(seeded_hash{}(std::uint64_t{1})));
}

TEST(seeded_hash, differs_from_process_to_process) {
  const std::string command = std::filesystem::read_symlink("/proc/self/exe").string() +
                              " --gtest_filter=seeded_hash.tells_its_value --gtest_output= | grep ^value";
  std::set<std::string> values;
  for (int i = 0; i < 3; ++i) {
    FILE* pipe = popen(("env -u GTEST_TOTAL_SHARDS -u GTEST_SHARD_INDEX -u GTEST_OUTPUT " + command).c_str(), "r");
    ASSERT_NE(pipe, nullptr);
    std::array<char, 64> line{};
    ASSERT_NE(std::fgets(line.data(), line.size(), pipe), nullptr);
    pclose(pipe);
    values.insert(line.data());
  }
  EXPECT_EQ(values.size(), 3u);
}

}  // namespace
}  // namespace copse::test
