#include <ids/string_order.hpp>

#include <core/parallel.hpp>
#include <core/radix_sort.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace copse::ids {
namespace {

constexpr std::size_t worth_sharing = std::size_t{1} << 16;
constexpr std::size_t worth_squeezing = std::size_t{1} << 10;
static_assert(std::endian::native == std::endian::little, "keys are loaded as words and turned round");

std::size_t common_bytes(std::string_view a, std::string_view b, std::size_t most) {
  most = std::min({most, a.size(), b.size()});
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.begin() + most, b.begin()).first - a.begin());
}

/// An estimate, from a sample, of the length of the prefix that all strings have in common. The first `depth` bytes are known to agree.
std::size_t sampled_prefix(std::span<const string_entry> entries, const string_numbers& table, std::size_t depth) {
  constexpr std::size_t samples = 64;
  const std::string_view first = table.at(entries.front().where).bytes;
  std::size_t prefix = first.size();
  for (std::size_t k = 1; k <= samples && prefix > depth; ++k) {
    prefix = common_bytes(first, table.at(entries[k * (entries.size() - 1) / samples].where).bytes, prefix);
  }
  return std::max(prefix, depth);
}

/// The bytes after a prefix; empty if the string is shorter.
std::string_view behind(std::string_view bytes, std::size_t prefix) { return bytes.substr(std::min(prefix, bytes.size())); }

/// The first eight bytes as a big-endian number, padded with zeros.
std::uint64_t key_of(std::string_view tail) {
  std::uint64_t key = 0;
  if (tail.size() >= 8) {
    std::memcpy(&key, tail.data(), 8);
    key = __builtin_bswap64(key);
  } else {
    for (std::size_t i = 0; i < 8; ++i) key = key << 8 | (i < tail.size() ? static_cast<unsigned char>(tail[i]) : 0u);
  }
  return key;
}

/// Fills an entry with the key and length of a string, skipping `prefix` bytes.
void load(string_entry& entry, std::string_view bytes, std::size_t prefix) {
  const auto tail = behind(bytes, prefix);
  entry.key = key_of(tail);
  entry.bytes_left = std::min<std::size_t>(tail.size(), 9) & 0xfu;
  entry.length = std::min<std::size_t>(bytes.size(), string_entry::long_string) & 0x3fu;
}

/// Determines the length of the prefix that several strings have in common, given that the first `known` bytes agree.
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

/// Loads the keys of the entries: the eight bytes after the prefix that all strings have in common, given that the first `known` bytes
/// agree. Returns the length of the prefix.
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

/// The longest common prefix of the strings of a sample.
std::string_view prefix_of(std::span<const std::string_view> sample) {
  std::string_view prefix = sample.empty() ? std::string_view{} : sample.front();
  for (const std::string_view bytes : sample) prefix = prefix.substr(0, common_bytes(prefix, bytes, prefix.size()));
  return prefix;
}

/// Ranges of keys with about equally many strings each. If strings are written straight to their ranges, the sort need not distribute them
/// in a first pass, which would be sequential.
class key_ranges {
public:
  static constexpr unsigned count = 256;
  using counts = std::array<std::uint64_t, count>;

  key_ranges(std::span<const std::string_view> sample, std::size_t prefix) {
    std::vector<std::uint64_t> keys(sample.size());
    std::transform(sample.begin(), sample.end(), keys.begin(), [prefix](std::string_view bytes) { return key_of(behind(bytes, prefix)); });
    std::sort(keys.begin(), keys.end());
    for (unsigned i = 0; i + 1 < count; ++i) first_keys_[i] = keys.empty() ? 0 : keys[(i + 1) * keys.size() / count];
  }

  /// The number of the range that contains the key, found without branches.
  [[nodiscard]] unsigned of(std::uint64_t key) const noexcept {
    unsigned range = 0;
    for (unsigned step = count / 2; step != 0; step /= 2) range += static_cast<unsigned>(first_keys_[range + step - 1] <= key) * step;
    return range;
  }

private:
  std::array<std::uint64_t, count - 1> first_keys_;  ///< the first keys of all ranges except the first one, ascending
};

// If keys are equal, a string that ends within its eight bytes comes before one that continues with zero bytes.
constexpr auto precedes = [](const string_entry& a, const string_entry& b) {
  return a.key != b.key ? a.key < b.key : a.bytes_left < b.bytes_left;
};

/// Strings that are still to be sorted, whose first `depth` bytes agree. If `loaded`, the keys of the entries are the bytes after these.
struct task {
  std::span<string_entry> entries;
  std::size_t depth;
  bool loaded;
};

