// Tables whose records have keys: the id of each record and its values in some columns, in batches, while the text passes by.
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
  bool named = false;  ///< ids are strings
};

/// At most `most` records of one block. Views are valid during the call only.
struct keyed_batch {
  static constexpr std::size_t most = 4096;

  std::vector<std::string_view> names;                ///< ids that are strings,
  std::vector<std::uint64_t> numbers;                 ///< or integers, or places in the file
  std::vector<std::vector<std::string_view>> values;  ///< one vector per key column, one value per record; an empty value is missing

  [[nodiscard]] std::size_t size() const noexcept { return names.size() + numbers.size(); }
};

/// A record without an id is called by its line. While several workers read, none knows how many lines precede its own: then a record has a
/// place, and places, which ascend as lines do, become lines at the end.
class line_numbers {
public:
  static constexpr unsigned line_bits = 32;

  static std::uint64_t place(std::uint64_t block, std::uint64_t line_in_block) noexcept { return block << line_bits | line_in_block; }
  /// How many lines a block has, and how many stand before the first block. By one thread at a time.
  void set_lines(std::uint64_t block, std::uint64_t lines);
  void set_before(std::uint64_t lines) noexcept { before_ = lines; }
  /// Turns places into lines.
  void translate(std::span<std::uint64_t> places) const;

private:
  std::vector<std::uint64_t> lines_;  ///< number of lines in each block
  std::uint64_t before_ = 0;
};

/// Receives the records of one input: begin once, then batches, concurrently but never two at once with the same `worker`.
class keyed_sink {
public:
  virtual ~keyed_sink() = default;
  virtual void begin(const keyed_facts& facts) = 0;
  virtual void records(unsigned worker, const keyed_batch& batch) = 0;
  /// Has the meaning of edge_sink::ids_are_signed().
  virtual void ids_are_signed() = 0;
};

/// Reads tables as if they were one. Where records are called by their lines, the numbers are lines when one thread reads, otherwise
/// places; what turns these into lines comes back. Throws usage_error for several files without ids, input_error with file and line of the
/// first bad record.
line_numbers parse_keyed(std::span<const std::filesystem::path> paths, const keyed_table& table, const read_request& options,
                         keyed_sink& sink);

/// How such a table is laid out, found by looking at its first records.
struct laid_out_keyed {
  laid_out_table table;           ///< its columns: those of the id, and those of the keys
  std::uint64_t lines_above = 0;  ///< lines before the first record of data, the header included
};
laid_out_keyed lay_out_keyed(text_source& source, const std::filesystem::path& path, const keyed_table& table, const read_request& options);

}  // namespace copse::io
