#include "io/keyed_records.hpp"

#include <copse/errors.hpp>

#include <algorithm>
#include <array>
#include <deque>
#include <mutex>
#include <optional>
#include <string>

#include "io/columnar_keys.hpp"
#include "io/fields.hpp"
#include "io/header_of_parts.hpp"
#include "io/id_columns.hpp"
#include "io/id_records.hpp"
#include "io/late_comments.hpp"
#include "io/source.hpp"

namespace copse::io {
namespace {

struct keyed_layout : table_layout {
  bool named = false;  ///< true if ids are strings
  std::uint64_t lines_above = 0;
};

/// Reads the records of one block in batches.
class keyed_block {
public:
  keyed_block(const text_source& source, const text_block& block, const keyed_layout& layout, const keyed_table& table,
              const read_request& options, std::uint64_t first_block)
      : source_{source},
        block_{block},
        layout_{layout},
        table_{table},
        options_{options},
        block_order_{first_block + block.index},
        fields_{layout.syntax, layout.columns},
        comments_{layout, layout.named, options} {
    fields_.watch(layout.named ? 0 : id_size(), layout.columns.size());
    batch_.values.resize(table.keys.size());
  }

  /// Reads the next batch; returns false at the end of the block. `first_line` is the number of the block's first line; if several workers
  /// read, it is not known yet, and line_numbers::place() of that line takes its place.
  bool next(std::uint64_t first_line) {
    clear();
    while (!rest_.empty() && batch_.size() < keyed_batch::most) {
      const std::string_view before = rest_;
      const std::string_view record = cut_record(rest_, layout_.syntax);
      const std::uint64_t line = lines_;
      if (!table_.id) lines_ += count_line_ends(before.substr(0, before.size() - rest_.size()));
      if (is_blank_record(record, layout_.syntax)) continue;
      if (!is_comment(record, layout_.syntax)) {
        take(record, first_line + line);
        continue;
      }
      comments_.take(record, [&](const std::string& found, const std::string& expected, std::vector<remedy> remedies) {
        throw ambiguous_input{input_error::at(source_.name(), source_.line_of(block_, record.data()), found, expected),
                              std::move(remedies)};
      });
    }
    return batch_.size() != 0;
  }
  [[nodiscard]] const keyed_batch& batch() const noexcept { return batch_; }
  void add_to(read_counts& counts) const {
    counts.comment_lines += comments_.count();
    counts.late_comment_lines += comments_.count();
    counts.trimmed_fields += fields_.trimmed_fields();
  }
  /// Number of line ends so far; counted only if records are named by their lines.
  [[nodiscard]] std::uint64_t lines() const noexcept { return lines_; }

private:
  void clear() {
    batch_.names.clear();
    batch_.numbers.clear();
    for (auto& column : batch_.values) column.clear();
    joined_.clear();
    fields_.forget();
  }

  void take(std::string_view record, std::uint64_t line) {
    if (const auto fault = fields_.pick(record); fault != record_fault::none) {
      const auto [found, expected] = fields_.refusal_of(fault, record);
      refuse_record(record, found, expected);
    }
    if (!table_.id) {
      batch_.numbers.push_back(line);
    } else if (layout_.named) {
      batch_.names.push_back(name_of(record));
    } else {
      batch_.numbers.push_back(checked_integer(record, fields_[0]));
    }
    const std::size_t first = id_size();
    for (std::size_t i = 0; i < batch_.values.size(); ++i) {
      const std::string_view value = fields_[first + i];
      batch_.values[i].push_back(is_missing(value) ? std::string_view{} : value);
    }
  }

