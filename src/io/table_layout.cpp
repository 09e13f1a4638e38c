#include "io/table_layout.hpp"

#include "io/byte_stream.hpp"
#include "io/fields.hpp"

#include <copse/errors.hpp>

#include <algorithm>
#include <array>

namespace copse::io {
namespace {

constexpr std::size_t first_look_bytes = std::size_t{1} << 16;

// The first two records as one syntax would cut them, and what they look like then.
struct reading {
  record_syntax syntax;
  first_records head;
  std::vector<unsigned> columns;  // of the wanted ones; empty when a name is not there
  std::string missing_name, repeated_name;
  bool splits_first = false, splits_second = false;
  bool numeric_first = false, numeric_second = false;
  bool padded_first = false, padded_second = false;
  bool ids_named_first = false;  // by usual names of columns
  unsigned columns_first = 0;    // all of them
  record_fault fault_first = record_fault::none;
};

class table_look {
public:
  table_look(const table_request& request, format f, const read_options& options, const text_opener& open)
      : request_{request}, format_{f}, options_{options}, open_{open} {}

  laid_out_table decide() {
    read_in_every_way();
    const reading& chosen = choose();
    check_columns(chosen);
    laid_out_table result;
    result.head = chosen.head;
    table_layout& layout = result.layout;
    layout.syntax = chosen.syntax;
    layout.columns = chosen.columns;
    layout.header = is_header(chosen);
    const bool has_data = layout.header ? chosen.head.second.has_value() : chosen.head.first.has_value();
    layout.numeric = !has_data || (layout.header ? chosen.numeric_second : chosen.numeric_first);
    layout.padded_ids = has_data && (layout.header ? chosen.padded_second : chosen.padded_first);
    if (!layout.header && chosen.head.first) note_comment_like(chosen);
    return result;
  }

private:
  void read_in_every_way() {
    std::vector<record_syntax> ways;
    if (options_.delimiter) {
      ways.push_back(way(*options_.delimiter, *options_.delimiter == ' ' && format_ != format::csv));
    } else {
      if (request_.proposed != '\0') ways.push_back(way(request_.proposed, false));
      for (const char delimiter : {',', '\t', ';', '|'}) {
        if (delimiter != request_.proposed) ways.push_back(way(delimiter, false));
      }
      ways.push_back(way(' ', true));
    }
    for (std::size_t least = first_look_bytes;; least *= 2) {
      const auto [text, whole] = open_(least);
      readings_.clear();
      bool complete = true;
      for (const record_syntax& syntax : ways) {
        reading& now = readings_.emplace_back();
        now.syntax = syntax;
        now.head = find_first_records(text, syntax, whole);
        complete = complete && now.head.complete;
      }
      if (complete) break;
    }
    for (reading& now : readings_) look_at_records(now);
  }

  [[nodiscard]] record_syntax way(char delimiter, bool blanks) const {
    return {.delimiter = delimiter,
            .blanks = blanks,
            .quotes = format_ == format::csv,
            .trimmed = true,
            .comments = options_.comments.value_or(format_ == format::csv ? "" : "#%")};
  }

  void look_at_records(reading& now) const {
    find_columns(now);
    if (now.columns.empty()) return;
    field_picker picker{now.syntax, looked_for(now)};
    look_at(picker, now.head.first, now.splits_first, now.numeric_first, now.padded_first);
    if (now.splits_first) now.ids_named_first = all_ids(picker, [](std::string_view id) { return names_a_column(id); });
    look_at(picker, now.head.second, now.splits_second, now.numeric_second, now.padded_second);
  }

  [[nodiscard]] std::span<const unsigned> looked_for(const reading& now) const {
    return std::span{now.columns}.first(request_.only_ids ? request_.ids : now.columns.size());
  }

  void find_columns(reading& now) const {
    const bool by_name = std::any_of(request_.columns.begin(), request_.columns.end(), [](const column& c) { return c.named(); });
    std::vector<std::string> header;
    if (now.head.first) {
      field_picker all{now.syntax, {}};
      now.fault_first = all.pick(*now.head.first);
      now.columns_first = all.seen();
      for (const auto field : all.fields()) header.emplace_back(trimmed(field));
    }
    for (const column& wanted : request_.columns) {
      if (!wanted.named()) {
        now.columns.push_back(wanted.number());
        continue;
      }
      const auto found = std::find(header.begin(), header.end(), wanted.name());
      if (found == header.end() && now.missing_name.empty()) now.missing_name = wanted.name();
      if (found != header.end() && std::find(found + 1, header.end(), wanted.name()) != header.end()) now.repeated_name = wanted.name();
      now.columns.push_back(static_cast<unsigned>(found - header.begin()) + 1);
    }
    if (by_name && !now.missing_name.empty()) now.columns.clear();
  }

