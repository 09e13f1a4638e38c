// The first records of a table as split by one separator: how many fields they have, which columns the header names, and whether the ids
// are numbers.
#pragma once
#include "io/records.hpp"
#include "io/table_layout.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace copse::io {

// Interprets the names in a header: which columns hold the two ids of edges, or the id of a record. Strong pairs of names (`id_l` and
// `id_r`, `source` and `target`, ...) are the ids of edges in any position. Weak pairs (`from` and `to`, or any name followed by `_l` and
// `_r`) are so only in the first columns, apart from columns without a name, or called `index`, `Unnamed: 0`, `id` or `weight`.

/// The columns of the left and the right id, counted from 1.
using end_columns = std::array<std::vector<unsigned>, 2>;

struct named_ends {
  enum class kind : std::uint8_t {
    none,
    clear,      ///< the names of exactly one pair of columns, `columns`, are those of the ids of an edge
    elsewhere,  ///< `columns` have names such as `from` and `to`, which name ids only in the first columns, but are in later ones
    several     ///< two pairs of columns, `columns` and `others`, may equally be the ids of an edge
  };
  kind found = kind::none;
  end_columns columns, others;
  bool strong = false;
};
/// Finds the columns of the two ids of edges. `names` are those in a header, without blanks at their ends.
named_ends ends_named_in(std::span<const std::string> names);

/// The columns of an id with `parts` parts, by name: one part is `unique_id` or `id`; two parts are `source_dataset` and one of these.
/// Empty if the header lacks a name or has it twice.
std::vector<unsigned> id_named_in(std::span<const std::string> names, std::size_t parts);

/// True for the usual names of a column that numbers the records: an empty name, `index`, or `Unnamed: 0`.
bool names_an_index(std::string_view name);

/// True if the name is a usual one for a column of ids (`id`, `source`, `from`, `id_l`, ... in any case).
bool names_a_column(std::string_view field);

/// The first records of a table, split by one separator.
class table_reading {
public:
  /// Splits the records. `whole` tells that nothing follows `text`.
  table_reading(const record_syntax& syntax, std::string_view text, bool whole);

  /// Finds out what the first two records show: whether they have the wanted columns, whether the ids in them are numbers, and which
  /// columns the first one names for ids if it is a header.
  void look(const table_request& request, const read_options& options);
  /// Decides whether the first record is a header, and then which columns are wanted. `any_splits` is true if some separator splits the
  /// first record into the wanted columns. To be called after look(). Throws usage_error.
  void decide_header(const table_request& request, const read_options& options, bool any_splits);

  [[nodiscard]] const record_syntax& syntax() const noexcept { return syntax_; }
  [[nodiscard]] const first_records& head() const noexcept { return head_; }
  /// The fields of the first record, without blanks at their ends and, outside CSV, without quotes around them. If a header has one field
  /// less than the records, an empty name is put in front.
  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }
  [[nodiscard]] record_fault fault() const noexcept { return fault_; }
  /// The number of fields of every record if all have the same number, otherwise 0. To be called after decide_header().
  [[nodiscard]] unsigned even_fields() const noexcept { return even_fields_; }
  /// The number of fields of the first record.
  [[nodiscard]] unsigned fields() const noexcept { return static_cast<unsigned>(names_.size()); }

  [[nodiscard]] bool has_header() const noexcept { return header_; }
  /// True if the header has one field less than the records.
  [[nodiscard]] bool is_shifted() const noexcept { return header_ && shifted_; }
  /// True if the first record was taken as a header only because of the names in it.
  [[nodiscard]] bool known_by_names() const noexcept { return known_by_names_; }
  /// True if the columns of ids were found by their names in the header, as the caller did not choose them.
  [[nodiscard]] bool names_ids() const noexcept { return names_ids_; }
  /// True if the columns of ids were found by their names in the header, and are not the default ones.
  [[nodiscard]] bool moves_ids() const noexcept { return moves_ids_; }
  [[nodiscard]] const named_ends& ends() const noexcept { return ends_; }

  /// The wanted columns; empty if the header lacks one of their names.
  [[nodiscard]] const std::vector<unsigned>& columns() const noexcept { return columns_; }
  [[nodiscard]] std::size_t ids() const noexcept { return ids_; }
  [[nodiscard]] std::size_t left() const noexcept { return left_; }
  [[nodiscard]] const std::string& missing_name() const noexcept { return missing_name_; }
  [[nodiscard]] const std::string& repeated_name() const noexcept { return repeated_name_; }
  /// The last column that every record must have.
  [[nodiscard]] unsigned last_column() const noexcept;

  [[nodiscard]] bool splits_first() const noexcept { return first_.splits; }
  /// True if the first two records (or the only one) have the wanted columns.
  [[nodiscard]] bool splits_both() const noexcept { return first_.splits && (head_.records.size() < 2 || second_.splits); }
  [[nodiscard]] bool numeric_first() const noexcept { return first_.numeric; }
  [[nodiscard]] bool numeric_second() const noexcept { return second_.numeric; }
  /// True if there is a record of data.
  [[nodiscard]] bool has_data() const noexcept { return head_.records.size() > (header_ ? 1u : 0u); }
  /// True if the ids of the first record of data are numbers.
  [[nodiscard]] bool numeric() const noexcept { return data().numeric; }
  /// True if the ids of the first record of data are numbers, and one of them has leading zeros.
  [[nodiscard]] bool padded() const noexcept { return data().padded; }
  /// True if there is no header and all records have the wanted columns, even with different numbers of fields.
  [[nodiscard]] bool splits_raggedly() const noexcept { return !header_ && first_.splits && least_fields_ >= last_column(); }

private:
  struct looked_at {
    bool splits = false, numeric = false, padded = false, usual_names = false;
    bool numbers = false;  // true if all ids are numbers apart from blanks around them; `numeric` allows no such blanks
  };
  void find_columns(const table_request& request);
  [[nodiscard]] looked_at look_at(std::size_t record, const table_request& request, const read_options& options) const;
  [[nodiscard]] bool is_header(const table_request& request, const read_options& options, bool any_splits);
  void take_named_columns(const table_request& request);
  [[nodiscard]] const looked_at& data() const noexcept { return header_ ? second_ : first_; }

  record_syntax syntax_;
  first_records head_;
  std::vector<std::string> names_;
  record_fault fault_ = record_fault::none;
  unsigned first_fields_ = 0;
  unsigned other_fields_ = 0;  // the number of fields of each record but the first; 0 if they differ or there is none
  unsigned least_fields_ = 0;  // the smallest number of fields of any record
  bool shifted_ = false;       // true if the first record has one field less than all others
  bool header_ = false, known_by_names_ = false, names_ids_ = false, moves_ids_ = false;
  unsigned even_fields_ = 0;
  named_ends ends_;
  // the columns that the header names for the id, in a table with one id per record; empty if it names none
  std::vector<unsigned> id_column_;
  std::vector<unsigned> columns_;
  std::size_t ids_ = 0, left_ = 1;
  bool only_ids_ = false;
  std::string missing_name_, repeated_name_;
  looked_at first_, second_;
};

}  // namespace copse::io
