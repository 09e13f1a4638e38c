// Edge lists in text. The first two records determine the layout; then workers take blocks of records. In memory are only the current
// blocks and one batch of edges for each worker. Cost: one pass over the bytes; if fields may be quoted, one more pass to find the quotes,
// by one worker at a time.
#include "io/frequent_id_watch.hpp"
#include "io/id_columns.hpp"
#include "io/id_records.hpp"
#include "io/readers.hpp"
#include "io/simple_lines.hpp"

#include <algorithm>

namespace copse::io {
namespace {

void parse_names(id_records& records, std::string_view text, unsigned worker, edge_sink& sink) {
  constexpr std::size_t batch_edges = 1024;
  std::vector<named_edge> batch;
  std::vector<double> weights;
  const bool weighted = sink.wishes().weights;
  batch.reserve(batch_edges);
  while (!text.empty()) {
    if (const auto pair = records.take_plain(text)) {
      batch.push_back(*pair);
    } else if (records.take(text)) {
      const std::string_view u = records.name(0);
      batch.push_back({u, records.name(1)});
      if (weighted) weights.push_back(records.weight());
    } else if (records.left_out()) {
      sink.left_out(worker, batch.size());
    }
    if (batch.size() == batch_edges || (text.empty() && !batch.empty())) {
      sink.edges(worker, {.names = batch, .weights = weights});
      batch.clear();
      weights.clear();
      records.forget();
    }
  }
}

void parse_integers(id_records& records, std::string_view text, const line_shape* shape, unsigned worker, edge_sink& sink) {
  batched_edges batch{sink, worker};
  parse_lines(text, shape, batch, [&](std::string_view& rest) {
    if (records.take(rest)) {
      const std::uint64_t u = records.integer_id(0);
      batch.push(u, records.integer_id(1), records.weight());
    } else if (records.left_out()) {
      batch.left_out();
    }
    records.forget();
  });
  batch.flush();
}

void check_delimiter(const read_options& options) {
  constexpr std::string_view never{"\"\n\r\0000123456789", 14};
  if (options.delimiter && never.find(*options.delimiter) != std::string_view::npos) {
    throw usage_error{"delimiter " + quoted({&*options.delimiter, 1}) + ": columns cannot be separated by a quote, a line end or a digit"};
  }
}

[[noreturn]] void refuse_declared_strings() { throw usage_error{"a number of vertices cannot be declared for string ids"}; }

id_layout lay_out_edges(text_source& source, const std::filesystem::path& path, format f, const read_request& options) {
  const table_request request = request_for_edges(source.name(), path, f, options);
  std::optional<bool> named;  // an empty list does not show whether its ids are strings; tables of vertices may
  if (!options.vertex_tables.empty() && source.head(1).first.empty()) named = has_named_vertices(options);
  id_layout layout = lay_out_ids(source, request, f, options, named);
  if (layout.left > 1 && options.vertices) refuse_declared_strings();
  if (layout.left > 1 && options.ids == id_kind::integers) refuse_joined_integers();
  layout.prefixes = options.prefixes;
  return layout;
}

line_shape shape_of(const id_layout& layout, const read_options& options) {
  line_shape shape;
  shape.separator = layout.syntax.blanks ? ' ' : layout.syntax.delimiter;
  shape.other_separator = layout.syntax.blanks ? '\t' : shape.separator;
  shape.quotes = layout.syntax.quotes;
  shape.leading_zeros = options.ids == id_kind::integers;
  if (options.vertices) shape.last_id = *options.vertices - 1;
  shape.first_id = options.first_vertex;
  return shape;
}

void note_missing_ends(const std::string& name, std::uint64_t missing, const read_request& options) {
  if (missing == 0 || options.observer == nullptr) return;
  options.observer->note(name + ": " + std::to_string(missing) + (missing == 1 ? " edge" : " edges") + " dropped for a missing end");
}

}  // namespace

void expect_declared_vertices(const read_options& options) {
  const bool strings = options.ids == id_kind::strings || options.ids == id_kind::bytes;
  const bool prefixed = !options.prefixes[0].empty() || !options.prefixes[1].empty();
  if (prefixed && options.prefixes[0] == options.prefixes[1]) {
    throw usage_error{"the prefix " + io::quoted(options.prefixes[0]) + " for both columns of ids: two different ones are needed"};
  }
  if (prefixed && options.vertex_tables.size() > 2) throw usage_error{"more than two tables of vertices for two prefixes"};
  if (!options.vertices && options.first_vertex != 0) throw usage_error{"a first vertex needs the number of vertices"};
  if (!options.vertices) return;
  if (strings || prefixed || options.columns[0].joined()) refuse_declared_strings();
  if (*options.vertices > UINT64_MAX - options.first_vertex) {
    throw usage_error{std::to_string(*options.vertices) + " vertices from " + std::to_string(options.first_vertex) +
                      " on: declared ids end at 18446744073709551614"};
  }
}

void parse_edge_list(const std::filesystem::path& path, format f, const read_request& asked, edge_sink& behind, part_of_file part) {
  expect_edge_columns(asked);
  check_delimiter(asked);
  expect_declared_vertices(asked);
  read_counts counts;
  read_request options = asked;
  options.counts = &counts;
  text_source source{path, options};
  id_layout layout = lay_out_edges(source, path, f, options);
  if (!part.whole() && !source.keep(part) && !part.takes_turn()) source.keep_nothing();
  const unsigned threads = usable_threads(options.threads);
  std::optional<frequent_id_watch> watch;
  if (options.observer != nullptr && !behind.wishes().weights) watch.emplace(behind, options.observer, source.name());
  edge_sink& sink = watch ? static_cast<edge_sink&>(*watch) : behind;
  sink.begin({.vertices = options.vertices,
              .first_id = options.first_vertex,
              .edges = std::nullopt,
              .workers = threads,
              .named = layout.named,
              .id_columns = layout.left});

  const line_shape shape = shape_of(layout, options);
  const bool numbers_missing = std::any_of(options.missing.begin(), options.missing.end(), [](const auto& id) { return integer(id); });
  const bool simple = layout.columns == std::vector{1u, 2u} && options.vertices != 0u && !numbers_missing;
  weight_rule weights{asked};
  const std::uint64_t first_block = asked.signs->next_source();
  const auto parse_block = [&](unsigned worker, const text_block& block) {
    sink.begin_block(worker, block.index);
    id_records records{source, block, layout, options, first_block, &weights};
    if (layout.named) {
      parse_names(records, block.text, worker, sink);
    } else {
      parse_integers(records, block.text, simple ? &shape : nullptr, worker, sink);
    }
  };
  on_blocks<text_block>(source, threads, parse_block, &behind);
  note_missing_ends(source.name(), counts.missing_ends, asked);
  tell_counts(source.name(), counts, asked);
  weights.tell(source.name());
  add_vertex_tables(asked, layout.named, layout.left, sink);
  asked.signs->expect_one_kind();
  sink.finish();
}

}  // namespace copse::io
