// Edge lists in text. The first two data lines decide the layout; then workers take blocks of lines, and nothing of the file is held but
// the blocks in hand and a batch of edges each. Cost: one pass over the bytes.
#include "io/edge_list_layout.hpp"
#include "io/line_blocks.hpp"
#include "io/readers.hpp"

#include <algorithm>

namespace copse::io {
namespace {

using fault = line_fields::fault;

constexpr std::string_view comment_marks = "#%";

// One block's lines that are not simple.
class careful_lines {
public:
  careful_lines(const text_source& source, const text_block& block, const edge_list_layout& layout, const read_options& options)
      : source_{source}, block_{block}, layout_{layout}, options_{options} {}

  /// The fields of a line that is an edge to keep; nothing for a comment, a blank line or a light edge.
  std::optional<line_fields> fields(std::string_view line, std::deque<std::string>& unescaped) const {
    if (is_blank_or_comment(line, comment_marks)) return std::nullopt;
    const line_fields found = split_line(line, layout_, unescaped);
    if (found.what != fault::none) refuse_fault(line, found);
    if (layout_.weight_column != 0) {
      const auto weight = real(trimmed(found.weight));
      if (!weight) refuse_line(line, quoted(found.weight), "a number as weight in column " + std::to_string(layout_.weight_column));
      if (!(*weight >= *options_.min_weight)) return std::nullopt;
    }
    return found;
  }

  void numeric(std::string_view line, edge_batch& batch) {
    if (const auto found = fields(line, unescaped_)) {
      const std::uint64_t u = id(line, found->ids[0], 0);
      batch.push(u, id(line, found->ids[1], 1));
    }
    unescaped_.clear();
  }

  void check_name(std::string_view line, std::string_view name, std::size_t which) const {
    if (name.empty()) refuse_line(line, "an empty field", "a string id in column " + std::to_string(layout_.columns[which]));
    if (options_.ids != id_kind::bytes && !is_utf8(name)) {
      refuse_line(line, quoted(name), "a string id in UTF-8 in column " + std::to_string(layout_.columns[which]));
    }
  }

private:
  std::uint64_t id(std::string_view line, std::string_view field, std::size_t which) const {
    field = trimmed(field);
    const auto value = integer(field);
    if (!value) {
      refuse_line(line, describe_not_integer(field),
                  "an id from 0 to 18446744073709551615 in column " + std::to_string(layout_.columns[which]));
    }
    if (options_.vertices && *value >= *options_.vertices) {
      refuse_line(line, "the id " + std::to_string(*value), "one below " + std::to_string(*options_.vertices) + ", the declared vertices");
    }
    return *value;
  }

  [[noreturn]] void refuse_fault(std::string_view line, const line_fields& found) const {
    if (found.what == fault::open_quote)
      refuse_line(line, "a quote that is not closed on its line", "its end (no field may hold a newline)");
    if (found.what == fault::text_behind_quote) refuse_line(line, "text behind a closing quote", "a separator or the end of the line");
    const unsigned last = std::max({layout_.columns[0], layout_.columns[1], layout_.weight_column});
    const std::string_view separators = layout_.separator == ',' ? "commas" : layout_.separator == '\t' ? "tabs" : "blanks";
    refuse_line(line, std::to_string(found.columns) + (found.columns == 1 ? " column: " : " columns: ") + quoted(line),
                "at least " + std::to_string(last) + " separated by " + std::string{separators});
  }
  [[noreturn]] void refuse_line(std::string_view line, std::string_view found, std::string_view expected) const {
    refuse(source_, block_, line.data(), found, expected);
  }

