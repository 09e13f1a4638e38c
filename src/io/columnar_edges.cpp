// Edges and vertices in the columns of Parquet and Arrow files. Which columns these are, the names in the file say as a header does in
// text.
#include "core/team.hpp"
#include "io/arrow/columnar_file.hpp"
#include "io/arrow/edges.hpp"
#include "io/fields.hpp"
#include "io/frequent_id_watch.hpp"
#include "io/id_columns.hpp"
#include "io/id_records.hpp"
#include "io/readers.hpp"
#include "io/table_layout.hpp"

#include <copse/errors.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace copse::io {
namespace {

/// A file of CSV that is laid out as the table is: its header, and a record of values that look like those of the columns.
std::string as_text(const std::vector<arrow::column_type>& columns) {
  std::string header, record;
  for (const arrow::column_type& c : columns) {
    std::string name;
    for (const char letter : c.name) name.append(letter == '"' ? 2 : 1, letter);
    header.append(header.empty() ? "\"" : ",\"").append(name).append("\"");
    record.append(record.empty() ? "" : ",").append(c.holds_strings() ? "text" : "1");
  }
  return header + "\n" + record + "\n";
}

/// The columns that are wanted, counted from 0: those of ids, then that of weights. Throws input_error, usage_error.
std::vector<int> columns_of(const table_request& request, const arrow::columnar_file& file, const read_request& options) {
  const std::string text = as_text(file.columns());
  read_request as_csv = options;
  as_csv.header = true;
  as_csv.delimiter = ',';
  as_csv.comments = "";
  const table_layout layout = lay_out(request, format::csv, as_csv, [&](std::size_t) {
                                return std::pair{std::string_view{text}, true};
                              }).layout;
  std::vector<int> columns;
  for (const unsigned c : layout.columns) {
    if (c > file.columns().size()) {
      throw input_error::at(request.name, 0, std::to_string(file.columns().size()) + " columns", "a column " + std::to_string(c));
    }
    columns.push_back(static_cast<int>(c - 1));
  }
  return columns;
}

/// Throws usage_error for options that are about text.
void refuse_options_of_text(const std::string& name, const read_request& options) {
  const auto refuse = [&](const char* what) {
    throw usage_error{name + ": " + what + ", which the columns of a Parquet or Arrow file have no use for"};
  };
  if (options.delimiter) refuse("found a delimiter");
  if (options.header) refuse("found the option header");
  if (options.comments) refuse("found the option comment");
  for (const id_columns& id : options.columns) {
    if (id.joined()) throw usage_error{name + ": found ids of several columns, which are read from text only; make one column of them"};
  }
  for (const std::string& word : options.missing) {
    if (!word.empty()) {
      throw usage_error{name + ": found '" + word +
                        "' as a missing value, which is a null in columns; the option na with an empty word drops rows with one"};
    }
  }
}

arrow::null_rule nulls_of(const read_request& options) {
  return {!options.missing.empty(), "the option na with an empty word leaves such rows out and counts them"};
}

/// Throws input_error for ids that are not of the kind that the caller asks for.
void expect_kind(const std::string& name, const arrow::row_rules& rules, id_kind asked) {
  const arrow::column_type& type = rules.types[rules.ids.front()];
  if (asked == id_kind::integers && rules.strings) {
    throw input_error::at(name, 0, rules.place(rules.ids.front()) + " of " + type.described(), "integers, as the option ids says");
  }
  if ((asked == id_kind::strings || asked == id_kind::bytes) && !rules.strings) {
    throw input_error::at(name, 0, rules.place(rules.ids.front()) + " of " + type.described(), "strings, as the option ids says");
  }
  if (rules.strings && type.binary && asked != id_kind::bytes) {
    throw input_error::at(name, 0, rules.place(rules.ids.front()) + " of " + type.described(),
                          "text, or the option ids bytes, which reads and writes them as they are");
  }
}

/// Watches the signs of ids over all inputs, and passes on how far those of declared vertices are from the first one.
class checked_ids final : public edge_sink {
public:
  checked_ids(std::string name, const arrow::row_rules& rules, const read_request& options, edge_sink& behind)
      : name_{std::move(name)}, options_{options}, behind_{behind} {
    for (std::size_t side = 0; side < 2; ++side) {
      signed_[side] = rules.types[rules.ids[std::min(side, rules.ids.size() - 1)]].id_layout() != arrow::layout::uint64;
    }
  }