  [[nodiscard]] std::size_t id_size() const noexcept { return table_.id ? table_.id->size() : 0; }
  [[nodiscard]] std::string_view name_of(std::string_view record) {
    const auto parts = std::span{fields_.fields()}.first(id_size());
    for (std::size_t i = 0; i < parts.size(); ++i) check_name(record, parts[i], i);
    if (parts.size() == 1) return parts.front();
    std::string& whole = joined_.emplace_back();
    if (const auto bad = join_parts(parts, options_.id_delimiter, whole)) {
      const auto [found, expected] = refusal_of_part(parts[*bad], options_.id_delimiter);
      refuse_record(record, found, expected);
    }
    return whole;
  }
  void check_name(std::string_view record, std::string_view name, std::size_t part) const {
    if (name.empty() || is_missing(name)) refuse_record(record, name.empty() ? "no id" : "the missing id " + quoted(name), id_text(part));
    if (options_.ids != id_kind::bytes && !is_utf8(name)) refuse_record(record, quoted(name), "an id in UTF-8, or the option ids bytes");
  }
  [[nodiscard]] std::uint64_t checked_integer(std::string_view record, std::string_view field) {
    const auto value = signed_integer(field);
    if (!value) refuse_record(record, describe_not_integer(field), "an integer as " + id_text());
    if (options_.ids == id_kind::automatic && has_leading_zeros(field)) {
      refuse_record(record, "the id " + std::string{field} + " with leading zeros",
                    "the option ids int, which takes it for " + value->text() + ", or the option ids string, which tells them apart");
    }
    if (bool& noted = noted_[value->negative ? 1 : 0]; has_sign_bit(value->word) && !noted) {
      noted = true;
      options_.signs->note(value->word, value->negative, block_order_, static_cast<std::uint64_t>(record.data() - block_.text.data()),
                           [&] { return source_.name() + ":" + std::to_string(source_.line_of(block_, record.data())); });
    }
    return value->word;
  }
  [[nodiscard]] bool is_missing(std::string_view value) const {
    return !value.empty() && std::find(options_.missing.begin(), options_.missing.end(), value) != options_.missing.end();
  }
  [[nodiscard]] std::string id_text(std::size_t part = 0) const { return "an id in column " + std::to_string(layout_.columns[part]); }
  [[noreturn]] void refuse_record(std::string_view record, std::string_view found, std::string_view expected) const {
    refuse(source_, block_, record.data(), found, expected);
  }

