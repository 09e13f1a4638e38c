// Groups records that share key values, without making pairs of records: batches of ids and keys are united on arrival and not stored.
#pragma once
#include <copse/components.hpp>
#include <copse/errors.hpp>
#include <copse/execution.hpp>
#include <copse/hidden.hpp>
#include <copse/io.hpp>
#include <copse/keyed_table.hpp>
#include <copse/memory.hpp>
#include <copse/pairs.hpp>

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace copse {

/// One column of the keys of a batch: record i has the value keys[i], unless present[i] is false. If `present` is empty, every record has
/// one.
struct key_column {
  id_column keys;
  std::span<const bool> present = {};

  template <class Range>
  requires std::convertible_to<const Range&, id_column> key_column(const Range& values) : keys{values} {}  // NOLINT: implicit on purpose
  key_column(id_column values, std::span<const bool> which) : keys{values}, present{which} {}
};

struct group_options {
  unsigned columns = 1;                     ///< number of key columns
  bool one_namespace = false;               ///< equal values in two columns link their records (an email entered as a name)
  std::vector<std::string> missing = {""};  ///< strings that count as no value and join no records
  std::uint64_t max_group = no_limit;       ///< finish() throws if more rows than this have the same value

  static constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();
};

/// A value that occurs more often than the option max_group allows, and its number of occurrences (counted up to 2^32 - 1).
struct large_value {
  unsigned column = 0;
  std::string value;
  std::uint64_t count = 0;
  friend bool operator==(const large_value&, const large_value&) = default;
};

/// Thrown if values occur more often than the option max_group allows; its text names the most frequent ones.
class large_value_error : public input_error {
public:
  /// In the text, column i is called keys[i] unless column_names has a name for it.
  large_value_error(std::vector<large_value> found, const std::vector<std::string>& column_names, std::uint64_t max_group);
  /// All values that occur more than max_group times, a limit in the options; the most frequent first.
  [[nodiscard]] const std::vector<large_value>& values() const noexcept { return values_; }

private:
  std::vector<large_value> values_;
};

/// Numbers of rows and values that were grouped.
struct group_counts {
  std::uint64_t rows = 0;     ///< rows that were added
  std::uint64_t keys = 0;     ///< key fields with a value
  std::uint64_t missing = 0;  ///< key fields without a value
  std::uint64_t values = 0;   ///< different values; equal values of two columns count twice, unless one_namespace is set
};

/// Groups records by their keys, which arrive in any number of batches. Records that share a value in a column are in one group, and so are
/// records linked by a chain of such records. Record ids are either integers, which may be negative if none is above INT64_MAX, or strings
/// with any bytes; at most 2^32 - 1 of them. If an id occurs again, its keys are added to the record. The keys of a column are signed
/// integers, unsigned integers or strings.
///
/// Memory is O(records + different values), regardless of repetitions: per record 20 to 28 bytes for integer ids, or up to 40 in addition
/// to the bytes of a string; per value 21 to 32 bytes for integers, or 20 to 26 in addition to the bytes of a string. The answer does not
/// depend on the order, batches or threads. Calls on one sink may not overlap.
///
/// An error in the batch itself leaves the sink unchanged. After a resource_error or cancelled the sink holds a part of the batch; any
/// further call except the destructor throws usage_error.
class group_sink {
public:
  /// Constructs an empty sink. The progress of `on.observer` counts keys, of an unknown total. Throws usage_error for 0 columns,
  /// resource_error.
  explicit group_sink(const group_options& options = {}, const execution& on = {});

  /// Adds a batch: row i is the record records[i] with the values keys[0].keys[i], keys[1].keys[i], ... Throws usage_error for a wrong
  /// number of columns, for columns of different length, for another kind of ids or keys than in the batches before, and after finish();
  /// input_error if the sink gets both a negative id and one above INT64_MAX; resource_error; cancelled.
  void add(id_column records, std::span<const key_column> keys);
  void add(id_column records, std::initializer_list<key_column> keys) { add(records, std::span{keys.begin(), keys.size()}); }
  /// Adds a batch with one column of keys.
  void add(id_column records, const key_column& keys) { add(records, std::span{&keys, 1}); }

  /// Counts of what was added so far; all are 0 after finish().
  [[nodiscard]] group_counts counts() const noexcept;

  /// Returns the groups and empties the sink, which takes no more records. Labels are canonical: the smallest id of the group, for strings
  /// the smallest in byte order. O(n log n). Throws large_value_error, usage_error if it was called before, resource_error.
  [[nodiscard]] components_result finish();

private:
  struct state;
  [[nodiscard]] state& open_state();

  hidden<state> state_;
};

struct group_file_options {
  std::uint64_t max_group = group_options::no_limit;  ///< values in more rows than this are an error, or are left out with leave_out
  bool leave_out = false;  ///< values in more than max_group rows join no records (each file is read twice); if false, they are an error
};

struct group_file_result {
  components_result result;
  group_counts counts;
  /// The values that occur more than max_group times, the most frequent first. large_value::column is an index in keyed_table::keys, or 0
  /// if the columns are one namespace.
  std::vector<large_value> left_out;
};

/// Groups the records of text tables, which together are one input. One pass; O(records + different values) memory, and more for each
/// repetition of an id unless keyed_table::by_line is set. Throws what group_sink and the readers throw; usage_error if leave_out would
/// have to read a pipe twice.
[[nodiscard]] group_file_result groups_of_files(std::span<const std::filesystem::path> paths, const io::keyed_table& table,
                                                const io::read_options& input = {}, const group_file_options& options = {},
                                                const execution& on = {});

}  // namespace copse
