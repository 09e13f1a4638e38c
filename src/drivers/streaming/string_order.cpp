#include "string_order.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "parallel_sort.hpp"

namespace copse::streaming {
namespace {

constexpr std::size_t worth_sharing = std::size_t{1} << 16;

void load_keys(std::span<string_entry> entries, const string_table& table, std::size_t depth) {
  for (string_entry& entry : entries) {
    const auto tail = table.at(entry.where).bytes.substr(depth);
    entry.key = 0;
    for (std::size_t i = 0; i < 8; ++i) entry.key = entry.key << 8 | (i < tail.size() ? static_cast<unsigned char>(tail[i]) : 0u);
    entry.bytes_left = std::min<std::size_t>(tail.size(), 9) & 0xffu;
  }
}

// A string that ends inside the eight bytes comes before one that continues with zero bytes.
bool precedes(const string_entry& a, const string_entry& b) { return a.key != b.key ? a.key < b.key : a.bytes_left < b.bytes_left; }

struct task {
  std::span<string_entry> entries;
  std::size_t depth;
};

}  // namespace

void sort_strings(std::span<string_entry> entries, const string_table& table, unsigned threads) {
  std::vector<task> tasks{{entries, 0}};  // not recursion: as deep as the longest common prefix
  while (!tasks.empty()) {
    const auto [range, depth] = tasks.back();
    tasks.pop_back();
    const unsigned crew = range.size() < worth_sharing ? 1 : threads;
    parallel_blocks(crew, range.size(), worth_sharing, [&, all = range, at = depth](std::size_t begin, std::size_t end) {
      load_keys(all.subspan(begin, end - begin), table, at);
    });
    parallel_sort(range, precedes, crew);
    for (std::size_t begin = 0; begin < range.size();) {
      std::size_t end = begin + 1;
      while (end < range.size() && !precedes(range[begin], range[end])) ++end;
      if (end - begin > 1) tasks.push_back({range.subspan(begin, end - begin), depth + 8});
      begin = end;
    }
  }
}

}  // namespace copse::streaming
