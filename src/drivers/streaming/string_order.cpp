#include "string_order.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/parallel.hpp"
#include "radix_sort.hpp"

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

/// Fills in what a string says, of which `prefix` is passed over.
void load(string_entry& entry, std::string_view bytes, std::size_t prefix) {
  const auto tail = bytes.substr(std::min(prefix, bytes.size()));
  std::uint64_t key = 0;
  if (tail.size() >= 8) {
    std::memcpy(&key, tail.data(), 8);
    key = __builtin_bswap64(key);
  } else {
    for (std::size_t i = 0; i < 8; ++i) key = key << 8 | (i < tail.size() ? static_cast<unsigned char>(tail[i]) : 0u);
  }
  entry.key = key;
  entry.bytes_left = std::min<std::size_t>(tail.size(), 9) & 0xfu;
  entry.length = std::min<std::size_t>(bytes.size(), string_entry::long_string) & 0x3fu;
}

/// How many bytes of a prefix some strings have in common, the first `known` of them for sure.
class common_prefix {
public:
  common_prefix(std::string_view prefix, std::size_t known) : prefix_{prefix}, known_{known}, common_{prefix.size()} {}
  void meet(std::string_view bytes) {
    if (known_ < common_) common_ = known_ + common_bytes(prefix_.substr(known_), bytes.substr(known_), common_ - known_);
  }
  [[nodiscard]] std::size_t size() const { return common_; }

private:
  std::string_view prefix_;
  std::size_t known_, common_;
};

void lower(std::atomic<std::size_t>& to, std::size_t found) {
  std::size_t least = to.load();
  while (found < least && !to.compare_exchange_weak(least, found)) {
  }
}

/// Keys of the entries behind the prefix that all have in common, of which `known` bytes are known; returns how long it is.
std::size_t load_keys(std::span<string_entry> entries, const string_numbers& table, std::size_t known, unsigned threads) {
  std::size_t prefix = entries.size() < worth_sharing ? known : sampled_prefix(entries, table, known);
  for (;;) {
    std::atomic<std::size_t> common{prefix};
    const std::string_view shared = table.at(entries.front().where).bytes.substr(0, prefix);
    parallel_blocks(threads, entries.size(), worth_sharing, [&](std::size_t begin, std::size_t end) {
      common_prefix here{shared, known};
      for (string_entry& entry : entries.subspan(begin, end - begin)) {
        const std::string_view bytes = table.at(entry.where).bytes;
        here.meet(bytes);
        load(entry, bytes, shared.size());
      }
      lower(common, here.size());
    });
    if (common == prefix) return prefix;
    prefix = common;
  }
}

/// The first record of each shard stands for the others: what these begin with.
std::string_view likely_prefix(const string_numbers& table) {
  std::optional<std::string_view> prefix;
  for (unsigned shard = 0; shard < shard_count; ++shard) {
    if (table.size(shard) == 0) continue;
    const std::string_view bytes = table.first_of(shard).bytes;
    prefix = prefix ? prefix->substr(0, common_bytes(*prefix, bytes, prefix->size())) : bytes;
  }
  return prefix.value_or(std::string_view{});
}

// A string that ends inside the eight bytes comes before one that continues with zero bytes.
constexpr auto precedes = [](const string_entry& a, const string_entry& b) {
  return a.key != b.key ? a.key < b.key : a.bytes_left < b.bytes_left;
};

/// Strings that have `depth` bytes in common; their keys are behind these if they are `loaded`.
struct task {
  std::span<string_entry> entries;
  std::size_t depth;
  bool loaded;
};

void sort_all(task whole, const string_numbers& table, unsigned threads) {
  std::vector<task> tasks{whole};  // not recursion: as deep as the longest common prefix
  while (!tasks.empty()) {
    const auto [range, depth, loaded] = tasks.back();
    tasks.pop_back();
    const unsigned crew = range.size() < worth_sharing ? 1 : threads;
    const std::size_t prefix = loaded ? depth : load_keys(range, table, depth, crew);
    if (range.size() >= worth_sharing) squeeze_keys(range, &string_entry::key, crew);
    radix_sort(range, &string_entry::key, precedes, crew);
    for (std::size_t begin = 0; begin < range.size();) {
      std::size_t end = begin + 1;
      while (end < range.size() && !precedes(range[begin], range[end])) ++end;
      if (end - begin > 1) {
        const auto alike = range.subspan(begin, end - begin);
        if (alike.front().bytes_left > 8) {
          tasks.push_back({alike, prefix + 8, false});
        } else {
          for (string_entry& repeated : alike.subspan(1)) repeated.bytes_left = string_entry::repeats_previous;
        }
      }
      begin = end;
    }
  }
}

}  // namespace

buffer<string_entry> sorted_strings(const string_numbers& table, unsigned threads, std::pmr::memory_resource* memory) {
  std::array<std::uint64_t, shard_count + 1> starts{};
  for (unsigned shard = 0; shard < shard_count; ++shard) starts[shard + 1] = starts[shard] + table.size(shard);
  buffer<string_entry> entries{starts.back(), memory};
  if (entries.empty()) return entries;
  const std::string_view prefix = likely_prefix(table);
  std::atomic<std::size_t> common{prefix.size()};
  parallel_blocks(threads, shard_count, 1, [&](std::size_t shard, std::size_t) {
    common_prefix here{prefix, 0};
    string_entry* next = entries.data() + starts[shard];
    table.for_each_record(static_cast<unsigned>(shard), [&](string_numbers::reference where, const string_numbers::record& found) {
      here.meet(found.bytes);
      next->where = where & string_entry::where_mask;
      load(*next++, found.bytes, prefix.size());
    });
    lower(common, here.size());
  });
  // Where the guess was too long, the keys are loaded again.
  sort_all({entries.span(), common == prefix.size() ? prefix.size() : 0, common == prefix.size()}, table, threads);
  return entries;
}

}  // namespace copse::streaming
