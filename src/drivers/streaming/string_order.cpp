#include "string_order.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "parallel_sort.hpp"

namespace copse::streaming {
namespace {

constexpr std::size_t worth_sharing = std::size_t{1} << 16;
static_assert(std::endian::native == std::endian::little, "keys are loaded as words and turned round");

std::size_t common_bytes(std::string_view a, std::string_view b, std::size_t most) {
  most = std::min({most, a.size(), b.size()});
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.begin() + most, b.begin()).first - a.begin());
}

/// How many bytes all strings begin with, `depth` of them known, if a few stand for all.
std::size_t sampled_prefix(std::span<const string_entry> entries, const string_numbers& table, std::size_t depth) {
  constexpr std::size_t samples = 64;
  const std::string_view first = table.at(entries.front().where).bytes;
  std::size_t prefix = first.size();
  for (std::size_t k = 1; k <= samples && prefix > depth; ++k) {
    prefix = common_bytes(first, table.at(entries[k * (entries.size() - 1) / samples].where).bytes, prefix);
  }
  return std::max(prefix, depth);
}

/// Fills in the keys behind `prefix`, and returns how many bytes of that the strings have in common; if these are fewer, in vain.
std::size_t load_keys(std::span<string_entry> entries, const string_numbers& table, std::string_view prefix, std::size_t known) {
  std::size_t common = prefix.size();
  for (string_entry& entry : entries) {
    const std::string_view bytes = table.at(entry.where).bytes;
    if (known < common) common = known + common_bytes(prefix.substr(known), bytes.substr(known), common - known);
    const auto tail = bytes.substr(std::min(prefix.size(), bytes.size()));
    std::uint64_t key = 0;
    if (tail.size() >= 8) {
      std::memcpy(&key, tail.data(), 8);
      key = __builtin_bswap64(key);
    } else {
      for (std::size_t i = 0; i < 8; ++i) key = key << 8 | (i < tail.size() ? static_cast<unsigned char>(tail[i]) : 0u);
    }
    entry.key = key;
    entry.bytes_left = std::min<std::size_t>(tail.size(), 9) & 0xffu;
  }
  return common;
}

// A string that ends inside the eight bytes comes before one that continues with zero bytes.
bool precedes(const string_entry& a, const string_entry& b) { return a.key != b.key ? a.key < b.key : a.bytes_left < b.bytes_left; }

struct task {
  std::span<string_entry> entries;
  std::size_t depth;
};

}  // namespace

void sort_strings(std::span<string_entry> entries, const string_numbers& table, unsigned threads) {
  if (entries.empty()) return;
  std::vector<task> tasks{{entries, 0}};  // not recursion: as deep as the longest common prefix
  while (!tasks.empty()) {
    const auto [range, depth] = tasks.back();
    tasks.pop_back();
    const unsigned crew = range.size() < worth_sharing ? 1 : threads;
    std::size_t prefix = range.size() < worth_sharing ? depth : sampled_prefix(range, table, depth);
    for (;;) {
      std::atomic<std::size_t> common{prefix};
      const std::string_view shared = table.at(range.front().where).bytes.substr(0, prefix);
      parallel_blocks(crew, range.size(), worth_sharing, [&, all = range, known = depth](std::size_t begin, std::size_t end) {
        const std::size_t found = load_keys(all.subspan(begin, end - begin), table, shared, known);
        std::size_t least = common.load();
        while (found < least && !common.compare_exchange_weak(least, found)) {
        }
      });
      if (common == prefix) break;
      prefix = common;
    }
    parallel_sort(range, precedes, crew);
    for (std::size_t begin = 0; begin < range.size();) {
      std::size_t end = begin + 1;
      while (end < range.size() && !precedes(range[begin], range[end])) ++end;
      if (end - begin > 1) {
        const auto alike = range.subspan(begin, end - begin);
        if (alike.front().bytes_left > 8) {
          tasks.push_back({alike, prefix + 8});
        } else {
          for (string_entry& repeated : alike.subspan(1)) repeated.bytes_left = string_entry::repeats_previous;
        }
      }
      begin = end;
    }
  }
}

}  // namespace copse::streaming