  sink_wishes wishes() const noexcept override { return {.weights = behind_.wishes().weights}; }
  void begin(const source_facts& facts) override { behind_.begin(facts); }
  void begin_block(unsigned worker, std::uint64_t block) override { behind_.begin_block(worker, block); }
  void ids_are_signed() override {}  // options.signs tells it
  void edges(unsigned worker, const edge_batch& batch) override {
    for (const edge<std::uint64_t>& e : batch.ids) {
      if (has_sign_bit(e.u)) see_sign(e.u, 0);
      if (has_sign_bit(e.v)) see_sign(e.v, 1);
    }
    if (!options_.vertices) return behind_.edges(worker, batch);
    std::vector<edge<std::uint64_t>> moved(batch.ids.size());
    std::transform(batch.ids.begin(), batch.ids.end(), moved.begin(), [this](const edge<std::uint64_t>& e) {
      return edge<std::uint64_t>{place_of(e.u, 0), place_of(e.v, 1)};
    });
    edge_batch relative = batch;
    relative.ids = moved;
    behind_.edges(worker, relative);
  }
  void vertices(unsigned worker, const vertex_batch& batch) override {
    for (const std::uint64_t id : batch.ids) {
      if (has_sign_bit(id)) see_sign(id, 0);
    }
    behind_.vertices(worker, batch);
  }
  void left_out(unsigned worker, std::size_t pending) override { behind_.left_out(worker, pending); }

private:
  void see_sign(std::uint64_t id, std::size_t side) const {
    options_.signs->expect(id, signed_[side], [this] { return name_; });
  }
  [[nodiscard]] std::uint64_t place_of(std::uint64_t id, std::size_t side) const {
    const std::uint64_t first = options_.first_vertex, count = *options_.vertices;
    if (id - first < count && !(has_sign_bit(id) && signed_[side])) return id - first;
    throw input_error::at(name_, 0, "id " + id_text(id, signed_[side]),
                          count == 0 ? "none, as no vertices are declared"
                                     : "declared ids, from " + std::to_string(first) + " to " + std::to_string(first + count - 1));
  }

  std::string name_;
  const read_request& options_;
  edge_sink& behind_;
  std::array<bool, 2> signed_{};  ///< the type of each column; of unsigned ones narrower than 64 bits no id has the sign bit
};

/// A file, or the files of a folder as one table.
class columnar_source {
public:
  columnar_source(const std::filesystem::path& path, format f) {
    for (const auto& file : arrow::columnar_files(path)) {
      files_.push_back(std::make_unique<arrow::columnar_file>(file, f));
      names_.push_back(file.string());
      ends_.push_back(parts() + files_.back()->parts());
    }
  }

  /// The columns of the first file. Precondition: there is one.
  [[nodiscard]] const arrow::columnar_file& first() const { return *files_.front(); }
  [[nodiscard]] std::int64_t parts() const noexcept { return ends_.empty() ? 0 : ends_.back(); }
  /// Rows of one part; -1 where only reading would tell.
  [[nodiscard]] std::int64_t part_rows(std::int64_t part) const {
    const std::size_t i = file_of(part);
    return files_[i]->part_rows(part - begin_of(i));
  }
  /// The end of the part's file, among all parts.
  [[nodiscard]] std::int64_t end_of_file(std::int64_t part) const { return ends_[file_of(part)]; }
  /// Parts [begin, end) of one file, of which there may be none. Throws input_error for columns that are others than in the first file.
  [[nodiscard]] arrow::arrow_stream read(std::span<const int> columns, std::int64_t begin, std::int64_t end) const {
    const std::size_t i = begin == end ? 0 : file_of(begin);
    for (const int c : columns) {
      const auto place = static_cast<std::size_t>(c);
      const arrow::column_type& expected = first().columns()[place];
      const auto& mine = files_[i]->columns();
      if (place < mine.size() && mine[place].name == expected.name && mine[place].described() == expected.described()) continue;
      throw input_error::at(names_[i], 0,
                            place < mine.size() ? "column '" + mine[place].name + "' of " + mine[place].described() : "fewer columns",
                            "column '" + expected.name + "' of " + expected.described() + " as in " + names_.front());
    }
    return files_[i]->read(columns, begin - begin_of(i), end - begin_of(i));
  }

private:
  [[nodiscard]] std::size_t file_of(std::int64_t part) const {
    return static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), part) - ends_.begin());
  }
  [[nodiscard]] std::int64_t begin_of(std::size_t file) const noexcept { return file == 0 ? 0 : ends_[file - 1]; }

  std::vector<std::unique_ptr<arrow::columnar_file>> files_;
  std::vector<std::string> names_;
  std::vector<std::int64_t> ends_;  ///< of the parts of each file
};

/// Consecutive parts of a source as streams, as many as keep the workers busy.
struct open_parts {
  std::deque<arrow::arrow_stream> streams;
  std::vector<arrow::table_part> parts;
  std::optional<std::uint64_t> rows = 0;  ///< of all; none where only reading would tell
};
open_parts parts_for(const columnar_source& from, std::span<const int> columns, std::int64_t begin, std::int64_t end, unsigned workers) {
  open_parts all;
  const std::int64_t step = std::max<std::int64_t>((end - begin) / (std::int64_t{4} * workers), 1);
  std::int64_t at = begin;
  do {
    const std::int64_t to = at == end ? end : std::min({at + step, end, from.end_of_file(at)});
    all.streams.push_back(from.read(columns, at, to));
    all.parts.emplace_back(&all.streams.back(), all.rows.value_or(0));
    for (; at < to; ++at) {
      const std::int64_t rows = from.part_rows(at);
      if (rows < 0) all.rows.reset();
      if (rows < 0 && end - begin > 1) throw usage_error{"found a folder with streams of Arrow, expected files of Parquet or Arrow"};
      if (all.rows) *all.rows += static_cast<std::uint64_t>(rows);
    }
  } while (at < end);
  return all;
}