  template <class Is>
  bool all_ids(const field_picker& picker, Is is) const {
    for (std::size_t i = 0; i < request_.ids; ++i) {
      if (!is(picker[i])) return false;
    }
    return true;
  }

  [[nodiscard]] bool is_missing(std::string_view id) const {
    return std::find(options_.missing.begin(), options_.missing.end(), id) != options_.missing.end();
  }

  void look_at(field_picker& picker, const std::optional<std::string_view>& record, bool& splits, bool& numeric, bool& padded) const {
    splits = record && picker.pick(*record) == record_fault::none;
    if (!splits) return;
    bool any = false;  // a missing value is as good as a number, but does not make one
    numeric = all_ids(picker, [&](std::string_view id) {
      any = any || looks_numeric(trimmed(id));
      return looks_numeric(trimmed(id)) || is_missing(id);
    });
    numeric = numeric && any;
    padded = numeric && !all_ids(picker, [](std::string_view id) { return !has_leading_zeros(trimmed(id)); });
  }

  // Numbers for ids tell the delimiter; of strings, what the suffix proposes holds wherever the first records split so.
  const reading& choose() {
    const reading* chosen = nullptr;
    const auto take_first = [&](const auto& is) {
      for (const reading& now : readings_) {
        if (chosen == nullptr && is(now)) chosen = &now;
      }
    };
    if (options_.ids != id_kind::strings && options_.ids != id_kind::bytes) {
      take_first([](const reading& now) { return now.numeric_first; });
      take_first([](const reading& now) { return now.numeric_second; });
    }
    if (chosen == nullptr && request_.proposed != '\0' && splits_both(readings_.front())) chosen = &readings_.front();
    if (chosen == nullptr) chosen = choose_by_names();
    if (chosen == nullptr) chosen = request_.proposed != '\0' || options_.delimiter ? &readings_.front() : &readings_.back();
    if (request_.proposed != '\0' && !options_.delimiter && chosen != &readings_.front() && chosen->head.first) {
      note("separated by " + delimiter_text(chosen->syntax) + ", not by " + delimiter_text(readings_.front().syntax) +
           " (--delimiter decides otherwise)");
    }
    return *chosen;
  }

  static bool splits_both(const reading& now) { return now.splits_first && (!now.head.second || now.splits_second); }

  // Tabs tell most, blanks least; but `;` and `|` are parts of names where blanks make just the columns that are wanted.
  const reading* choose_by_names() {
    const reading& blanks = readings_.back();
    const unsigned wanted = blanks.columns.empty() ? 0 : *std::max_element(blanks.columns.begin(), blanks.columns.end());
    std::vector<const reading*> usual;
    for (const char delimiter : {'\t', ',', ';', '|'}) {
      if ((delimiter == ';' || delimiter == '|') && blanks.splits_first && blanks.columns_first == wanted) continue;
      for (const reading& now : readings_) {
        if (!now.syntax.blanks && now.syntax.delimiter == delimiter && now.columns_first > 1) usual.push_back(&now);
      }
    }
    usual.push_back(&blanks);
    const auto first = std::find_if(usual.begin(), usual.end(), [](const reading* now) { return splits_both(*now); });
    if (first == usual.end()) {
      const auto any = std::find_if(usual.begin(), usual.end(), [](const reading* now) { return now->splits_first; });
      return any == usual.end() ? nullptr : *any;
    }
    const auto other = std::find_if(first + 1, usual.end(), [&](const reading* now) { return !now->syntax.blanks && splits_both(*now); });
    if (other != usual.end()) {
      note("separated by " + delimiter_text((*first)->syntax) + " rather than by " + delimiter_text((*other)->syntax) +
           " (--delimiter decides otherwise)");
    }
    return *first;
  }

  bool is_header(const reading& chosen) const {
    const bool by_name = std::any_of(request_.columns.begin(), request_.columns.end(), [](const column& c) { return c.named(); });
    if (by_name && options_.header == false)
      throw usage_error{"columns by name: found that there is no header, expected one that names them"};
    if (options_.header) return *options_.header;
    if (by_name) return true;
    if (!chosen.head.first || chosen.numeric_first) return false;
    if (chosen.numeric_second) {
      const bool splits = std::any_of(readings_.begin(), readings_.end(), [](const reading& now) { return now.splits_first; });
      if (splits && options_.ids != id_kind::automatic && options_.ids != id_kind::integers) {
        note("the first line is not numeric, the second is: the first is taken as a header (--header decides otherwise)");
      }
      return splits;
    }
    if (chosen.ids_named_first) note("the first line names columns: it is taken as a header (--header decides otherwise)");
    return chosen.ids_named_first;
  }

