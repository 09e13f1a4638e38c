// Writes a copy of a table's text in which every record has one more field: the component of its vertex.
#include "io/columnar_keys.hpp"
#include "io/fields.hpp"
#include "io/id_columns.hpp"
#include "io/keyed_records.hpp"
#include "io/table_layout.hpp"
#include "io/text_source.hpp"
#include "io/text_writer.hpp"

#include <copse/errors.hpp>

#include <algorithm>
#include <optional>
#include <string>

namespace copse::io {
namespace {

class appender {
public:
  appender(const record_syntax& syntax, const labelling& labels, text_writer& out) : syntax_{syntax}, labels_{labels}, out_{out} {}

  /// `record` includes the line end.
  void put_header(std::string_view record) {
    put(record, [&] { out_.put(std::string_view{"component"}); });
  }
  /// Copies `text`, and adds to each record the component of its vertex. `slot_of(record, whole)` returns the vertex of a record, and is
  /// called for comments and blank lines, too, which are copied as they are; `whole` is the record with its line end.
  template <class SlotOf>
  void put_records(std::string_view text, SlotOf slot_of) {
    while (!text.empty()) {
      const std::string_view from = text;
      const std::string_view record = cut_record(text, syntax_);
      const std::string_view whole = from.substr(0, from.size() - text.size());
      const std::optional<std::uint64_t> slot = slot_of(record, whole);
      if (is_blank_record(record, syntax_) || is_comment(record, syntax_)) {
        out_.put(whole);
        continue;
      }
      put(whole, [&] {
        if (slot && labels_.present(*slot)) put_component(labels_.label(*slot));
      });
    }
  }

private:
  /// Puts a record with the new field in front of its line end.
  template <class PutField>
  void put(std::string_view whole, PutField put_field) {
    const auto end = whole.find_last_not_of("\r\n");
    const std::size_t length = end == std::string_view::npos ? 0 : end + 1;
    const std::string_view record = whole.substr(0, length);
    out_.put(record);
    out_.put(!syntax_.blanks ? syntax_.delimiter : record.find('\t') == std::string_view::npos ? ' ' : '\t');
    put_field();
    out_.put(whole.substr(length));
  }
  void put_component(std::uint64_t label) {
    const vertex_names& names = labels_.names();
    if (labels_.is_numbered()) return out_.put(label);
    if (names.what() != vertex_names::kind::strings) return out_.put(id_text(names.integer(label), names.is_signed()));
    const std::string_view name = names.string(label);
    const bool comma_hidden = syntax_.quotes && name.find(syntax_.delimiter) != std::string_view::npos;
    if (!syntax_.quotes) return out_.put(name);
    comma_hidden ? out_.put_quoted(name) : out_.put_csv(name);
  }

  const record_syntax& syntax_;
  const labelling& labels_;
  text_writer& out_;
};

/// Finds the vertex whose id is in the given columns of a record.
class id_finder {
public:
  id_finder(const record_syntax& syntax, std::span<const unsigned> columns, const read_options& reading, const std::string& prefix,
            const vertex_names& names)
      : picker_{syntax, columns}, reading_{reading}, prefix_{prefix}, names_{names} {}

  std::optional<std::uint64_t> operator()(std::string_view record) {
    picker_.forget();
    if (picker_.pick(record) != record_fault::none) return std::nullopt;
    const std::span<const std::string_view> parts{picker_.fields()};
    integer_id number;
    bool numeric = false;
    if (const auto read = parts.size() == 1 ? signed_integer(parts.front()) : std::nullopt) {
      number = *read;
      numeric = true;
    }
    if (names_.what() != vertex_names::kind::strings) return numeric ? io::find(names_, number) : std::nullopt;
    if (prefix_.empty() && parts.size() == 1) return names_.find(parts.front());
    std::string name = prefix_;
    if (reading_.ids == id_kind::integers && numeric) {
      name += number.text();
    } else if (join_parts(parts, reading_.id_delimiter, name)) {
      return std::nullopt;
    }
    return names_.find(std::string_view{name});
  }

private:
  field_picker picker_;
  const read_options& reading_;
  const std::string& prefix_;
  const vertex_names& names_;
};

/// The options without an observer, which already received all notes when the file was first read.
read_request without_notes(const read_options& reading, const execution& on) {
  read_request quiet{reading, on};
  quiet.observer = nullptr;
  return quiet;
}

/// Copies the lines above the records, and the header with the name of the new column; then calls `put_block` for block after block of
/// records.
template <class PutBlock>
void copy(text_source& source, const laid_out_table& found, const labelling& labels, output_file& file, observer* observer,
          PutBlock put_block) {
  text_writer out{file};
  appender lines{found.layout.syntax, labels, out};
  const std::size_t above = found.layout.header ? found.head.behind_first : found.head.first_at;
  const std::string_view text = source.head(above).first;
  out.put(text.substr(0, found.head.first_at));
  if (found.layout.header) lines.put_header(text.substr(found.head.first_at, above - found.head.first_at));
  source.drop(above);
  source.cut_records(found.layout.syntax);
  text_block block;
  while (source.next(block)) {
    if (observer != nullptr && observer->cancel_requested()) throw cancelled{};
    put_block(lines, block.text);
  }
  out.flush();
  file.commit();
}

}  // namespace

void append_components(const std::filesystem::path& input, const read_options& reading, const labelling& labels,
                       const std::filesystem::path& output, const write_options& /*writing*/, const execution& on) {
  const format f = reading.format ? *reading.format : format_of(input);
  if (!is_edge_list(f))
    throw usage_error{input.string() + ": components can be appended to an edge list in text only, not to " + std::string{to_string(f)}};
  const read_request quiet = without_notes(reading, on);
  text_source source{input, quiet};
  const auto found =
      lay_out(request_for_edges(source.name(), input, f, quiet), f, quiet, [&](std::size_t least) { return source.head(least); });
  const table_layout& layout = found.layout;

  output_file file{output};
  id_finder find{layout.syntax, std::span{layout.columns}.first(layout.left), reading, reading.prefixes[0], labels.names()};
  copy(source, found, labels, file, on.observer, [&](appender& lines, std::string_view text) {
    lines.put_records(text, [&](std::string_view record, std::string_view) { return find(record); });
  });
}

void append_components(const std::filesystem::path& input, const keyed_table& table, const read_options& reading, const labelling& labels,
                       const std::filesystem::path& output, const write_options& /*writing*/, const execution& on) {
  if (is_columnar_table(input, reading)) {
    throw usage_error{input.string() + ": components can be appended to text only, not to a table of Parquet or Arrow"};
  }
  const read_request quiet = without_notes(reading, on);
  text_source source{input, quiet};
  const laid_out_keyed found = lay_out_keyed(source, input, table, quiet);

  output_file file{output};
  const std::string no_prefix;
  const std::span<const unsigned> columns{found.table.layout.columns};
  id_finder find{found.table.layout.syntax, columns.first(table.id ? table.id->size() : 0), reading, no_prefix, labels.names()};
  std::uint64_t line = 1 + found.lines_above;
  copy(source, found.table, labels, file, on.observer, [&](appender& lines, std::string_view text) {
    lines.put_records(text, [&](std::string_view record, std::string_view whole) {
      if (table.id) return find(record);
      const auto slot = labels.names().find(line);
      line += count_line_ends(whole);
      return slot;
    });
  });
}

}  // namespace copse::io