/// body() with the name of the file before what its rows are refused for.
template <class Body>
auto in_file(const std::string& name, Body body) {
  try {
    return body();
  } catch (const arrow::row_error& error) {
    throw input_error{name + ": " + error.what()};
  } catch (const arrow::array_fault& error) {
    throw input_error{name + ": " + error.what()};
  }
}

/// The text that a threshold of scores is exactly.
std::optional<arrow::score_threshold> threshold_of(const read_request& options) {
  if (!options.min_weight || *options.min_weight == -std::numeric_limits<double>::infinity()) return std::nullopt;
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), *options.min_weight).ptr;
  return arrow::score_threshold{std::string{text.data(), end}};
}

void note(const read_request& options, const std::string& name, std::uint64_t count, const char* of_one, const char* of_many) {
  if (count != 0 && options.observer != nullptr)
    options.observer->note(name + ": " + std::to_string(count) + (count == 1 ? of_one : of_many));
}

}  // namespace

void parse_columnar_file(const std::filesystem::path& path, format f, const read_request& options, edge_sink& behind, part_of_file part) {
  const std::string name = path.string();
  expect_edge_columns(options);
  refuse_options_of_text(name, options);
  const columnar_source from{path, f};
  const auto parts = static_cast<std::uint64_t>(from.parts());
  const bool is_cut = part.whole() || parts >= part.count;
  const bool is_mine = is_cut || part.takes_turn();
  const auto begin = static_cast<std::int64_t>(is_cut ? part.begin_of(part.index, parts) : 0);
  const auto end = static_cast<std::int64_t>(is_cut ? part.begin_of(part.index + 1, parts) : is_mine ? parts : 0);

  table_request request = request_for_edges(name, path, format::csv, options);
  const std::vector<int> columns = columns_of(request, from.first(), options);
  const unsigned workers = usable_threads(options.threads);
  open_parts read = parts_for(from, columns, begin, end, workers);
  const std::optional<std::size_t> score = options.weight_column ? std::optional<std::size_t>{2} : std::nullopt;
  const arrow::row_rules rules{read.streams.front(), {0, 1}, score, threshold_of(options), nulls_of(options)};
  expect_kind(name, rules, options.ids);
  if (options.vertices && rules.strings) throw usage_error{"a number of vertices cannot be declared for string ids"};

  std::optional<frequent_id_watch> watch;
  if (options.observer != nullptr && !behind.wishes().weights) watch.emplace(behind, options.observer, name);
  edge_sink& sink = watch ? static_cast<edge_sink&>(*watch) : behind;
  checked_ids checked{name, rules, options, sink};
  sink.begin(
      {.vertices = options.vertices, .first_id = options.first_vertex, .edges = read.rows, .workers = workers, .named = rules.strings});
  const arrow::pass_options how{.workers = workers, .watcher = options.observer, .tells_left_out = options.numbers != nullptr};
  const arrow::table_counts counts = in_file(name, [&] { return arrow::pass_on(read.parts, rules, checked, how); });
  if (options.counts != nullptr) options.counts->missing_ends += counts.nulls;
  note(options, name, counts.nulls, " edge dropped for a missing end or weight", " edges dropped for a missing end or weight");
  add_vertex_tables(options, rules.strings, 1, sink);
  sink.finish();
}

void add_columnar_file(const std::filesystem::path& path, format f, const table_request& request, const read_request& options, bool named,
                       edge_sink& sink) {
  const std::string name = path.string();
  const columnar_source from{path, f};
  const std::vector<int> columns = columns_of(request, from.first(), options);
  if (columns.size() != 1) throw usage_error{name + ": found ids of several columns, which are read from text only"};
  const unsigned workers = usable_threads(options.threads);
  open_parts read = parts_for(from, columns, 0, from.parts(), workers);
  const arrow::row_rules rules{read.streams.front(), {0}, std::nullopt, std::nullopt, nulls_of(options)};
  if (rules.strings != named) {
    throw input_error::at(name, 0, rules.place(0) + " of " + rules.types[0].described(),
                          named ? "strings, as ids of edges are" : "integers, as ids of edges are");
  }
  const arrow::pass_options how{.workers = workers, .watcher = options.observer};
  checked_ids checked{name, rules, options, sink};
  const arrow::table_counts counts = in_file(name, [&] { return arrow::pass_on(read.parts, rules, checked, how); });
  note(options, name, counts.nulls, " row dropped for a missing id", " rows dropped for a missing id");
}

bool has_named_columnar_file(const std::filesystem::path& path, format f, const table_request& request, const read_request& options) {
  const columnar_source from{path, f};
  return from.first().columns()[static_cast<std::size_t>(columns_of(request, from.first(), options).front())].holds_strings();
}

}  // namespace copse::io
