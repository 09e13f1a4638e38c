// Writes the input of the measurement of groups by key: a table of records with keys drawn at random, and the pairs that say the same.
//   copse_bench_group_input RECORDS VALUES TABLE.csv PAIRS.csv [--seed S]
// TABLE has the columns record,email,phone,address: strings of 20 bytes, each key one of VALUES of its column. PAIRS joins records that
// stand next to each other when they are sorted by a column and have equal keys there.
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr std::size_t column_count = 3;
constexpr std::array<std::string_view, column_count> column_names{"email", "phone", "address"};
constexpr std::size_t name_bytes = 20;

/// One to one, so that different numbers have different names; the names stand in no order.
std::uint64_t scrambled(std::uint64_t number) {
  number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9u;
  number = (number ^ number >> 27) * 0x94d049bb133111ebu;
  return number ^ number >> 31;
}

/// Text that goes to a file by and by.
class text_file {
public:
  explicit text_file(const std::string& path) : path_{path}, file_{std::fopen(path.c_str(), "wb"), &std::fclose} {
    if (file_ == nullptr) throw std::runtime_error{path + ": cannot be written"};
  }
  void add(std::string_view text) {
    pending_ += text;
    if (pending_.size() > (std::size_t{1} << 20)) flush();
  }
  /// A letter, three zeros and sixteen hexadecimal digits.
  void add_name(char letter, std::uint64_t number) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::array<char, name_bytes> name;
    name.fill('0');
    name[0] = letter;
    std::uint64_t left = scrambled(number);
    for (std::size_t i = name_bytes; i-- > name_bytes - 16; left >>= 4) name[i] = digits[left & 15];
    add({name.data(), name.size()});
  }
  void flush() {
    if (std::fwrite(pending_.data(), 1, pending_.size(), file_.get()) != pending_.size() || std::fflush(file_.get()) != 0) {
      throw std::runtime_error{path_ + ": the disk is full"};
    }
    pending_.clear();
  }

private:
  std::string path_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  std::string pending_;
};

std::uint64_t number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size())
    throw std::invalid_argument{fmt::format("found {}, expected a number", text)};
  return value;
}

using columns = std::array<std::vector<std::uint32_t>, column_count>;

void write_table(const columns& keys, const std::string& path) {
  text_file out{path};
  out.add(fmt::format("record,{}\n", fmt::join(column_names, ",")));
  for (std::size_t record = 0; record < keys[0].size(); ++record) {
    out.add_name('r', record);
    for (std::size_t c = 0; c < column_count; ++c) {
      out.add(",");
      out.add_name(column_names[c][0], std::uint64_t{c} << 32 | keys[c][record]);
    }
    out.add("\n");
  }
  out.flush();
}

/// Records in the order of their keys, by counting; equal keys in the order of the table.
std::vector<std::uint32_t> order_by(const std::vector<std::uint32_t>& keys, std::uint64_t values) {
  std::vector<std::uint32_t> next(values + 1), order(keys.size());
  for (const std::uint32_t key : keys) ++next[key + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (std::size_t record = 0; record < keys.size(); ++record) order[next[keys[record]]++] = static_cast<std::uint32_t>(record);
  return order;
}

std::uint64_t write_pairs(const columns& keys, std::uint64_t values, const std::string& path) {
  text_file out{path};
  std::uint64_t pairs = 0;
  out.add("source,target\n");
  for (const auto& column : keys) {
    const auto order = order_by(column, values);
    for (std::size_t i = 1; i < order.size(); ++i) {
      if (column[order[i - 1]] != column[order[i]]) continue;
      out.add_name('r', order[i - 1]);
      out.add(",");
      out.add_name('r', order[i]);
      out.add("\n");
      ++pairs;
    }
  }
  out.flush();
  return pairs;
}

int run(int argc, char** argv) {
  const bool seeded = argc == 7 && std::string_view{argv[5]} == "--seed";
  if (argc != 5 && !seeded) throw std::invalid_argument{"usage: copse_bench_group_input RECORDS VALUES TABLE.csv PAIRS.csv [--seed S]"};
  const std::uint64_t records = number(argv[1]), values = number(argv[2]);
  if (records == 0 || values == 0 || (records | values) >> 32 != 0)
    throw std::invalid_argument{"found too few or too many records or values"};
  std::mt19937_64 random{seeded ? number(argv[6]) : 1};
  columns keys;
  for (auto& column : keys) {
    column.resize(records);
    for (std::uint32_t& key : column) key = static_cast<std::uint32_t>(random() % values);
  }
  write_table(keys, argv[3]);
  const std::uint64_t pairs = write_pairs(keys, values, argv[4]);
  fmt::print("{} records, {} keys, {} pairs\n", records, records * column_count, pairs);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& failure) {
    fmt::print(stderr, "{}\n", failure.what());
    return 2;
  }
}