  const text_source& source_;
  const text_block& block_;
  const keyed_layout& layout_;
  const keyed_table& table_;
  const read_request& options_;
  // index of the block in the whole input, by which options.signs finds the first negative id and the first above INT64_MAX
  std::uint64_t block_order_;
  std::array<bool, 2> noted_{};  // true once this block had an id above INT64_MAX, or a negative one
  field_picker fields_;
  late_comments comments_;
  std::string_view rest_ = block_.text;
  std::uint64_t lines_ = 0;
  keyed_batch batch_;
  std::deque<std::string> joined_;  // owns string ids that are joined from several columns
};

format format_of_table(const std::filesystem::path& path, const keyed_table& table, const read_options& options) {
  if (options.format) return *options.format;
  const auto plain = compression_by_suffix(path) == compression::none ? path : path.stem();
  return table.by_line && plain.extension() != ".csv" ? format::edges : format::csv;
}

void check(std::span<const std::filesystem::path> paths, const keyed_table& table, const read_request& options) {
  if (paths.empty()) throw usage_error{"give at least one input"};
  if (table.keys.empty()) throw usage_error{"give at least one column of keys"};
  if (table.id) expect_id_columns(*table.id, options);
  if (!table.id && paths.size() > 1) {
    throw usage_error{std::to_string(paths.size()) +
                      " files need a column of ids (the option id): without one a record is named by the number of its line, and every "
                      "file has a line 1"};
  }
  if (options.format && !is_edge_list(*options.format) && !is_columnar(*options.format)) {
    throw usage_error{"a table has the format edges, csv, parquet or arrow, not " + std::string{to_string(*options.format)}};
  }
}

/// Determines the layout from the first records of `source`, and removes the header from it. `named` is set if there were files before:
/// true if their ids are strings.
keyed_layout begin_records(text_source& source, const std::filesystem::path& path, const keyed_table& table, const read_request& options,
                           std::optional<bool> named) {
  const laid_out_keyed laid_out = lay_out_keyed(source, path, table, options);
  const auto& [found, head] = laid_out.table;
  keyed_layout layout{found};
  layout.lines_above = laid_out.lines_above;
  const bool strings = options.ids == id_kind::strings || options.ids == id_kind::bytes || (table.id && table.id->joined());
  const bool may_switch = table.id && !strings && options.ids == id_kind::automatic && !named;
  layout.named = table.id && (named ? *named : strings || (may_switch && (!found.numeric || found.padded_ids)));
  if (may_switch && layout.named && !found.header && !options.header && !head.empty() && options.observer != nullptr) {
    options.observer->note(source.name() + ": the ids are strings, those of the first line too (the option header decides otherwise)");
  }
  source.drop(found.header ? head.behind_first : head.first_at);
  source.cut_records(layout.syntax);
  return layout;
}

/// What is kept from one file to the next when several files are read as one table.
struct continued {
  unsigned workers;
  std::optional<bool> named;  ///< true if the ids of the first file are strings
  bool begun = false;
};

void parse_one(const std::filesystem::path& path, const keyed_table& table, const read_request& options, keyed_sink& sink, continued& all,
               line_numbers& lines) {
  text_source source{path, options};
  const keyed_layout layout = begin_records(source, path, table, options, all.named);
  if (!all.begun) sink.begin({.workers = all.workers, .named = layout.named});
  all.begun = true;
  all.named = layout.named;

  read_counts counts;
  std::mutex guard;
  const std::uint64_t first_block = options.signs->next_source();
  std::uint64_t line = layout.lines_above + 1;  // number of the block's first line; used if a single worker reads
  on_blocks<text_block>(source, all.workers, [&](unsigned worker, const text_block& block) {
    keyed_block records{source, block, layout, table, options, first_block};
    const std::uint64_t first = all.workers == 1 ? line : line_numbers::place(block.index, 0);
    while (records.next(first)) sink.records(worker, records.batch());
    records.add_to(counts);
    if (table.id) return;
    const std::lock_guard lock{guard};
    line += records.lines();
    lines.set_lines(block.index, records.lines());
  });
  lines.set_before(layout.lines_above);
  tell_counts(source.name(), counts, options);
}

}  // namespace

table_request request_for_keys(const std::string& name, const std::filesystem::path& path, format f, const keyed_table& table) {
  table_request request{.name = name, .columns = {}, .proposed = proposed_delimiter(path, f)};
  if (table.id) request.columns = table.id->columns();
  // without a column of ids, the key columns show whether there is a header
  request.ids = table.id ? table.id->size() : table.keys.size();
  if (table.id && table.id->is_presumed())
    request.presumed = table.by_line ? table_request::presumption::columns : table_request::presumption::id;
  request.columns.insert(request.columns.end(), table.keys.begin(), table.keys.end());
  return request;
}

laid_out_keyed lay_out_keyed(text_source& source, const std::filesystem::path& path, const keyed_table& table,
                             const read_request& options) {
  const format f = format_of_table(path, table, options);
  laid_out_keyed laid_out;
  laid_out.table =
      lay_out(request_for_keys(source.name(), path, f, table), f, options, [&](std::size_t least) { return source.head(least); });
  const first_records& head = laid_out.table.head;
  const std::size_t above = laid_out.table.layout.header ? head.behind_first : head.first_at;
  laid_out.lines_above = count_line_ends(source.head(above).first.substr(0, above));
  return laid_out;
}

void line_numbers::set_lines(std::uint64_t block, std::uint64_t lines) {
  if (block >= lines_.size()) lines_.resize(block + 1);
  lines_[block] = lines;
}

void line_numbers::translate(std::span<std::uint64_t> places) const {
  std::vector<std::uint64_t> first_lines(lines_.size());
  std::uint64_t line = before_ + 1;
  for (std::size_t block = 0; block < lines_.size(); ++block) {
    first_lines[block] = line;
    line += lines_[block];
  }
  for (std::uint64_t& place : places) place = first_lines[place >> line_bits] + (place & ((std::uint64_t{1} << line_bits) - 1));
}

line_numbers parse_keyed(std::span<const std::filesystem::path> paths, const keyed_table& table, const read_request& options,
                         keyed_sink& sink) {
  check(paths, table, options);
  continued all{.workers = usable_threads(options.threads), .named = std::nullopt};
  line_numbers lines;
  ids::id_signs signs{[&sink] { sink.ids_are_signed(); }};
  read_request of_each = options;
  of_each.signs = &signs;
  const auto is_named = [](const column& c) { return c.named(); };
  const bool by_name = (table.id && table.id->named()) || std::ranges::any_of(table.keys, is_named);
  if (by_name && !options.header) of_each.header = true;
  const header_of_parts header{paths, of_each, [&](const auto& path) {
                                 return is_columnar_table(path, options) ? format::parquet : format_of_table(path, table, options);
                               }};
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (is_columnar_table(paths[i], options)) {
      of_each.header = options.header;
      all.named = while_reading(
          paths[i], [&] { return parse_columnar_keys(paths[i], table, of_each, all.workers, all.named, !all.begun, sink, lines); });
      all.begun = true;
      continue;
    }
    of_each.header = header.header_of(i);
    while_reading(paths[i], [&] { parse_one(paths[i], table, of_each, sink, all, lines); });
  }
  signs.expect_one_kind();
  return lines;
}

}  // namespace copse::io