  void check_columns(const reading& chosen) const {
    if (!chosen.head.first) return;
    const std::string_view header = *chosen.head.first;
    if (chosen.fault_first == record_fault::open_quote) {  // a header that is not looked at would be the whole file
      const auto [found, expected] = field_picker{chosen.syntax, {}}.refusal_of(chosen.fault_first, header);
      refuse(chosen, found, expected);
    }
    if (!chosen.missing_name.empty()) {
      refuse(chosen, "no column " + io::quoted(chosen.missing_name) + " in the header " + quoted(header), "one that names it");
    }
    if (!chosen.repeated_name.empty()) {
      refuse(chosen, "the column " + io::quoted(chosen.repeated_name) + " twice in the header " + quoted(header),
             "its name once, or its number");
    }
  }

  void note_comment_like(const reading& chosen) const {
    if (format_ != format::csv || options_.comments) return;
    const char first = chosen.head.first->empty() ? '\0' : chosen.head.first->front();
    if (first != '#' && first != '%') return;
    const std::string mark(1, first);
    if (!chosen.splits_first || &chosen != &readings_.front()) {
      refuse(chosen, "a line that begins with " + mark, "a record: CSV has no comments unless --comment '" + mark + "' says so");
    }
    note("the first line begins with " + mark + " and is a record: CSV has no comments unless --comment '" + mark + "' says so");
  }

  void note(const std::string& text) const {
    if (options_.observer != nullptr) options_.observer->note(request_.name + ": " + text);
  }
  [[noreturn]] void refuse(const reading& chosen, const std::string& found, const std::string& expected) const {
    const auto [text, whole] = open_(chosen.head.first_at);
    throw input_error::at(request_.name, 1 + count_line_ends(text.substr(0, chosen.head.first_at)), found, expected);
  }

  const table_request& request_;
  format format_;
  const read_options& options_;
  const text_opener& open_;
  std::vector<reading> readings_;  // what the suffix proposes first, blanks last
};

}  // namespace

first_records find_first_records(std::string_view text, const record_syntax& syntax, bool whole) noexcept {
  first_records found;
  for (std::size_t at = 0;;) {
    const std::string_view rest = text.substr(at);
    if (rest.empty()) break;
    std::string_view line = rest;
    std::size_t end = end_of_line(rest, whole);
    if (end == std::string_view::npos) return found;
    line = rest.substr(0, end);
    line = cut_line(line);
    if (!is_blank_record(line, syntax) && !is_comment(line, syntax)) {
      end = end_of_record(rest, syntax, whole);
      if (end == std::string_view::npos) return found;
      std::string_view record = rest.substr(0, end);
      record = cut_record(record, syntax);
      if (found.first) {
        found.second = record;
        break;
      }
      found.first = record;
      found.first_at = at;
      found.behind_first = at + end;
    }
    at += end;
  }
  found.complete = found.second.has_value() || whole;
  return found;
}

char proposed_delimiter(const std::filesystem::path& path, format f) {
  const auto suffix = (compression_by_suffix(path) == compression::none ? path : path.stem()).extension();
  return suffix == ".tsv" ? '\t' : f == format::csv ? ',' : '\0';
}

laid_out_table lay_out(const table_request& request, format f, const read_options& options, const text_opener& open) {
  return table_look{request, f, options, open}.decide();
}

bool has_leading_zeros(std::string_view id) noexcept {
  return id.size() > 1 && id.front() == '0' && std::all_of(id.begin(), id.end(), is_digit);
}

bool names_a_column(std::string_view field) {
  static constexpr std::array<std::string_view, 50> names{
      "id",      "ids",      "id1",        "id2",         "id_1",      "id_2",      "ida",      "idb",      "source",   "target",
      "src",     "dst",      "dest",       "destination", "from",      "to",        "left",     "right",    "u",        "v",
      "node",    "node1",    "node2",      "node_1",      "node_2",    "vertex",    "vertex1",  "vertex2",  "vertex_1", "vertex_2",
      "from_id", "to_id",    "fromid",     "toid",        "source_id", "target_id", "sourceid", "targetid", "src_id",   "dst_id",
      "left_id", "right_id", "fromnodeid", "tonodeid",    "from_node", "to_node",   "entity1",  "entity2",  "record1",  "record2"};
  static constexpr std::array<std::string_view, 8> endings{"_l", "_r", "_x", "_y", "_left", "_right", "_source", "_target"};
  std::string word = lower(trimmed(field));
  if (word.starts_with('#')) word = std::string{trimmed(std::string_view{word}.substr(1))};
  if (std::find(names.begin(), names.end(), word) != names.end()) return true;
  return std::any_of(endings.begin(), endings.end(), [&](std::string_view end) { return word.size() > end.size() && word.ends_with(end); });
}

}  // namespace copse::io
