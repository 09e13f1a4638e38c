// Parses all formats: formats that list edges are parsed straight into the sink; formats that hold rows are read first, and then their arcs
// are passed on.
#include "core/team.hpp"
#include "io/header_of_parts.hpp"
#include "io/id_records.hpp"
#include "io/part_of_file.hpp"
#include "io/readers.hpp"
#include "io/simple_lines.hpp"
#include "io/source.hpp"

#include <copse/errors.hpp>
#include <copse/io.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <string>
#include <variant>
#include <vector>

namespace copse::io {
namespace {

template <unsigned_index Id, unsigned_index Offset>
void pass_on(csr_view<Id, Offset> rows, std::uint64_t first_id, const read_request& options, edge_sink& sink) {
  constexpr std::uint64_t rows_a_block = 4096;
  const std::uint64_t n = rows.vertices();
  const unsigned threads = usable_threads(options.threads);
  sink.begin({.vertices = n, .first_id = first_id, .edges = rows.arcs(), .workers = threads, .named = false});
  std::atomic<std::uint64_t> next{0};
  on_workers(threads, [&](unsigned worker) {
    batched_edges batch{sink, worker};
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
      next.store(n, std::memory_order_relaxed);  // so that no worker starts another block
      throw;
    }
  });
  sink.finish();
}

}  // namespace

void refuse_what_it_lacks(const std::filesystem::path& path, format f, const read_options& options) {
  expect_vertex_tables(options);
  const bool declares = declares_vertices(f);
  const std::string what = path.string() + ": " + std::string{to_string(f)} + " ";
  if (declares && !options.vertex_tables.empty()) throw usage_error{what + "declares its vertices: no table can add to them"};
  if (options.signed_ids && f != format::coo && f != format::coo64) {
    throw usage_error{what + "says itself whether its ids are signed: the option signed is for coo and coo64"};
  }
  if (!is_edge_list(f) && (!options.prefixes[0].empty() || !options.prefixes[1].empty())) {
    throw usage_error{what + "is not a text with columns, so its ids cannot have prefixes"};
  }
  const bool first_two = options.columns[0].columns() == std::vector{column{1u}} && options.columns[1].columns() == std::vector{column{2u}};
  if (!has_columns(f) && !first_two) throw usage_error{what + "is not a text with columns, so none can be chosen for the ids"};
  if (!has_columns(f) && options.weight_column)
    throw usage_error{what + "is not a text with columns: its weights are read without the option weight"};
}

graph read_rows(const std::filesystem::path& path, format f, const read_request& options) {
  refuse_what_it_lacks(path, f, options);
  return while_reading(path, [&] { return row_of(f).read(path, options); });
}

bool streams_weights(const std::filesystem::path& path, const read_options& options) {
  const format f = options.format ? *options.format : format_of(path);
  return has_columns(f) ? options.weight_column.has_value() : row_of(f).parse != nullptr;
}

namespace {

void parse_file(const std::filesystem::path& path, format f, const read_request& options, part_of_file part, edge_sink& sink) {
  const format_row& row = row_of(f);
  if (row.parse_part != nullptr) return row.parse_part(path, f, options, sink, part);
  if (!part.takes_turn()) {  // the file cannot be cut into parts, and belongs to another part
    sink.begin({});
    return sink.finish();
  }
  if (row.parse != nullptr) {
    static_cast<void>(row.parse(path, options, sink, nullptr));
    return;
  }
  const graph read = read_rows(path, f, options);
  std::visit(
      [&](const auto& view) {
        if constexpr (requires { view.targets; })
          // this branch is always taken: read_rows() returns rows, never a list of edges
          pass_on(view, read.names().first_id().value_or(0), options, sink);
      },
      read.view());
}

/// Calls parse(options), where options.signs notes negative ids and ids above INT64_MAX, which must not both occur in an input.
template <class Parse>
void watch_signs(const read_request& asked, edge_sink& sink, Parse parse) {
  if (asked.signs != nullptr) return parse(asked);
  ids::id_signs signs{[&sink] { sink.ids_are_signed(); }};
  read_request options = asked;
  options.signs = &signs;
  parse(options);
}

}  // namespace

void parse(const std::filesystem::path& path, const read_request& asked, part_of_file part, edge_sink& sink) {
  const format f = asked.format ? *asked.format : format_of(path);
  refuse_what_it_lacks(path, f, asked);
  watch_signs(asked, sink, [&](const read_request& options) { while_reading(path, [&] { parse_file(path, f, options, part, sink); }); });
}

void parse(const std::filesystem::path& path, const read_options& options, edge_sink& sink, const execution& on) {
  parse(path, read_request{options, on}, part_of_file{}, sink);
}

namespace {

template <class Edge, class Id, class Pass>
void pass_loops(std::span<const Id> ids, Pass pass) {
  std::array<Edge, 256> loops;
  while (!ids.empty()) {
    const auto now = ids.first(std::min(ids.size(), loops.size()));
    std::transform(now.begin(), now.end(), loops.begin(), [](const Id& id) { return Edge{id, id}; });
    pass(std::span<const Edge>{loops.data(), now.size()});
    ids = ids.subspan(now.size());
  }
}

}  // namespace

void edge_sink::ids_are_signed() { throw input_error{"found a negative id, expected ids of 0 or more here"}; }

void edge_sink::vertices(unsigned worker, const vertex_batch& batch) {
  pass_loops<edge<std::uint64_t>>(batch.ids, [&](auto loops) { edges(worker, {.ids = loops}); });
  pass_loops<named_edge>(batch.names, [&](auto loops) { edges(worker, {.names = loops}); });
}

