// Tables whose ids are vertices, whether an edge names them or not: records that matched nothing, for one.
#include "io/id_columns.hpp"
#include "io/id_records.hpp"

#include <copse/errors.hpp>

namespace copse::io {
namespace {

constexpr std::size_t batch_ids = 1024;

// Every table has its own delimiter and header.
read_options options_of_tables(const read_options& options) {
  read_options own = options;
  own.delimiter.reset();
  own.header.reset();
  own.weight_column.reset();
  own.min_weight.reset();
  return own;
}

/// `parts`: how many columns make an id of the edges. Where columns were not chosen, the header may name them.
table_request request_for(const text_source& source, const vertex_table& table, format f, std::size_t parts) {
  table_request request{.name = source.name(), .columns = table.id.columns(), .proposed = proposed_delimiter(table.path, f)};
  request.option = "vertex-file";
  if (table.id.is_presumed()) {
    request.presumed = table_request::presumption::id;
    while (request.columns.size() < parts) request.columns.emplace_back(static_cast<unsigned>(request.columns.size() + 1));
  }
  request.ids = request.left = request.columns.size();
  return request;
}

void add_table(const vertex_table& table, const read_options& options, std::string prefix, bool named, std::size_t parts, edge_sink& sink) {
  const format f = format_of(table.path);
  if (table.path == "-") throw usage_error{"-: found standard input as a table of vertices, expected a file"};
  if (!is_edge_list(f))
    throw usage_error{table.path.string() + ": found a file that is no table in text, expected .csv, .tsv or .txt for vertices"};
  text_source source{table.path, options};
  read_counts counts;
  read_options counting = options;
  counting.counts = &counts;
  id_layout layout = lay_out_ids(source, request_for(source, table, f, parts), f, counting, named);
  layout.prefixes[0] = std::move(prefix);
  on_text_blocks(source, usable_threads(options.threads), [&](unsigned worker, const text_block& block) {
    id_records records{source, block, layout, counting};
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
      if (named) {
        sink.named_vertices(worker, names);
      } else {
        sink.vertices(worker, ids);
      }
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

void add_vertex_tables(const read_options& options, bool named, std::size_t parts, edge_sink& sink) {
  const read_options own = options_of_tables(options);
  for (std::size_t i = 0; i < options.vertex_tables.size(); ++i) {
    const vertex_table& table = options.vertex_tables[i];
    if (!table.id.is_presumed() && table.id.size() != parts) {
      throw usage_error{table.path.string() + ": found ids of the columns " + table.id.text() + ", expected " + std::to_string(parts) +
                        (parts == 1 ? " column" : " columns") + " as ids of edges have"};
    }
    add_table(table, own, i < 2 ? options.prefixes[i] : std::string{}, named, parts, sink);
  }
}

bool has_named_vertices(const read_options& options) {
  if (options.vertex_tables.empty()) return false;
  read_options own = options_of_tables(options);
  own.observer = nullptr;
  own.counts = nullptr;
  const vertex_table& table = options.vertex_tables.front();
  const format f = format_of(table.path);
  text_source source{table.path, own};
  return lay_out_ids(source, request_for(source, table, f, options.columns[0].size()), f, own, std::nullopt).named;
}

}  // namespace copse::io