  const text_source& source_;
  const text_block& block_;
  const edge_list_layout& layout_;
  const read_options& options_;
  std::deque<std::string> unescaped_;
};

void parse_names(careful_lines& lines, std::string_view text, unsigned worker, edge_sink& sink) {
  constexpr std::size_t batch_edges = 1024;
  std::vector<named_edge> batch;
  std::deque<std::string> unescaped;
  batch.reserve(batch_edges);
  while (!text.empty()) {
    const std::string_view line = cut_line(text);
    if (const auto found = lines.fields(line, unescaped)) {
      for (const std::size_t which : {0u, 1u}) lines.check_name(line, found->ids[which], which);
      batch.push_back({found->ids[0], found->ids[1]});
    }
    if (batch.size() == batch_edges || (text.empty() && !batch.empty())) {
      sink.named_edges(worker, batch);
      batch.clear();
      unescaped.clear();
    }
  }
}

bool next_data_line(line_reader& reader, std::string_view& line) {
  while (reader.next(line)) {
    if (!is_blank_or_comment(line, comment_marks)) return true;
  }
  return false;
}

void check(const read_options& options) {
  if (options.columns[0] == 0 || options.columns[1] == 0 || options.columns[0] == options.columns[1]) {
    throw usage_error{"columns " + std::to_string(options.columns[0]) + "," + std::to_string(options.columns[1]) +
                      ": two different columns are needed, counted from 1"};
  }
  if (options.weight_column == 0u) throw usage_error{"weight column 0: columns are counted from 1"};
  if (options.min_weight && !options.weight_column) throw usage_error{"a least weight needs to know the column of the weights"};
  if (options.vertices && (options.ids == id_kind::strings || options.ids == id_kind::bytes)) {
    throw usage_error{"a number of vertices cannot be declared for string ids"};
  }
}

// Takes the first two data lines off `source`, decides, and puts back what is data.
first_lines look_at_head(text_source& source, format f, const read_options& options) {
  line_reader head{source};
  std::string_view line;
  std::optional<text_block> first;
  std::optional<text_block> second;
  if (next_data_line(head, line)) first = head.line_block();
  if (first && next_data_line(head, line)) second = head.line_block();
  head.leave();
  const auto text_of = [](const std::optional<text_block>& block) -> std::optional<std::string_view> {
    if (!block) return std::nullopt;
    std::string_view text = block->text;
    return cut_line(text);
  };
  const first_lines found = look_at(text_of(first), text_of(second), f, options);
  if (options.observer != nullptr && found.switched_to_strings) {
    options.observer->note(source.name() + ": the ids are not numeric: read as strings");
  }
  if (options.observer != nullptr && found.header && found.layout.named && !options.header) {
    options.observer->note(source.name() + ": the first line is not numeric, the second is: the first is taken as a header");
  }
  if (second) source.put_back(std::move(*second));
  if (first && !found.header) source.put_back(std::move(*first));
  return found;
}

}  // namespace

void parse_edge_list(const std::filesystem::path& path, format f, const read_options& options, edge_sink& sink) {
  check(options);
  text_source source{path, options};
  const edge_list_layout layout = look_at_head(source, f, options).layout;
  const unsigned threads = usable_threads(options.threads);
  sink.begin({.vertices = options.vertices, .edges = std::nullopt, .workers = threads, .named = layout.named});

  line_shape shape;
  shape.separator = layout.separator;
  shape.other_separator = layout.separator == ' ' ? '\t' : layout.separator;
  shape.quotes = layout.quotes;
  if (options.vertices) shape.last_id = *options.vertices - 1;
  const bool simple = layout.columns == std::array{1u, 2u} && layout.weight_column == 0 && options.vertices != 0u;
  on_text_blocks(source, threads, [&](unsigned worker, const text_block& block) {
    sink.begin_block(worker, block.index);
    careful_lines lines{source, block, layout, options};
    if (layout.named) {
      parse_names(lines, block.text, worker, sink);
      return;
    }
    edge_batch batch{sink, worker};
    parse_lines(block.text, simple ? &shape : nullptr, batch, [&](std::string_view line) { lines.numeric(line, batch); });
    batch.flush();
  });
  sink.finish();
}

}  // namespace copse::io
