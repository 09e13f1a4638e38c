// Several edge lists as one: the sink behind begins with the first batch of any file (an empty file does not say what its ids are) and
// finishes after the last, so it sees what it would have seen had the lines been in one file. Ids must be of one kind in all of them.
#include "io/header_of_parts.hpp"
#include "io/id_records.hpp"
#include "io/part_of_file.hpp"

#include <copse/errors.hpp>
#include <copse/io.hpp>

#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

namespace copse::io {
namespace {

class continued_sink final : public edge_sink {
public:
  continued_sink(const read_options& options, edge_sink& behind) : options_{options}, behind_{behind} {}

  void next_file(const std::filesystem::path& path) {
    path_ = path;
    for (const std::uint64_t block : blocks_) first_block_ = std::max(first_block_, block + 1);
  }

  void begin(const source_facts& facts) override {
    if (facts.vertices != options_.vertices) {
      throw input_error::at(path_.string(), 0, "a graph that declares its vertices", "an edge list: only those can be united with others");
    }
    facts_ = facts;
    blocks_.resize(std::max<std::size_t>(blocks_.size(), facts.workers));
  }
  // Passed on with the next batch: what is behind may not have begun yet.
  void begin_block(unsigned worker, std::uint64_t block) override { blocks_[worker] = first_block_ + block; }
  void edges(unsigned worker, std::span<const edge<std::uint64_t>> batch) override {
    require(false);
    behind_.begin_block(worker, blocks_[worker]);
    behind_.edges(worker, batch);
  }
  void named_edges(unsigned worker, std::span<const named_edge> batch) override {
    require(true);
    behind_.begin_block(worker, blocks_[worker]);
    behind_.named_edges(worker, batch);
  }
  void finish_all() {
    std::call_once(begun_, [this] { begin_behind(has_named_vertices(options_)); });
    add_vertex_tables(options_, named_, id_columns_, behind_);
    behind_.finish();
  }

private:
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

  const read_options& options_;
  edge_sink& behind_;
  std::filesystem::path path_;   ///< the file that is parsed now
  std::filesystem::path first_;  ///< the file whose ids said what all ids are
  source_facts facts_;
  std::vector<std::uint64_t> blocks_;  ///< that each worker is in, counted over all files
  std::uint64_t first_block_ = 0;      ///< of the file that is parsed now
  std::once_flag begun_;
  bool named_ = false;
  std::size_t id_columns_ = 1;  ///< that make an id
};

}  // namespace

void parse(std::span<const std::filesystem::path> paths, const read_options& asked, part_of_file part, edge_sink& sink) {
  if (paths.empty()) throw usage_error{"found no input, expected at least one"};
  read_options options = asked;
  if (!part.first()) options.vertex_tables.clear();
  for (const auto& path : paths) {
    if (path == "-" && !part.whole()) throw usage_error{"found standard input, expected files, of which each process reads a part"};
  }
  if (paths.size() == 1) return parse(paths.front(), options, part, sink);
  expect_vertex_tables(options);
  continued_sink all{options, sink};
  read_options of_each = options;
  of_each.vertex_tables.clear();  // they come once, behind all edges
  const header_of_parts header{paths, of_each, [&](const auto& path) { return options.format ? *options.format : format_of(path); }};
  for (std::size_t i = 0; i < paths.size(); ++i, ++part.turn) {
    all.next_file(paths[i]);
    of_each.header = header.header_of(i);
    parse(paths[i], of_each, part, all);
  }
  all.finish_all();
}

void parse(std::span<const std::filesystem::path> paths, const read_options& options, edge_sink& sink) {
  parse(paths, options, part_of_file{}, sink);
}

}  // namespace copse::io
