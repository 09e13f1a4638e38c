// An SQLite table of numbered byte strings of any length, each stored in parts, one per row.
//
// The key of a row is number * 2^16 + part, and each row has a checksum of its key and bytes: SQLite does not check its own pages.
#pragma once
#include <dynamic/sqlite.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace copse::dynamics {

class blob_table {
public:
  static constexpr std::size_t part_bytes = std::size_t{256} << 20;  ///< the largest part; SQLite allows 10^9 bytes

  /// `what` is what errors call a damaged blob. Keeps a reference to the database.
  blob_table(sqlite_database& database, std::string name, std::string what)
      : database_{database}, name_{std::move(name)}, what_{std::move(what)} {}

  void create();
  /// Writes one part of at most part_bytes. Throws resource_error for numbers and parts that are too large.
  void put_part(std::uint64_t number, std::uint64_t part, std::string_view bytes);
  /// Writes a byte string as parts; all but the last have part_bytes.
  void put(std::uint64_t number, std::string_view bytes);
  /// Erases the byte strings with numbers from `first` to before `end`.
  void erase(std::uint64_t first, std::uint64_t end);
  /// Reads parts in order. No rows may be changed while a cursor is in use.
  class cursor {
  public:
    /// Begins at the first part of this number, or of the next number that exists.
    cursor(const blob_table& table, std::uint64_t first);
    /// Moves to the next part; false at the end. Throws input_error for a damaged row, and for a part that is neither the first of its
    /// number nor the one after the previous part.
    bool next();
    [[nodiscard]] std::uint64_t number() const noexcept { return number_; }
    [[nodiscard]] std::uint64_t part() const noexcept { return part_; }
    /// Returns the bytes of this part, which are valid until the next call of next().
    [[nodiscard]] std::string_view bytes() const noexcept { return bytes_; }

  private:
    const blob_table& table_;
    sqlite_statement rows_;
    std::uint64_t number_ = 0, part_ = 0;
    bool is_inside_ = false;
    std::string_view bytes_;
  };
  /// Returns a byte string; empty if there is none. Throws input_error if it is damaged.
  [[nodiscard]] std::optional<std::string> get(std::uint64_t number) const;
  [[nodiscard]] std::optional<std::uint64_t> first() const;
  /// Ascending.
  [[nodiscard]] std::vector<std::uint64_t> numbers() const;
  [[noreturn]] void refuse(std::uint64_t number) const;

private:
  sqlite_database& database_;
  std::string name_, what_;
  std::optional<sqlite_statement> put_;
};

}  // namespace copse::dynamics
