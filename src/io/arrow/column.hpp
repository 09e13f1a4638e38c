// Reads one column of an Arrow batch as ids or scores, in any layout; and owners of the structures that the Arrow C data interface
// exchanges.
#pragma once
#include <copse/arrow.h>
#include <copse/errors.hpp>
#include <copse/types.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace copse::arrow {

// 128-bit integers: an extension of GCC and Clang.
__extension__ using int128 = __int128;
__extension__ using uint128 = unsigned __int128;

/// Owns a structure of the Arrow C interface, and releases it unless it was released or moved from before.
template <class T>
class arrow_owner {
public:
  arrow_owner() noexcept = default;
  arrow_owner(arrow_owner&& other) noexcept : held_{other.held_} { other.held_.release = nullptr; }
  arrow_owner& operator=(arrow_owner&& other) noexcept {
    if (this != &other) {
      reset();
      held_ = other.held_;
      other.held_.release = nullptr;
    }
    return *this;
  }
  ~arrow_owner() { reset(); }

  void reset() noexcept {
    if (held_.release != nullptr) held_.release(&held_);
    held_.release = nullptr;
  }
  [[nodiscard]] T* get() noexcept { return &held_; }
  [[nodiscard]] const T& operator*() const noexcept { return held_; }
  [[nodiscard]] const T* operator->() const noexcept { return &held_; }
  [[nodiscard]] explicit operator bool() const noexcept { return held_.release != nullptr; }

  /// Takes over the structure `from` by marking it as released, which is how the Arrow interface moves ownership.
  static arrow_owner take(T& from) noexcept {
    arrow_owner owner;
    owner.held_ = from;
    from.release = nullptr;
    return owner;
  }

private:
  T held_{};
};

/// The storage layout of the values in a column.
enum class layout : std::uint8_t {
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float16,
  float32,
  float64,
  decimal,  // 32, 64 or 128 bits
  string32,
  string64,
  string_view,
  fixed_bytes,  // strings and binaries of a fixed size
  nothing,      // a column of nulls
  other         // types whose values are neither ids nor scores
};

/// The type of a column by its Arrow schema. For a dictionary, the type of its indices, with `entries` for the type of its values.
struct column_type {
  explicit column_type(const ArrowSchema& schema);

  std::string name, format;
  layout values = layout::other;
  std::size_t width = 0;                       ///< bytes per value of fixed_bytes and decimals
  int scale = 0;                               ///< number of digits of decimals after the point
  bool binary = false;                         ///< strings that may hold any bytes, not only UTF-8
  bool uuid = false;                           ///< fixed_bytes that the extension type declares as UUIDs
  std::shared_ptr<const column_type> entries;  ///< for a dictionary, the type of its values, which may be a dictionary, too

  /// The type of the values after all nested dictionaries are resolved.
  [[nodiscard]] const column_type& of_values() const noexcept { return entries ? entries->of_values() : *this; }
  [[nodiscard]] layout id_layout() const noexcept { return of_values().values; }
  [[nodiscard]] bool holds_strings() const noexcept { return id_layout() >= layout::string32 && id_layout() <= layout::fixed_bytes; }
  [[nodiscard]] bool holds_scores() const noexcept { return !entries && values <= layout::decimal; }
  /// True for integers, and for decimals without digits after the point, as warehouses store integers that way. Decimals that std::int64_t
  /// cannot hold are faults.
  [[nodiscard]] bool holds_integers() const noexcept {
    return id_layout() <= layout::uint64 || (id_layout() == layout::decimal && of_values().scale == 0);
  }
  /// The name of the type as Arrow's documentation writes it, such as `int64` or `string`.
  [[nodiscard]] std::string described() const;
};

/// The error for an array that does not match its schema.
class array_fault : public input_error {
public:
  array_fault(const std::string& found, const std::string& expected)
      : input_error{"found " + found + ", expected " + expected}, found_{found}, expected_{expected} {}

  [[nodiscard]] const std::string& found() const noexcept { return found_; }
  [[nodiscard]] const std::string& expected() const noexcept { return expected_; }

private:
  std::string found_, expected_;
};

/// The rows of one column of a batch; the array must outlive this object. Sizes of buffers cannot be checked, because the Arrow C interface
/// does not pass them (copse/_arrow_sizes.py checks them for pyarrow); every offset, index and length is checked before it is used.
class column_rows {
public:
  /// `parent_offset` and `rows` are the offset and the length of the batch. Throws array_fault.
  column_rows(const column_type& type, const ArrowArray& array, std::int64_t parent_offset, std::int64_t rows);

