#include "io/id_records.hpp"
#include "io/readers.hpp"

#include "io/id_columns.hpp"
#include "io/plain_pairs.hpp"

#include <copse/errors.hpp>

#include <algorithm>

namespace copse::io {
namespace {

bool asks_for_strings(const read_options& options, const table_layout& found) {
  return options.ids == id_kind::strings || options.ids == id_kind::bytes || !options.prefixes[0].empty() || !options.prefixes[1].empty() ||
         options.columns[0].joined() || found.left > 1;
}

void note_strings(const text_source& source, const table_layout& found, const read_request& options) {
  if (options.observer == nullptr) return;
  std::string text = source.name() + (found.padded_ids ? ": ids with leading zeros" : ": the ids are not numeric") + ": read as strings";
  if (!found.padded_ids && !found.header && !options.header) text += ", those of the first line too (the option header decides otherwise)";
  options.observer->note(text);
}

}  // namespace

id_layout lay_out_ids(text_source& source, const table_request& request, format f, const read_request& options, std::optional<bool> named) {
  const auto [found, head] = lay_out(request, f, options, [&](std::size_t least) { return source.head(least); });
  id_layout layout{found};
  layout.weighted = found.columns.size() > found.ids;
  const bool strings = asks_for_strings(options, found);
  const bool may_switch = !named && options.ids == id_kind::automatic && !options.vertices && !strings;
  layout.named = named ? *named : strings || (may_switch && (!found.numeric || found.padded_ids));
  if (layout.named && may_switch) note_strings(source, found, options);
  const std::size_t behind = found.header ? head.behind_first : head.first_at;
  std::string_view above = source.head(behind).first.substr(0, head.first_at);
  std::uint64_t comment_lines = 0;
  while (!above.empty()) comment_lines += is_comment(cut_line(above), layout.syntax) ? 1 : 0;
  if (options.counts != nullptr) options.counts->comment_lines += comment_lines;
  source.drop(behind);
  source.cut_records(layout.syntax);
  return layout;
}

id_records::id_records(const text_source& source, const text_block& block, const id_layout& layout, const read_request& options,
                       std::uint64_t first_block, weight_rule* weights)
    : source_{source},
      block_{block},
      layout_{layout},
      options_{options},
      block_order_{first_block + block.index},
      weights_{weights},
      fields_{layout.syntax, layout.columns},
      comments_{layout, layout.named, options},
      any_plain_{layout.named && layout.ids == 2 && !layout.weighted && layout.columns == std::vector{1u, 2u} &&
                 layout.prefixes == std::array<std::string, 2>{}} {
  fields_.watch(0, layout.named ? layout.ids : 0);
}

id_records::~id_records() {
  if (weights_ != nullptr) weights_->add(weighed_);
  if (options_.counts == nullptr) return;
  options_.counts->comment_lines.fetch_add(comments_.count(), std::memory_order_relaxed);
  options_.counts->late_comment_lines.fetch_add(comments_.count(), std::memory_order_relaxed);
  options_.counts->missing_ends.fetch_add(missing_ends_, std::memory_order_relaxed);
  options_.counts->trimmed_fields.fetch_add(fields_.trimmed_fields(), std::memory_order_relaxed);
}

bool id_records::take(std::string_view& text) {
  record_ = cut_record(text, layout_.syntax);
  left_out_ = false;
  if (is_blank_record(record_, layout_.syntax)) return false;
  if (is_comment(record_, layout_.syntax)) {
    comments_.take(record_, [&](const std::string& found, const std::string& expected, std::vector<remedy> remedies) {
      throw ambiguous_input{input_error::at(source_.name(), source_.line_of(block_, record_.data()), found, expected), std::move(remedies)};
    });
    return false;
  }
  if (const auto fault = fields_.pick(record_); fault != record_fault::none) {
    const auto [found, expected] = fields_.refusal_of(fault, record_);
    refuse_record(found, expected);
  }
  for (std::size_t i = 0; i < layout_.ids; ++i) {
    if (!is_missing(fields_[i])) continue;
    ++missing_ends_;
    left_out_ = true;
    return false;
  }
  left_out_ = layout_.weighted && !is_heavy();
  return !left_out_;
}

std::optional<named_edge> id_records::take_plain(std::string_view& text) const {
  if (!any_plain_) return std::nullopt;
  const auto pair = plain_pair(text, layout_.syntax);
  if (!pair || is_missing(pair->u) || is_missing(pair->v)) return std::nullopt;
  cut_behind(*pair, text);
  return pair;
}

std::uint64_t id_records::integer_id(std::size_t which) {
  const auto [value, negative] = checked_integer(which);
  if (!options_.vertices) {
    if (has_sign_bit(value) && !noted_[negative ? 1 : 0]) [[unlikely]] {
      noted_[negative ? 1 : 0] = true;
      options_.signs->note(value, negative, block_order_, static_cast<std::uint64_t>(record_.data() - block_.text.data()),
                           [&] { return source_.name() + ":" + std::to_string(source_.line_of(block_, record_.data())); });
    }
    return value;
  }
  if (!negative && value >= options_.first_vertex && value - options_.first_vertex < *options_.vertices)
    return value - options_.first_vertex;
  const std::string declared = options_.first_vertex == 0 ? "one below " + std::to_string(*options_.vertices)
                                                          : "one from " + std::to_string(options_.first_vertex) + " to " +
                                                                std::to_string(options_.first_vertex + *options_.vertices - 1);
  refuse_record("the id " + id_text(value, negative),
                declared + ", the declared vertices" + (negative ? " (without the option vertices, ids may be negative)" : ""));
}

io::integer_id id_records::checked_integer(std::size_t which) const {
  const std::string_view field = fields_[which];
  const auto value = signed_integer(field);
  if (!value) refuse_record(describe_not_integer(field), std::string{any_integer_id} + in_column(which));
  if (options_.ids == id_kind::automatic && has_leading_zeros(field)) {
    refuse_record("the id " + std::string{field} + " with leading zeros",
                  "the option ids int, which takes it for " + value->text() + ", or the option ids string, which tells them apart");
  }
  return *value;
}

std::string_view id_records::checked_part(std::size_t which) const {
  const std::string_view part = fields_[which];
  if (part.empty()) refuse_record("an empty field", "a string id" + in_column(which));
  if (options_.ids != id_kind::bytes && !is_utf8(part)) refuse_record(quoted(part), "a string id in UTF-8" + in_column(which));
  return part;
}

std::string_view id_records::name(std::size_t which) {
  const std::string& prefix = layout_.prefixes[which];
  if (layout_.left == 1 && prefix.empty()) return checked_part(which);
  const std::size_t first = which == 0 ? 0 : layout_.left;
  const auto parts = std::span{fields_.fields()}.subspan(first, which == 0 ? layout_.left : layout_.ids - layout_.left);
  for (std::size_t i = 0; i < parts.size(); ++i) static_cast<void>(checked_part(first + i));
  std::string& whole = built_names_.emplace_back(prefix);
  if (options_.ids == id_kind::integers) return whole.append(checked_integer(which).text());
  if (const auto bad = join_parts(parts, options_.id_delimiter, whole)) {
    const auto [found, expected] = refusal_of_part(parts[*bad], options_.id_delimiter);
    refuse_record(found + "," + in_column(first + *bad), expected);
  }
  return whole;
}

void id_records::forget() {
  fields_.forget();
  built_names_.clear();
}

bool id_records::is_missing(std::string_view field) const {
  return !options_.missing.empty() && std::find(options_.missing.begin(), options_.missing.end(), field) != options_.missing.end();
}

bool id_records::is_heavy() {
  const std::string_view field = fields_[layout_.ids];
  const judged_weight found = weights_->judge(trimmed(field));
  if (found.verdict == weight_verdict::not_a_number) refuse_record(quoted(field), "a number as weight" + in_column(layout_.ids));
  weight_ = found.weight;
  return weighed_.count(found);
}

std::string id_records::in_column(std::size_t which) const { return " in column " + std::to_string(layout_.columns[which]); }

void id_records::refuse_record(std::string_view found, std::string_view expected) const {
  refuse(source_, block_, record_.data(), found, expected);
}

void tell_counts(const std::string& name, const read_counts& found, const read_request& options) {
  if (options.counts != nullptr) {
    options.counts->comment_lines += found.comment_lines;
    options.counts->late_comment_lines += found.late_comment_lines;
    options.counts->missing_ends += found.missing_ends;
    options.counts->trimmed_fields += found.trimmed_fields;
  }
  if (options.observer == nullptr) return;
  const auto note = [&](std::uint64_t count, const std::string& one, const std::string& many) {
    if (count != 0) options.observer->note(name + ": " + std::to_string(count) + (count == 1 ? one : many));
  };
  note(found.late_comment_lines, " comment line follows the first record (the option comment decides what is one)",
       " comment lines follow the first record (the option comment decides what is one)");
  note(found.trimmed_fields, " field had blanks around it, which are no part of it (the option trim no keeps them)",
       " fields had blanks around them, which are no part of them (the option trim no keeps them)");
}

// Tables of vertices: every id in them is a vertex of the graph, even if no edge names it.
namespace {

constexpr std::size_t batch_ids = 1024;

// The options for tables of vertices: each table has its own delimiter and header, and no weights.
read_request options_of_tables(const read_request& options) {
  read_request own = options;
  own.delimiter.reset();
  own.header.reset();
  own.weight_column.reset();
  own.min_weight.reset();
  return own;
}

/// `parts` is the number of columns in an id of the edges. If no columns were chosen, the header may name them.
table_request request_for(const vertex_table& table, format f, std::size_t parts) {
  table_request request{.name = table.path.string(), .columns = table.id.columns(), .proposed = proposed_delimiter(table.path, f)};
  request.option = "vertex-file";
  if (table.id.is_presumed()) {
    request.presumed = table_request::presumption::id;
    while (request.columns.size() < parts) request.columns.emplace_back(static_cast<unsigned>(request.columns.size() + 1));
  }
  request.ids = request.left = request.columns.size();
  return request;
}

void add_table(const vertex_table& table, const read_request& options, std::string prefix, bool named, std::size_t parts, edge_sink& sink) {
  const format f = format_of(table.path);
  if (table.path == "-") throw usage_error{"a table of vertices must be a file, not standard input"};
  if (is_columnar(f) && !prefix.empty()) {
    throw usage_error{table.path.string() +
                      ": a prefix cannot be put before ids of a Parquet or Arrow file; add it to the column, or write the table as CSV"};
  }
  if (is_columnar(f)) return add_columnar_file(table.path, f, request_for(table, f, parts), options, named, sink);
  if (!is_edge_list(f)) {
    throw usage_error{table.path.string() + ": a table of vertices must be a .csv, .tsv, .txt, .parquet or .arrow"};
  }
  text_source source{table.path, options};
  read_counts counts;
  read_request counting = options;
  counting.counts = &counts;
  id_layout layout = lay_out_ids(source, request_for(table, f, parts), f, counting, named);
  layout.prefixes[0] = std::move(prefix);
  const std::uint64_t first_block = options.signs->next_source();
  on_blocks<text_block>(source, usable_threads(options.threads), [&](unsigned worker, const text_block& block) {
    id_records records{source, block, layout, counting, first_block};
    std::vector<std::uint64_t> ids;
    std::vector<std::string_view> names;
    std::string_view text = block.text;
    while (!text.empty()) {
      if (records.take(text)) {
        if (named) {
          names.push_back(records.name(0));
        } else {
          ids.push_back(records.integer_id(0));
        }
      }
      if (!text.empty() && ids.size() + names.size() < batch_ids) continue;
      sink.vertices(worker, {.ids = ids, .names = names});
      ids.clear();
      names.clear();
      records.forget();
    }
  });
  tell_counts(source.name(), counts, options);
}

}  // namespace

void expect_vertex_tables(const read_options& options) {
  for (const vertex_table& table : options.vertex_tables) {
    expect_id_columns(table.id, options);
    if (table.id.is_presumed() || options.columns[0].is_presumed() || table.id.size() == options.columns[0].size()) continue;
    throw usage_error{table.path.string() + ": found ids of the columns " + table.id.text() +
                      ", expected as many columns as ids of edges have, " + options.columns[0].text()};
  }
}

void add_vertex_tables(const read_request& options, bool named, std::size_t parts, edge_sink& sink) {
  const read_request own = options_of_tables(options);
  for (std::size_t i = 0; i < options.vertex_tables.size(); ++i) {
    const vertex_table& table = options.vertex_tables[i];
    if (!table.id.is_presumed() && table.id.size() != parts) {
      throw usage_error{table.path.string() + ": its ids must be of " + std::to_string(parts) + (parts == 1 ? " column" : " columns") +
                        ", as those of the edges are, not of the columns " + table.id.text()};
    }
    add_table(table, own, i < 2 ? options.prefixes[i] : std::string{}, named, parts, sink);
  }
}

bool has_named_vertices(const read_request& options) {
  if (options.vertex_tables.empty()) return false;
  read_request own = options_of_tables(options);
  own.observer = nullptr;
  own.counts = nullptr;
  const vertex_table& table = options.vertex_tables.front();
  const format f = format_of(table.path);
  if (is_columnar(f)) return has_named_columnar_file(table.path, f, request_for(table, f, options.columns[0].size()), own);
  text_source source{table.path, own};
  return lay_out_ids(source, request_for(table, f, options.columns[0].size()), f, own, std::nullopt).named;
}

}  // namespace copse::io
