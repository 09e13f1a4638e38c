// Streams tables whose records have keys: passes the id of each record and its values in some columns on, in batches.
#pragma once
#include <copse/io.hpp>
#include <copse/keyed_table.hpp>
#include <io/table_layout.hpp>
#include <io/text_source.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

namespace copse::io {

/// The facts about a table that are known before the first batch.
struct keyed_facts {
  unsigned workers = 1;
  bool named = false;  ///< true if ids are strings
};

/// At most `most` records of one block. Views are valid only during the call that gets the batch.
struct keyed_batch {
  static constexpr std::size_t most = 4096;

  std::vector<std::string_view> names;  ///< the ids, if they are strings
  /// the ids, if they are integers; for records without ids, the numbers of their lines, or, if several workers read, places
  /// (line_numbers::place()) that are translated to line numbers at the end
  std::vector<std::uint64_t> numbers;
  std::vector<std::vector<std::string_view>> values;  ///< one vector per key column, one value per record; an empty value is missing

  [[nodiscard]] std::size_t size() const noexcept { return names.size() + numbers.size(); }
};

/// Numbers the lines of records without ids, which are named by their lines. While several workers read, it is not yet known how many lines
/// precede a block: then a record gets a place instead (its block, and its line in the block). Places are in the order of lines, and are
/// translated to line numbers at the end.
class line_numbers {
public:
  static constexpr unsigned line_bits = 32;

  static std::uint64_t place(std::uint64_t block, std::uint64_t line_in_block) noexcept { return block << line_bits | line_in_block; }
  /// Stores the number of lines in a block. Not thread-safe.
  void set_lines(std::uint64_t block, std::uint64_t lines);
  /// Stores the number of lines above the first block.
  void set_before(std::uint64_t lines) noexcept { before_ = lines; }
  /// Replaces results of place() by line numbers.
  void translate(std::span<std::uint64_t> places) const;

private:
  std::vector<std::uint64_t> lines_;  ///< number of lines in each block
  std::uint64_t before_ = 0;
};

/// Receives the records of one input: one call of begin(), then batches. Batches may come concurrently, but never two at once with the same
/// `worker`.
class keyed_sink {
public:
  virtual ~keyed_sink() = default;
  virtual void begin(const keyed_facts& facts) = 0;
  virtual void records(unsigned worker, const keyed_batch& batch) = 0;
  /// Called if some id is negative, as edge_sink::ids_are_signed() is.
  virtual void ids_are_signed() = 0;
};

/// Reads the tables at `paths` as one. If records are named by their lines, the sink gets line numbers if a single thread reads; otherwise
/// it gets results of line_numbers::place(), which the returned object translates to line numbers. Throws usage_error for several files
/// without ids, input_error with file and line of the first bad record.
line_numbers parse_keyed(std::span<const std::filesystem::path> paths, const keyed_table& table, const read_request& options,
                         keyed_sink& sink);

/// The layout of a table of records with keys, determined from its first records.
struct laid_out_keyed {
  laid_out_table table;           ///< columns of the id, then columns of the keys
  std::uint64_t lines_above = 0;  ///< number of lines above the first record of data, including the header
};
laid_out_keyed lay_out_keyed(text_source& source, const std::filesystem::path& path, const keyed_table& table, const read_request& options);

}  // namespace copse::io
