// The door to all formats: those that list edges are parsed straight into the sink; those that hold rows are read, and their arcs passed
// on.
#include "core/team.hpp"
#include "io/edge_batch.hpp"
#include "io/id_records.hpp"
#include "io/readers.hpp"
#include "io/while_reading.hpp"

#include <copse/errors.hpp>

#include <algorithm>
#include <atomic>
#include <variant>

namespace copse::io {
namespace {

template <unsigned_index Id, unsigned_index Offset>
void pass_on(csr_view<Id, Offset> rows, std::uint64_t first_id, const read_options& options, edge_sink& sink) {
  constexpr std::uint64_t rows_a_block = 4096;
  const std::uint64_t n = rows.vertices();
  const unsigned threads = usable_threads(options.threads);
  sink.begin({.vertices = n, .first_id = first_id, .edges = rows.arcs(), .workers = threads, .named = false});
  std::atomic<std::uint64_t> next{0};
  on_workers(threads, [&](unsigned worker) {
    edge_batch batch{sink, worker};
    try {
      for (;;) {
        const std::uint64_t begin = next.fetch_add(rows_a_block, std::memory_order_relaxed);
        if (begin >= n) break;
        if (options.observer != nullptr && options.observer->cancel_requested()) throw cancelled{};
        sink.begin_block(worker, begin / rows_a_block);
        for (std::uint64_t u = begin; u < std::min(n, begin + rows_a_block); ++u) {
          for (const Id v : rows.row(static_cast<Id>(u))) batch.push(u, v);
        }
        batch.flush();
      }
    } catch (...) {
      next.store(n, std::memory_order_relaxed);  // no worker starts another block
      throw;
    }
  });
  sink.finish();
}

}  // namespace

void refuse_what_it_lacks(const std::filesystem::path& path, format f, const read_options& options) {
  expect_vertex_tables(options);
  const bool declares = !is_edge_list(f) && f != format::npy && f != format::coo && f != format::coo64;
  const std::string what = path.string() + ": " + std::string{to_string(f)} + " ";
  if (declares && !options.vertex_tables.empty()) throw usage_error{what + "declares its vertices: no table can add to them"};
  if (!is_edge_list(f) && (!options.prefixes[0].empty() || !options.prefixes[1].empty())) {
    throw usage_error{what + "has no columns of ids in text, to put prefixes before"};
  }
  const bool first_two = options.columns[0].columns() == std::vector{column{1u}} && options.columns[1].columns() == std::vector{column{2u}};
  if (!is_edge_list(f) && !first_two) throw usage_error{what + "has no columns in text, to pick ids from"};
  if (!is_edge_list(f) && options.weight_column)
    throw usage_error{what + "has no columns in text, to pick weights from: its own need no the option weight"};
}

graph read_rows(const std::filesystem::path& path, format f, const read_options& options) {
  refuse_what_it_lacks(path, f, options);
  return while_reading(path, [&] {
    switch (f) {
      case format::metis:
        return read_metis(path, options);
      case format::adj:
        return read_adj(path, options);
      case format::sg:
        return read_sg(path, options);
      case format::egr:
        return read_egr(path, options);
      default:
        return read_npz(path, options);
    }
  });
}

namespace {

void parse_file(const std::filesystem::path& path, format f, const read_options& options, part_of_file part, edge_sink& sink) {
  switch (f) {
    case format::edges:
    case format::csv:
      return parse_edge_list(path, f, options, sink, part);
    case format::coo:
    case format::coo64:
      return parse_coo(path, f, options, sink, part);
    case format::npy:
      return parse_npy(path, options, sink, part);
    default:
      break;
  }
  if (!part.takes_turn()) {  // not cut, and another's
    sink.begin({});
    return sink.finish();
  }
  switch (f) {
    case format::mtx:
      static_cast<void>(parse_matrix_market(path, options, sink));
      return;
    case format::dimacs:
      static_cast<void>(parse_dimacs(path, options, sink));
      return;
    default:
      break;
  }
  const graph read = read_rows(path, f, options);
  std::visit(
      [&](const auto& view) {
        if constexpr (requires { view.targets; })
          pass_on(view, read.names().first_id().value_or(0), options, sink);  // has_rows() formats give rows
      },
      read.view());
}

}  // namespace

void parse(const std::filesystem::path& path, const read_options& options, part_of_file part, edge_sink& sink) {
  const format f = options.format ? *options.format : format_of(path);
  refuse_what_it_lacks(path, f, options);
  while_reading(path, [&] { parse_file(path, f, options, part, sink); });
}

void parse(const std::filesystem::path& path, const read_options& options, edge_sink& sink) { parse(path, options, part_of_file{}, sink); }

}  // namespace copse::io
