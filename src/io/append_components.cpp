// The records of an edge list once more, as they stand, each with its component behind: what a table of pairs is joined with most often.
#include "io/fields.hpp"
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
  appender(const record_syntax& syntax, std::span<const unsigned> columns, const read_options& reading, const labelling& labels,
           text_writer& out)
      : syntax_{syntax}, picker_{syntax, columns}, reading_{reading}, labels_{labels}, out_{out} {}

  /// `record` has its line end.
  void put_header(std::string_view record) {
    put(record, [&] { out_.put(std::string_view{"component"}); });
  }
  void put_records(std::string_view text) {
    while (!text.empty()) {
      const std::string_view from = text;
      const std::string_view record = cut_record(text, syntax_);
      const std::string_view whole = from.substr(0, from.size() - text.size());
      if (is_blank_record(record, syntax_) || is_comment(record, syntax_)) {
        out_.put(whole);
        continue;
      }
      std::optional<std::uint64_t> slot;
      if (picker_.pick(record) == record_fault::none) slot = slot_of(picker_[0]);
      put(whole, [&] {
        if (slot && labels_.present(*slot)) put_component(labels_.label(*slot));
      });
      picker_.forget();
    }
  }

private:
  [[nodiscard]] std::optional<std::uint64_t> slot_of(std::string_view id) const {
    const auto number = integer(trimmed(id));
    if (const std::string& prefix = reading_.prefixes[0]; !prefix.empty()) {
      const bool as_number = reading_.ids == id_kind::integers && number;
      return labels_.names().find(as_number ? prefix + std::to_string(*number) : prefix + std::string{id});
    }
    if (labels_.names().what() == vertex_names::kind::strings) return labels_.names().find(id);
    return number ? labels_.names().find(*number) : std::nullopt;
  }
  /// The new field goes before the line end.
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
    if (names.what() != vertex_names::kind::strings) return out_.put(names.integer(label));
    const std::string_view name = names.string(label);
    const bool comma_hidden = syntax_.quotes && name.find(syntax_.delimiter) != std::string_view::npos;
    if (!syntax_.quotes) return out_.put(name);
    comma_hidden ? out_.put_quoted(name) : out_.put_csv(name);
  }

  const record_syntax& syntax_;
  field_picker picker_;
  const read_options& reading_;
  const labelling& labels_;
  text_writer& out_;
};

}  // namespace

void append_components(const std::filesystem::path& input, const read_options& reading, const labelling& labels,
                       const std::filesystem::path& output, const write_options& writing) {
  const format f = reading.format ? *reading.format : format_of(input);
  if (!is_edge_list(f)) throw usage_error{input.string() + ": found " + std::string{to_string(f)} + ", expected an edge list in text"};
  read_options quiet = reading;  // all was said when it was read for the answer
  quiet.observer = nullptr;
  text_source source{input, quiet};
  const table_request request{
      .name = source.name(), .columns = {reading.columns[0], reading.columns[1]}, .proposed = proposed_delimiter(input, f)};
  const auto [found, head] = lay_out(request, f, quiet, [&](std::size_t least) { return source.head(least); });
  table_layout layout = found;
  layout.syntax.trimmed = !(labels.names().what() == vertex_names::kind::strings && f == format::csv);

  output_file file{output};
  text_writer out{file};
  appender lines{layout.syntax, layout.columns, reading, labels, out};
  if (layout.header) {
    const std::string_view text = source.head(head.behind_first).first;
    out.put(text.substr(0, head.first_at));
    lines.put_header(text.substr(head.first_at, head.behind_first - head.first_at));
    source.drop(head.behind_first);
  }
  source.cut_records(layout.syntax);
  text_block block;
  while (source.next(block)) {
    if (writing.observer != nullptr && writing.observer->cancel_requested()) throw cancelled{};
    lines.put_records(block.text);
  }
  out.flush();
  file.commit();
}

}  // namespace copse::io
