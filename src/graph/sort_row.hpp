// Sorting one row of ids. Short rows by insertion, middling ones by comparison, long ones digit by digit (their keys are below n, so few
// digits are enough, and no branch is guessed wrong).
#pragma once
#include <copse/memory.hpp>
#include <copse/types.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace copse {

/// Sorts rows whose ids are below `bound`; `scratch` has room for the longest.
template <unsigned_index Id>
class row_sorter {
public:
  row_sorter(std::uint64_t bound, buffer<Id>& scratch)
      : scratch_{scratch}, digits_{(static_cast<unsigned>(std::bit_width(bound == 0 ? 0 : bound - 1)) + digit_bits - 1) / digit_bits} {}

  void operator()(std::span<Id> row) {
    if (row.size() <= insertion_limit) return insert(row);
    if (std::is_sorted(row.begin(), row.end())) return;
    if (row.size() <= comparison_limit * digits_) return std::sort(row.begin(), row.end());
    by_digits(row);
  }

private:
  static constexpr std::size_t insertion_limit = 24;
  static constexpr std::size_t comparison_limit = 96;  // a row; times the digits, which is what the other way costs
  static constexpr unsigned digit_bits = 8;
  static constexpr std::size_t digit_values = std::size_t{1} << digit_bits;

  static void insert(std::span<Id> row) {
    for (std::size_t i = 1; i < row.size(); ++i) {
      const Id id = row[i];
      std::size_t at = i;
      for (; at > 0 && row[at - 1] > id; --at) row[at] = row[at - 1];
      row[at] = id;
    }
  }

  void by_digits(std::span<Id> row) {
    std::span<Id> from = row;
    std::span<Id> to = scratch_.span().first(row.size());
    for (unsigned digit = 0; digit < digits_; ++digit) {
      const unsigned shift = digit * digit_bits;
      const auto value = [shift](Id id) { return static_cast<std::size_t>(id >> shift) % digit_values; };
      std::array<std::size_t, digit_values> starts{};
      for (const Id id : from) ++starts[value(id)];
      std::size_t sum = 0;
      for (std::size_t& start : starts) sum += std::exchange(start, sum);
      for (const Id id : from) to[starts[value(id)]++] = id;
      std::swap(from, to);
    }
    if (from.data() != row.data()) std::copy(from.begin(), from.end(), row.begin());
  }

  buffer<Id>& scratch_;
  unsigned digits_;
};

}  // namespace copse
