// Ids and labels as numbers, by which two tables of labels are compared: equal values get the same number.
#pragma once
#include <copse/compare.hpp>
#include <copse/errors.hpp>
#include <copse/memory.hpp>
#include <core/parallel.hpp>
#include <ids/id_map.hpp>
#include <ids/id_signs.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory_resource>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace copse::api {

inline constexpr std::size_t batch_rows = ids::piece_keys;  ///< number of rows of a table whose values are looked up in the map together

/// The type in which the hash map stores a value: a string, or 64 bits for an integer.
template <class Value>
using numbered_form = std::conditional_t<std::same_as<Value, std::string_view>, std::string_view, std::uint64_t>;

template <class Value>
constexpr bool are_strings = std::same_as<Value, std::string_view>;

/// Copies the values [begin, end) of a column to `room`, with integers as 64 bits, and returns the copies.
template <class Value>
std::span<const numbered_form<Value>> in_form(const typed_ids<Value>& from, std::size_t begin, std::size_t end,
                                              std::array<numbered_form<Value>, batch_rows>& room) {
  for (std::size_t i = begin; i < end; ++i) room[i - begin] = static_cast<numbered_form<Value>>(from[i]);
  return std::span{room}.first(end - begin);
}

/// Integers written in decimal digits.
class decimal_texts {
public:
  /// `are_signed`: values with the sign bit are negative.
  decimal_texts(std::span<const std::uint64_t> values, bool are_signed) : digits_(values.size() * most_digits) {
    char* next = digits_.data();
    for (const std::uint64_t value : values) {
      char* const end = are_signed ? std::to_chars(next, next + most_digits, static_cast<std::int64_t>(value)).ptr
                                   : std::to_chars(next, next + most_digits, value).ptr;
      texts_.emplace_back(next, static_cast<std::size_t>(end - next));
      next = end;
    }
  }
  [[nodiscard]] std::span<const std::string_view> all() const noexcept { return texts_; }

private:
  static constexpr std::size_t most_digits = 20;  // for 20 digits, or a sign and 19 digits

  std::vector<char> digits_;
  std::vector<std::string_view> texts_;
};

/// Numbers values of one kind, integers or strings: equal values get the same number. The first batch decides the kind.
class value_numbers {
public:
  value_numbers(unsigned workers, std::pmr::memory_resource* memory) : workers_{workers}, memory_{memory} {}

  /// True if values are strings; std::nullopt before the first batch.
  [[nodiscard]] std::optional<bool> are_strings() const noexcept {
    if (integers_) return false;
    return strings_ ? std::optional{true} : std::nullopt;
  }
  /// Declares that values are strings, or integers. Returns false if earlier values are of the other kind. Any thread may call it.
  bool open(bool strings) {
    std::call_once(opened_, [&] {
      if (strings) {
        strings_.emplace(workers_, memory_);
      } else {
        integers_.emplace(workers_, memory_);
      }
    });
    return strings_.has_value() == strings;
  }
  /// Returns the number of each value; a value that is new gets a new number. There may be at most ids::piece_keys values, and the result
  /// is valid until the worker calls this again. `are_negative`: integers with the sign bit are below 0; otherwise they are above
  /// INT64_MAX. `place()` returns where the values stand, for the text of errors. Precondition: open() returned true.
  template <class Value, class Place>
  std::span<const std::uint32_t> number(unsigned worker, std::span<const Value> values, bool are_negative, const Place& place) {
    constexpr bool strings = std::is_same_v<Value, std::string_view>;
    if constexpr (!strings) {
      const auto wide = std::find_if(values.begin(), values.end(), has_sign_bit);
      if (wide != values.end()) signs_.expect(*wide, are_negative, place);
    }
    auto& map = [this]() -> auto& {
      if constexpr (strings) {
        return *strings_;
      } else {
        return *integers_;
      }
    }
    ();
    std::copy(values.begin(), values.end(), map.room(worker).begin());
    return map.number(worker, values.size(), workers_ > 1);
  }

  /// An upper bound: every number that number() has returned is smaller.
  [[nodiscard]] std::uint64_t bound() const noexcept { return strings_ ? strings_->bound() : integers_ ? integers_->bound() : 0; }
  /// The values in ascending order. Uses up the map from values to numbers.
  [[nodiscard]] ids::ordered_ids take_ordered(unsigned threads) {
    if (strings_) return strings_->take_ordered(threads);
    if (integers_) return integers_->take_ordered(threads, signs_.any_negative());
    return {};
  }
  /// Returns, as text, the smallest of the values for whose number wanted(number) is true. O(n).
  template <class Wanted>
  [[nodiscard]] std::string smallest(Wanted wanted) const {
    const auto least = [&]<class Value>(const ids::id_map<Value>& map, auto before) {
      std::optional<Value> found;
      map.for_each([&](const Value& value, std::uint32_t number) {
        if ((!found || before(value, *found)) && wanted(number)) found = value;
      });
      return found;
    };
    if (strings_) return std::string{least(*strings_, std::less<>{}).value_or("")};
    const bool are_signed = signs_.any_negative();
    return id_text(
        least(*integers_, [=](std::uint64_t a, std::uint64_t b) { return id_rank(a, are_signed) < id_rank(b, are_signed); }).value_or(0),
        are_signed);
  }

private:
  unsigned workers_;
  std::pmr::memory_resource* memory_;
  std::once_flag opened_;
  std::optional<ids::id_map<std::uint64_t>> integers_;
  std::optional<ids::id_map<std::string_view>> strings_;
  ids::id_signs signs_;
};

/// The number of a record, and of its label.
struct labelled_record {
  std::uint32_t record, label;
};

/// The records that one worker has added. They are stored in chunks of equal size, so that adding records never moves earlier ones.
class record_chunks {
public:
  explicit record_chunks(std::pmr::memory_resource* memory) : memory_{memory} {}

  void add(std::span<const std::uint32_t> records, std::span<const std::uint32_t> labels) {
    for (std::size_t i = 0; i < records.size(); ++i) {
      if (chunks_.empty() || filled_ == chunk_records) {
        chunks_.emplace_back(chunk_records, memory_);
        filled_ = 0;
      }
      chunks_.back()[filled_++] = {records[i], labels[i]};
    }
  }
  /// Moves the records out: all chunks, of which the last is cut to its filled part.
  [[nodiscard]] std::vector<buffer<labelled_record>> take() {
    if (!chunks_.empty()) chunks_.back().shrink(filled_);
    return std::exchange(chunks_, {});
  }

private:
  static constexpr std::size_t chunk_records = std::size_t{1} << 15;

  std::pmr::memory_resource* memory_;
  std::vector<buffer<labelled_record>> chunks_;
  std::size_t filled_ = 0;  ///< elements of the last chunk that are in use
};

/// True for a file or a folder; false for a pipe, for standard input, and for what does not exist.
bool can_be_read_again(const std::filesystem::path& path);

/// Compares two tables. labels[t][i] is the number of the label that table t gives record i, or no_vertex if the table does not have the
/// record. `values`: the labels of each table, which are used up. The caller fills in how many records are in one table only. Throws
/// input_error if no record is in both.
partition_comparison compare_numbers(std::array<buffer<std::uint32_t>, 2> labels, std::array<value_numbers*, 2> values,
                                     const comparison_options& options, unsigned threads, std::pmr::memory_resource* memory);

}  // namespace copse::api
