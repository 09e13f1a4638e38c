// Reads a binary file from front to back, and the integers and rows in it. Every error message names the file, the byte offset, what was
// found and what was expected.
#pragma once
#include "io/request.hpp"
#include "io/source.hpp"

#include <copse/errors.hpp>
#include <copse/io.hpp>

#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

namespace copse::io {

static_assert(std::endian::native == std::endian::little, "binary formats are little-endian and are copied as they are");

/// Reads a number from an address of any alignment.
template <class T>
requires std::is_trivially_copyable_v<T> T load(const char* from)
noexcept {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

/// Throws `file: found X at byte B, expected Y`.
[[noreturn]] inline void refuse_byte(std::string_view file, std::uint64_t byte, std::string_view found, std::string_view expected) {
  throw input_error::at(file, 0, std::string{found} + " at byte " + std::to_string(byte), expected);
}

class binary_source {
public:
  binary_source(const std::filesystem::path& path, const read_request& options)
      : name_{path == "-" ? "<stdin>" : path.string()}, file_{path, options.memory, options.mapped}, bytes_{file_.bytes()} {}

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] std::string_view bytes() const noexcept { return bytes_; }
  [[nodiscard]] std::uint64_t position() const noexcept { return position_; }
  [[nodiscard]] std::uint64_t remaining() const noexcept { return bytes_.size() - position_; }
  /// The offset in the file of a position inside what take() returned.
  [[nodiscard]] std::uint64_t byte_of(const char* at) const noexcept { return static_cast<std::uint64_t>(at - bytes_.data()); }

  /// Returns the next `count` items of `width` bytes and moves behind them. `what` names the items in error messages.
  std::string_view take(std::uint64_t count, unsigned width, std::string_view what) {
    if (count > remaining() / width) {
      throw input_error::at(name_, 0, "the end of the file at byte " + std::to_string(bytes_.size()),
                            std::to_string(count) + " " + std::string{what} + " of " + std::to_string(width) + " bytes from byte " +
                                std::to_string(position_));
    }
    const std::string_view items = bytes_.substr(position_, count * width);
    position_ += items.size();
    return items;
  }
  /// Reads a signed integer that must not be negative.
  template <class T>
  std::uint64_t count(std::string_view what) {
    const auto value = load<T>(take(1, sizeof(T), what).data());
    if (value < 0) refuse_byte(name_, position_ - sizeof(T), std::to_string(value), std::string{what} + ", 0 or more");
    return static_cast<std::uint64_t>(value);
  }
  void expect_end(std::string_view what) const {
    if (remaining() == 0) return;
    refuse_byte(name_, position_, std::to_string(remaining()) + " more bytes", "the end of the file after " + std::string{what});
  }

private:
  std::string name_;
  whole_file file_;
  std::string_view bytes_;
  std::uint64_t position_ = 0;
};

/// An array of integers as a file stores it: `width` is 1, 2, 4 or 8 bytes, signed or not. Negative integers become huge when read as
/// unsigned.
struct packed_integers {
  std::string_view bytes = {};
  unsigned width = 4;
  bool is_signed = false;
  std::uint64_t first_byte = 0;  ///< offset of the array in the file, for error messages
  std::string_view file = {};

  [[nodiscard]] std::uint64_t size() const noexcept { return bytes.size() / width; }
  /// Calls `use(T{})` with the integer type T of the items.
  template <class Use>
  decltype(auto) with_type(Use use) const {
    switch (width) {
      case 1:
        return is_signed ? use(std::int8_t{}) : use(std::uint8_t{});
      case 2:
        return is_signed ? use(std::int16_t{}) : use(std::uint16_t{});
      case 4:
        return is_signed ? use(std::int32_t{}) : use(std::uint32_t{});
      default:
        return is_signed ? use(std::int64_t{}) : use(std::uint64_t{});
    }
  }
  /// Item i as text, with its sign: -3, not 2^64 - 3.
  [[nodiscard]] std::string text(std::uint64_t i) const {
    return with_type([&]<class T>(T) { return std::to_string(load<T>(bytes.data() + i * width)); });
  }
  /// The file and the byte offset of item i, for error messages.
  [[nodiscard]] std::string place(std::uint64_t i) const { return std::string{file} + ": byte " + std::to_string(first_byte + i * width); }
  [[noreturn]] void refuse(std::uint64_t i, std::string_view what, std::string_view expected) const {
    refuse_byte(file, first_byte + i * width, std::string{what} + " " + text(i), expected);
  }
};

/// True if the arc with this index is kept. An empty filter keeps all arcs.
using arc_filter = std::function<bool(std::uint64_t)>;

/// A file of rows whose header is checked, and whose length matches the header. The contents of the arrays are not checked.
struct rows_file {
  std::unique_ptr<binary_source> source;  ///< owns the memory of the arrays
  packed_integers offsets, targets;
  std::string_view weights;  ///< 4-byte signed integers, in ECL graphs only; empty if there are none

  [[nodiscard]] std::uint64_t vertices() const noexcept { return offsets.size() - 1; }
  [[nodiscard]] std::uint64_t arcs() const noexcept { return targets.size(); }
};
rows_file open_sg(const std::filesystem::path& path, const read_request& options);
rows_file open_egr(const std::filesystem::path& path, const read_request& options);

/// Throw the error for the first wrong offset and the first wrong target of a file.
[[noreturn]] void refuse_offset(const packed_integers& offsets, std::uint64_t at, std::uint64_t arcs);
[[noreturn]] void refuse_target(const packed_integers& targets, std::uint64_t at, std::uint64_t vertices);

/// Rows of `offsets` (n + 1, ascending from 0 to the number of targets) and `targets` (each below n), of the narrowest widths. Whether the
/// rows are sorted and symmetric is checked, because a file that claims so wrongly would give wrong labels.
graph rows_of(const packed_integers& offsets, const packed_integers& targets, const read_request& options, const arc_filter& keep = {});

/// Throws if the options ask for a least weight, which needs a file with weights.
void refuse_min_weight(std::string_view file, const read_options& options, std::string_view found = "no weights");

}  // namespace copse::io