// Parses several edge lists as one. The sink begins with the first batch of any file, because an empty file does not show whether its ids
// are strings, and finishes after the last file, so it sees the same as if all lines were in one file. Ids must be of one kind in all
// files.
namespace {

class continued_sink final : public edge_sink {
public:
  continued_sink(const read_request& options, edge_sink& behind) : options_{options}, behind_{behind} {}

  void next_file(const std::filesystem::path& path) {
    path_ = path;
    for (const worker_blocks& of : blocks_) first_block_ = std::max(first_block_, of.largest + 1);
  }

  [[nodiscard]] sink_wishes wishes() const noexcept override { return behind_.wishes(); }
  void begin(const source_facts& facts) override {
    if (facts.vertices != options_.vertices) {
      throw input_error::at(path_.string(), 0, "a graph that declares its vertices", "an edge list: only those can be united with others");
    }
    facts_ = facts;
    blocks_.resize(std::max<std::size_t>(blocks_.size(), facts.workers));
  }
  // The number of the block is only stored: behind_, the sink for the edges of all files, gets it with the next batch, because
  // behind_.begin() may not have been called yet.
  void begin_block(unsigned worker, std::uint64_t block) override {
    worker_blocks& mine = blocks_[worker];
    mine.current = first_block_ + block;
    mine.largest = std::max(mine.largest, mine.current);
  }
  // Only stored: behind_, the sink for the edges of all files, is told with the next batch of integer ids, because behind_.begin() may not
  // have been called yet.
  void ids_are_signed() override { signed_.store(true, std::memory_order_relaxed); }
  void edges(unsigned worker, const edge_batch& batch) override {
    require(!batch.names.empty());
    if (batch.names.empty()) pass_on_sign();
    behind_.begin_block(worker, blocks_[worker].current);
    behind_.edges(worker, batch);
  }
  [[nodiscard]] bool wants_pause() const noexcept override { return behind_.wants_pause(); }
  void pause() override { behind_.pause(); }
  void vertices(unsigned worker, const vertex_batch& batch) override {
    if (!batch.ids.empty()) pass_on_sign();
    behind_.vertices(worker, batch);
  }
  void finish_all() {
    std::call_once(begun_, [this] { begin_behind(has_named_vertices(options_)); });
    add_vertex_tables(options_, named_, id_columns_, *this);
    options_.signs->expect_one_kind();
    behind_.finish();
  }

private:
  /// The number of the block that a worker is reading, and the largest number of all blocks that this worker has begun, because it may
  /// begin them in any order. Block numbers continue from file to file.
  struct worker_blocks {
    std::uint64_t current = 0, largest = 0;
  };

  void pass_on_sign() {
    if (signed_.load(std::memory_order_relaxed)) std::call_once(told_, [this] { behind_.ids_are_signed(); });
  }
  void require(bool named) {
    std::call_once(begun_, [&] { begin_behind(named); });
    if (named != named_) {
      throw input_error::at(path_.string(), 0, named ? "string ids" : "integer ids",
                            (named_ ? "string ids as in " : "integer ids as in ") + first_.string());
    }
    if (facts_.id_columns == id_columns_) return;
    throw input_error::at(path_.string(), 0, "ids of " + std::to_string(facts_.id_columns) + " columns",
                          "ids of " + std::to_string(id_columns_) + " columns as in " + first_.string());
  }
  void begin_behind(bool named) {
    named_ = named;
    id_columns_ = facts_.id_columns;
    first_ = path_;
    behind_.begin({.vertices = facts_.vertices,
                   .first_id = facts_.first_id,
                   .edges = std::nullopt,
                   .workers = facts_.workers,
                   .named = named,
                   .id_columns = id_columns_});
  }

  const read_request& options_;
  edge_sink& behind_;
  std::filesystem::path path_;   ///< the file that is being parsed
  std::filesystem::path first_;  ///< the file whose ids decided whether all ids are strings
  source_facts facts_;
  std::vector<worker_blocks> blocks_;
  std::uint64_t first_block_ = 0;  ///< number of the first block of the file that is being parsed
  std::once_flag begun_, told_;
  std::atomic<bool> signed_{false};
  bool named_ = false;
  std::size_t id_columns_ = 1;  ///< number of columns that form an id
};

}  // namespace

void parse(std::span<const std::filesystem::path> paths, const read_request& asked, part_of_file part, edge_sink& sink) {
  if (paths.empty()) throw usage_error{"give at least one input"};
  read_request options = asked;
  if (!part.first()) options.vertex_tables.clear();
  for (const auto& path : paths) {
    if (path == "-" && !part.whole()) throw usage_error{"standard input cannot be read in parts: give files"};
  }
  if (paths.size() == 1) return parse(paths.front(), options, part, sink);
  expect_vertex_tables(options);
  std::optional<continued_sink> united;
  ids::id_signs signs{[&united] { united->ids_are_signed(); }};
  options.signs = &signs;
  continued_sink& all = united.emplace(options, sink);
  read_request of_each = options;
  of_each.vertex_tables.clear();  // they are added once, after the edges of all files
  const header_of_parts header{paths, of_each, [&](const auto& path) { return options.format ? *options.format : format_of(path); }};
  for (std::size_t i = 0; i < paths.size(); ++i, ++part.turn) {
    all.next_file(paths[i]);
    of_each.header = header.header_of(i);
    parse(paths[i], of_each, part, all);
  }
  all.finish_all();
}

void parse(std::span<const std::filesystem::path> paths, const read_options& options, edge_sink& sink, const execution& on) {
  parse(paths, read_request{options, on}, part_of_file{}, sink);
}

}  // namespace copse::io
