// Groups of records that share values of keys, without making pairs: batches of ids and keys, united on arrival, none held.
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

/// The keys of a batch in one column: keys[i] belongs to the i-th record, unless present[i] is false. No `present`: all are there.
struct key_column {
  id_column keys;
  std::span<const bool> present = {};

  template <class Range>
  requires std::convertible_to<const Range&, id_column> key_column(const Range& values) : keys{values} {}  // NOLINT: on purpose
  key_column(id_column values, std::span<const bool> which) : keys{values}, present{which} {}
};

struct group_options {
  unsigned columns = 1;                     ///< number of key columns
  bool one_namespace = false;               ///< the same value in two columns is a link (an email given as a name)
  std::vector<std::string> missing = {""};  ///< strings that are no value: they never join
  std::uint64_t max_group = no_limit;       ///< finish() refuses values that came more often

  static constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();
};

/// A value that came more than max_group times, and how often (counted to 2^32 - 1).
struct large_value {
  unsigned column = 0;
  std::string value;
  std::uint64_t count = 0;
  friend bool operator==(const large_value&, const large_value&) = default;
};

/// Thrown if values come too often; its text names the most frequent ones.
class large_value_error : public input_error {
public:
  /// The text calls column i keys[i], unless it has a name.
  large_value_error(std::vector<large_value> found, const std::vector<std::string>& column_names, std::uint64_t max_group);
  /// All values that came too often, the most frequent first.
  [[nodiscard]] const std::vector<large_value>& values() const noexcept { return values_; }

private:
  std::vector<large_value> values_;
};

/// What a grouping is made of, in addition to its labels.
struct group_counts {
  std::uint64_t rows = 0;     ///< that were added
  std::uint64_t keys = 0;     ///< values that were there
  std::uint64_t missing = 0;  ///< values that were not
  std::uint64_t values = 0;   ///< different ones; columns apart, unless they are one namespace
};

/// Takes records with their keys in any number of batches and answers once: records that share a value in a column are together, and so are
/// those linked by a chain of such records. Record ids are integers, which may be negative unless others are above INT64_MAX, or strings
/// with any bytes, but not both; at most 2^32 - 1 of them. An id may come again: then its keys are added to the record. The keys of a
/// column are signed integers, unsigned integers or strings.
///
/// Memory is O(records + different values), however often they come: per record 20 to 28 bytes where ids are integers, up to 40 in addition
/// to the bytes of a string; per value 21 to 32 bytes where it is an integer, 20 to 26 in addition to its bytes where it is a string. The
/// answer depends on neither order, batches nor threads. Calls on one sink may not overlap.
///
/// An error in the batch itself leaves the sink as it was. After a resource_error or cancelled the sink holds a part of the batch; any
/// further call but the destructor throws usage_error.
class group_sink {
public:
  /// Progress counts keys; their total is unknown. Throws usage_error without a column, resource_error.
  explicit group_sink(const group_options& options = {}, const execution& on = {});

  /// Adds a batch: row i is the record records[i] with the values keys[0].keys[i], keys[1].keys[i], ... Throws usage_error for another
  /// number of columns, for columns of different length, for another kind of ids or keys than in the batches before, and after finish();
  /// input_error for a negative id and one above INT64_MAX in one sink; resource_error; cancelled.
  void add(id_column records, std::span<const key_column> keys);
  void add(id_column records, std::initializer_list<key_column> keys) { add(records, std::span{keys.begin(), keys.size()}); }
  /// Adds a batch with one column of keys.
  void add(id_column records, const key_column& keys) { add(records, std::span{&keys, 1}); }

  /// What was added so far; all numbers are 0 after finish().
  [[nodiscard]] group_counts counts() const noexcept;

  /// The answer. Labels are canonical: the smallest id of the group, of strings the smallest by bytes. The sink is empty afterwards and
  /// takes no more. O(n log n). Throws large_value_error, usage_error when it was called before, resource_error.
  [[nodiscard]] components_result finish();

private:
  struct state;
  [[nodiscard]] state& open_state();

  hidden<state> state_;
};

struct group_file_options {
  std::uint64_t max_group = group_options::no_limit;  ///< values that come more often are refused,
  bool leave_out = false;                             ///< or join nothing: then every file is read twice
};

struct group_file_result {
  components_result result;
  group_counts counts;
  std::vector<large_value> left_out;  ///< the most frequent first; `column` counts the keys of the table, 0 where they are one namespace
};

/// Groups the records of tables in text, which are one input. One pass; O(records + different values) memory, where an id that comes again
/// in a table that is not by_line takes memory each time. Throws what group_sink and the readers throw; usage_error where leave_out would
/// have to read a pipe twice.
[[nodiscard]] group_file_result groups_of_files(std::span<const std::filesystem::path> paths, const io::keyed_table& table,
                                                const io::read_options& input = {}, const group_file_options& options = {},
                                                const execution& on = {});

}  // namespace copse