  [[nodiscard]] std::int64_t size() const noexcept { return rows_; }
  [[nodiscard]] bool has_nulls() const noexcept { return has_nulls_; }
  [[nodiscard]] bool is_null(std::int64_t row) const noexcept;
  /// The values in Arrow's own memory. Precondition: a column of plain values of type T without nulls.
  template <class T>
  [[nodiscard]] std::span<const T> in_place() const noexcept {
    return {static_cast<const T*>(array_->buffers[1]) + first_, static_cast<std::size_t>(rows_)};
  }
  /// The bits of the integer in a row, sign-extended. Precondition, as of all functions that read a row: the row is not null, and the
  /// column holds values of the type that the function returns.
  [[nodiscard]] std::int64_t integer(std::int64_t row) const noexcept;
  /// Writes the integers of rows [begin, end), or of the rows listed in `rows`, to `to`, and returns the bitwise OR of all of them. A row
  /// with a fault becomes 0.
  std::uint64_t integers(std::int64_t begin, std::int64_t end, std::uint64_t* to) const noexcept;
  std::uint64_t integers(std::span<const std::int64_t> rows, std::uint64_t* to) const noexcept;
  /// The double nearest to the score of a row; an integer beyond 2^53 is rounded down.
  [[nodiscard]] double score(std::int64_t row) const noexcept;
  /// True for columns of integers, and of decimals, which are stored as integers scaled by a power of ten.
  [[nodiscard]] bool holds_whole_numbers() const noexcept { return type_->values <= layout::uint64 || type_->values == layout::decimal; }
  [[nodiscard]] int128 whole_number(std::int64_t row) const noexcept;
  /// The string of a row; empty for a row with a fault.
  [[nodiscard]] std::string_view string(std::int64_t row) const noexcept;
  /// Writes the strings of the given rows to to[0], to[1], ...
  void strings(std::span<const std::int64_t> rows, std::string_view* to) const noexcept;

  /// True if a row of ids can have a fault, such as an index, an offset, a text or a decimal that is out of range.
  [[nodiscard]] bool may_have_faults() const noexcept {
    return entries_ != nullptr || type_->holds_strings() || type_->values == layout::decimal;
  }
  /// True if no row of [begin, end) has a fault. Fast where the strings are stored in the order of the rows.
  [[nodiscard]] bool are_sound(std::int64_t begin, std::int64_t end) const noexcept;
  [[nodiscard]] bool has_fault(std::int64_t row) const noexcept;
  /// Describes the fault of a row. Precondition: has_fault(row).
  [[nodiscard]] array_fault fault(std::int64_t row) const;

private:
  [[nodiscard]] bool has_index(std::int64_t index) const noexcept { return index >= 0 && index < entries_->size(); }
  [[nodiscard]] std::int64_t raw_integer(std::int64_t at) const noexcept;
  void expect_buffers() const;
  /// True if the offsets of these strings ascend, and all strings are ASCII (binaries may hold any bytes).
  template <class Offset>
  [[nodiscard]] bool is_plain_text(std::int64_t begin, std::int64_t end) const noexcept;
  /// Writes the integers of rows row(0), ..., row(count - 1) to `to`, and returns the bitwise OR of all of them.
  template <class Row>
  std::uint64_t integers_at(std::size_t count, Row row, std::uint64_t* to) const noexcept;
  [[nodiscard]] double decimal(std::int64_t row) const noexcept;
  template <class Offset>
  [[nodiscard]] bool ascends(std::int64_t at) const noexcept {
    const auto* offsets = element_at<Offset>(at);
    return offsets[0] >= 0 && offsets[1] >= offsets[0] && (array_->buffers[2] != nullptr || offsets[0] == offsets[1]);
  }
  template <class Offset>
  [[nodiscard]] std::string_view between(std::int64_t at) const noexcept {
    if (!ascends<Offset>(at)) return {};
    const auto* offsets = element_at<Offset>(at);
    return {static_cast<const char*>(array_->buffers[2]) + offsets[0], static_cast<std::size_t>(offsets[1] - offsets[0])};
  }
  /// The string of an entry of a column in Arrow's view layout; nullopt if the entry points outside the buffers of text.
  [[nodiscard]] std::optional<std::string_view> viewed(std::int64_t at) const noexcept;
  template <class T>
  [[nodiscard]] const T* element_at(std::int64_t at) const noexcept {
    return static_cast<const T*>(array_->buffers[1]) + at;
  }
  template <class T>
  [[nodiscard]] T element(std::int64_t at) const noexcept {
    return *element_at<T>(at);
  }

  const column_type* type_;
  const ArrowArray* array_;
  std::int64_t first_, rows_;
  bool has_nulls_;
  bool entries_are_sound_ = false;  ///< true if all entries of the dictionary were checked, so that rows need not check them again
  std::unique_ptr<column_rows> entries_;
};

}  // namespace copse::arrow
