// Tables of strings: strings of one hash, strings that differ in one byte, and strings of all lengths are told apart.
#include <gtest/gtest.h>
#include <copse/errors.hpp>
#include <core/seeded_hash.hpp>
#include <ids/arrival_numbers.hpp>
#include <ids/id_map.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <core/team.hpp>
#include "support/failing_memory.hpp"

namespace copse::test {
namespace {

class numbered_strings {
public:
  explicit numbered_strings(const seeded_hash& hash = {}, unsigned workers = 1) : table_{host_memory(), hash}, workers_(workers) {}

  /// The numbers of the strings, which workers look up piece by piece.
  std::vector<std::uint32_t> number(const std::vector<std::string>& strings) {
    constexpr std::size_t piece = 500;
    std::vector<std::uint32_t> numbers(strings.size());
    on_workers(static_cast<unsigned>(workers_.size()), [&](unsigned w) {
      auto& [run, scratch] = workers_[w];
      const auto on_new = [](std::uint32_t) {};
      for (std::size_t begin = w * piece; begin < strings.size(); begin += workers_.size() * piece) {
        const std::size_t count = std::min(piece, strings.size() - begin);
        std::copy_n(strings.begin() + static_cast<std::ptrdiff_t>(begin), count, scratch->keys.begin());
        table_.look_up(*scratch, count, w, workers_.size() > 1,
                       ids::numbering<decltype(on_new)>{arrivals_, run, scratch->indices.data(), on_new});
        std::copy_n(scratch->indices.begin(), count, numbers.begin() + static_cast<std::ptrdiff_t>(begin));
      }
    });
    return numbers;
  }
  [[nodiscard]] const ids::string_numbers& table() const { return table_; }

private:
  struct worker {
    ids::arrival_numbers::run run;
    std::unique_ptr<ids::lookup_scratch<std::string_view>> scratch = std::make_unique<ids::lookup_scratch<std::string_view>>();
  };
  ids::string_numbers table_;
  ids::arrival_numbers arrivals_;
  std::vector<worker> workers_;
};

/// Every string has a number of its own, which it keeps, and comes back from the table.
void expect_all_told_apart(const std::vector<std::string>& strings, const seeded_hash& hash = {}) {
  for (const unsigned workers : {1u, 7u}) {
    numbered_strings map{hash, workers};
    const auto numbers = map.number(strings);
    std::map<std::string, std::uint32_t> known;
    std::set<std::uint32_t> used;
    for (std::size_t i = 0; i < strings.size(); ++i) {
      const auto [at, is_new] = known.emplace(strings[i], numbers[i]);
      ASSERT_TRUE(!is_new || used.insert(numbers[i]).second) << "a number of two strings, string " << i;
      ASSERT_EQ(at->second, numbers[i]) << "a second number of string " << i;
    }
    EXPECT_EQ(map.number(strings), numbers);
    std::map<std::string, std::uint32_t> kept;
    map.table().for_each([&](std::string_view string, const ids::id_number& number) { kept.emplace(string, number.index); });
    EXPECT_EQ(map.table().size(), known.size());
    EXPECT_EQ(kept, known);
  }
}

constexpr std::uint64_t secret = 0x9E3779B97F4A7C15u;
constexpr seeded_hash known_hash{0xD1B54A32D192ED03u, secret};

/// The strings with eight bytes more, which are the secret factor of the hash: the product is zero, whatever stands before them.
std::vector<std::string> of_one_hash(std::vector<std::string> strings) {
  std::string factor(sizeof secret, '\0');
  std::memcpy(factor.data(), &secret, sizeof secret);
  for (std::string& string : strings) {
    string += factor;
    EXPECT_EQ(known_hash(string), known_hash(factor + factor));
  }
  return strings;
}

TEST(string_table, strings_of_one_hash_are_told_apart) {
  std::vector<std::string> strings;
  for (int i = 10'000; i < 12'000; ++i) strings.push_back("name-" + std::to_string(i));
  strings = of_one_hash(std::move(strings));
  for (int i = 0; i < 2'000; ++i) strings.push_back("another-" + std::to_string(i));
  strings.insert(strings.end(), strings.begin(), strings.begin() + 3'000);
  expect_all_told_apart(strings, known_hash);
}

TEST(string_table, strings_that_differ_in_one_byte_are_told_apart) {
  std::vector<std::string> strings{""};
  for (std::size_t length = 1; length < 40; ++length) {
    const std::string same(length, 'a');
    strings.push_back(same);
    for (std::size_t at = 0; at < length; ++at) {
      for (const char other : {'b', '\0', '\xff'}) {
        std::string string = same;
        string[at] = other;
        strings.push_back(string);
      }
    }
  }
  expect_all_told_apart(strings);
  strings.erase(strings.begin());
  expect_all_told_apart(of_one_hash(std::move(strings)), known_hash);
}

TEST(string_table, strings_of_all_lengths_are_kept) {
  std::vector<std::string> strings;
  for (std::size_t length = 0; length < 600; ++length) strings.push_back(std::string(length, static_cast<char>('a' + length % 7)));
  for (const std::size_t bytes : {4'095u, 4'096u, 16'383u, 16'384u, 262'143u, 262'144u, 300'000u, 1u << 21}) {
    strings.push_back(std::string(bytes, 'x'));
    strings.push_back(std::string(bytes, 'y'));
  }
  for (int i = 0; i < 100'000; ++i) strings.push_back(std::to_string(i));  // behind the long ones, so that tables grow over them
  expect_all_told_apart(strings);
}

// A table frees its slots before it allocates more of them, to save memory.
TEST(string_table, is_never_wrong_after_memory_ran_out) {
  constexpr std::size_t count = 60'000;
  std::vector<std::string> strings;
  for (std::size_t i = 0; i < count; ++i) strings.push_back("string " + std::to_string(i));
  std::size_t refused = 0;
  for (std::uint64_t allowed = 0; allowed < 400; allowed += 7) {
    failing_memory memory;
    ids::id_map<std::string_view> map{1, &memory};
    std::map<std::string_view, std::uint32_t> known;
    const auto pieces = [&](auto visit) {
      const auto room = map.room(0);
      for (std::size_t begin = 0; begin < count; begin += room.size()) {
        const std::size_t n = std::min(room.size(), count - begin);
        std::copy_n(strings.begin() + static_cast<std::ptrdiff_t>(begin), n, room.begin());
        visit(begin, n);
      }
    };
    const auto add = [&](std::size_t begin, std::size_t n) {
      const auto numbers = map.number(0, n, false);
      for (std::size_t i = 0; i < n; ++i) known.emplace(strings[begin + i], numbers[i]);
    };
    const auto find = [&](std::size_t begin, std::size_t n) {
      const auto numbers = map.find(0, n);
      for (std::size_t i = 0; i < n; ++i) {
        const auto place = known.find(strings[begin + i]);
        if (place != known.end()) {
          ASSERT_EQ(numbers[i], place->second) << strings[begin + i];
        }
      }
    };
    static_cast<void>(map.room(0));
    memory.fail_after(allowed);
    EXPECT_THROW(pieces(add), resource_error) << allowed;
    memory.never_fail();
    try {
      pieces(find);
    } catch (const resource_error&) {
      ++refused;
    }
    pieces(add);
    pieces(find);
    EXPECT_EQ(known.size(), count);
  }
  EXPECT_NE(refused, 0u) << "memory ran out while a shard had no slots";
}

}  // namespace
}  // namespace copse::test