void sort_all(task whole, const string_numbers& table, unsigned threads) {
  std::vector<task> tasks{whole};  // a stack instead of recursion, which could be as deep as the longest common prefix
  while (!tasks.empty()) {
    const auto [range, depth, loaded] = tasks.back();
    tasks.pop_back();
    const unsigned crew = range.size() < worth_sharing ? 1 : threads;
    const std::size_t prefix = loaded ? depth : load_keys(range, table, depth, crew);
    if (range.size() >= worth_squeezing) squeeze_keys(range, &string_entry::key, crew);
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

/// Loads the keys in one pass over the records in order of arrival, and then sorts them all together.
void sort_as_they_came(std::span<string_entry> entries, const string_numbers& table, std::string_view prefix, unsigned threads) {
  std::array<std::uint64_t, shard_count + 1> starts{};
  for (unsigned shard = 0; shard < shard_count; ++shard) starts[shard + 1] = starts[shard] + table.size(shard);
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
  // The keys are the bytes after the likely prefix. If some string does not begin with that prefix, sort_all() loads other keys: the bytes
  // after the prefix that all strings do have in common.
  sort_all({entries, common == prefix.size() ? prefix.size() : 0, common == prefix.size()}, table, threads);
}

/// Sorts the strings after distributing them to ranges of keys: needs one more pass over the records, but no part of the sort is
/// sequential.
void sort_by_ranges(std::span<string_entry> entries, const string_numbers& table, std::span<const std::string_view> sample,
                    std::string_view likely_prefix, unsigned threads) {
  std::size_t prefix = likely_prefix.size();
  std::optional<key_ranges> ranges;
  std::vector<key_ranges::counts> next(shard_count);  // number of strings of each shard in each range, later the position of the next one
  for (bool known = false; !known;) {
    ranges.emplace(sample, prefix);
    std::atomic<std::size_t> common{prefix};
    parallel_blocks(threads, shard_count, 1, [&](std::size_t shard, std::size_t) {
      common_prefix here{likely_prefix.substr(0, prefix), 0};
      next[shard].fill(0);
      table.for_each_record(static_cast<unsigned>(shard), [&](string_numbers::reference, const string_numbers::record& found) {
        here.meet(found.bytes);
        ++next[shard][ranges->of(key_of(behind(found.bytes, prefix)))];
      });
      lower(common, here.size());
    });
    // if some string lacks the likely prefix, a second round uses the prefix that all of them have
    known = common == prefix;
    prefix = common;
  }
  std::array<std::uint64_t, key_ranges::count + 1> starts{};
  for (unsigned range = 0; range < key_ranges::count; ++range) {
    starts[range + 1] = starts[range];
    for (key_ranges::counts& of_shard : next) starts[range + 1] += std::exchange(of_shard[range], starts[range + 1]);
  }
  parallel_blocks(threads, shard_count, 1, [&](std::size_t shard, std::size_t) {
    table.for_each_record(static_cast<unsigned>(shard), [&](string_numbers::reference where, const string_numbers::record& found) {
      string_entry entry;
      entry.where = where & string_entry::where_mask;
      load(entry, found.bytes, prefix);
      entries[next[shard][ranges->of(entry.key)]++] = entry;
    });
  });
  // A range that is much longer than the others, because its strings agree in eight bytes, is sorted by all threads; every other range is
  // sorted by one thread.
  const std::size_t long_range = std::max(worth_sharing, entries.size() / (std::size_t{2} * threads));
  const auto strings_of = [&](std::size_t range) { return entries.subspan(starts[range], starts[range + 1] - starts[range]); };
  parallel_blocks(threads, key_ranges::count, 1, [&](std::size_t range, std::size_t) {
    if (strings_of(range).size() <= long_range) sort_all({strings_of(range), prefix, true}, table, 1);
  });
  for (unsigned range = 0; range < key_ranges::count; ++range) {
    if (strings_of(range).size() > long_range) sort_all({strings_of(range), prefix, true}, table, threads);
  }
}

}  // namespace

std::vector<std::string_view> sampled_strings(const string_numbers& table) {
  constexpr std::size_t of_each_shard = 64;
  std::vector<std::string_view> sample;
  for (unsigned shard = 0; shard < shard_count; ++shard) {
    table.sample(shard, of_each_shard, [&](std::string_view bytes) { sample.push_back(bytes); });
  }
  return sample;
}

buffer<string_entry> sorted_strings(const string_numbers& table, std::span<const std::string_view> sample, unsigned threads,
                                    std::pmr::memory_resource* memory) {
  constexpr unsigned threads_worth_a_pass = 4;
  buffer<string_entry> entries{table.size(), memory};
  if (entries.empty()) return entries;
  const std::string_view prefix = prefix_of(sample);
  if (threads < threads_worth_a_pass || entries.size() < worth_sharing) {
    sort_as_they_came(entries.span(), table, prefix, threads);
  } else {
    sort_by_ranges(entries.span(), table, sample, prefix, threads);
  }
  return entries;
}

}  // namespace copse::ids
