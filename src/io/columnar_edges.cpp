// Reads edges and vertices from the columns of Parquet and Arrow files.
#include "core/team.hpp"
#include "io/arrow/edges.hpp"
#include "io/columnar_layout.hpp"
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
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace copse::io {
namespace {

/// The double that the shortest text of a float stands for, such as 0.7: so weights compare as they would in a table of text.
double as_written(double weight) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), static_cast<float>(weight)).ptr;
  double read = weight;
  std::from_chars(text.data(), end, read);
  return read;
}

/// A sink that subtracts the first declared vertex from ids, replaces weights of 16 and 32 bits by the doubles that their shortest decimal
/// texts stand for, and passes the edges on to another sink.
class adjusted_edges final : public edge_sink {
public:
  adjusted_edges(std::string name, const arrow::row_rules& rules, const read_request& options, edge_sink& behind)
      : name_{std::move(name)},
        options_{options},
        behind_{behind},
        narrow_weights_{rules.score && arrow::precision_of(rules.types[*rules.score]) != weight_precision::full} {
    for (std::size_t side = 0; side < 2; ++side) {
      signed_[side] = rules.types[rules.ids[std::min(side, rules.ids.size() - 1)]].id_layout() != arrow::layout::uint64;
    }
  }

  sink_wishes wishes() const noexcept override { return {.weights = behind_.wishes().weights}; }
  void begin(const source_facts& facts) override { behind_.begin(facts); }
  void begin_block(unsigned worker, std::uint64_t block) override { behind_.begin_block(worker, block); }
  void ids_are_signed() override {}  // does nothing: options.signs, which sees the ids of the whole input, tells the sink
  void edges(unsigned worker, const edge_batch& batch) override {
    edge_batch adjusted = batch;
    std::vector<edge<std::uint64_t>> moved;
    if (options_.vertices) {
      moved.resize(batch.ids.size());
      std::transform(batch.ids.begin(), batch.ids.end(), moved.begin(), [this](const edge<std::uint64_t>& e) {
        return edge<std::uint64_t>{place_of(e.u, 0), place_of(e.v, 1)};
      });
      adjusted.ids = moved;
    }
    std::vector<double> weights;
    if (narrow_weights_) {
      weights.resize(batch.weights.size());
      std::transform(batch.weights.begin(), batch.weights.end(), weights.begin(), as_written);
      adjusted.weights = weights;
    }
    behind_.edges(worker, adjusted);
  }
  void vertices(unsigned worker, const vertex_batch& batch) override {
    if (!options_.vertices) return behind_.vertices(worker, batch);
    std::vector<std::uint64_t> moved(batch.ids.begin(), batch.ids.end());
    for (std::uint64_t& id : moved) id = place_of(id, 0);
    behind_.vertices(worker, {.ids = moved, .names = batch.names});
  }
  void left_out(unsigned worker, std::size_t pending) override { behind_.left_out(worker, pending); }

private:
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
  bool narrow_weights_;
  /// for both columns of ids, true if an id with the sign bit is negative: for all types but uint64 (narrower unsigned ids never have it)
  std::array<bool, 2> signed_{};
};

/// What notes call a row of the table, several rows, and an id: `edge`, `edges` and `end` in a table of edges.
struct row_words {
  const char *one, *many, *id;
};

void note_nulls(const read_request& options, const std::string& name, const arrow::table_counts& counts, const row_words& words) {
  const std::uint64_t ends = counts.nulls - counts.null_scores;
  if (options.counts != nullptr) {
    options.counts->missing_ends += ends;
    options.counts->missing_weights += counts.null_scores;
    options.counts->below_min_weight += counts.below;
  }
  if (options.observer == nullptr) return;
  for (const auto& [count, what] : {std::pair{ends, words.id}, std::pair{counts.null_scores, "weight"}}) {
    if (count == 0) continue;
    options.observer->note(name + ": " + std::to_string(count) + " " + (count == 1 ? words.one : words.many) + " dropped for a missing " +
                           what);
  }
}

/// Passes parts [begin, end) of a table (row groups or record batches) on to the sink in groups: small groups if the sink pauses between
/// them, and otherwise groups so large that waiting for the last worker of each costs little. Only one group is open at a time, because
/// open parts of a memory-mapped Arrow file count as memory of the process until they have been read.
arrow::table_counts pass_parts(const columnar_source& from, std::span<const int> columns, std::int64_t begin, std::int64_t end,
                               const arrow::row_rules& rules, const std::string& name, const read_request& options, edge_sink& sink) {
  const unsigned workers = usable_threads(options.threads);
  adjusted_edges adjusted{name, rules, options, sink};
  arrow::table_counts counts;
  const std::int64_t enough = (sink.wishes().pauses ? 2 : 8) * workers * columnar_source::stream_rows;
  while (begin < end) {
    const open_parts some = from.open(columns, begin, end, enough);
    begin = some.end;
    if (some.parts.empty()) continue;
    counts += arrow::pass_on(some.parts, rules, adjusted,
                             {.workers = workers, .watcher = options.observer, .tells_left_out = options.numbers != nullptr});
    if (sink.wants_pause()) sink.pause();
  }
  if (options.observer != nullptr) arrow::tell_unreached(counts, rules, *options.observer);
  return counts;
}

}  // namespace

void parse_columnar_file(const std::filesystem::path& path, format f, const read_request& options, edge_sink& behind, part_of_file part) {
  const std::string name = path.string();
  expect_edge_columns(options);
  expect_declared_vertices(options);
  refuse_options_of_text(name, options);
  refuse_words(name, options);
  const columnar_source from{path, f, options.mapped};
  const auto parts = static_cast<std::uint64_t>(from.parts());
  const bool is_cut = part.whole() || parts >= part.count;
  const bool is_mine = is_cut || part.takes_turn();
  const auto begin = static_cast<std::int64_t>(is_cut ? part.begin_of(part.index, parts) : 0);
  const auto end = static_cast<std::int64_t>(is_cut ? part.begin_of(part.index + 1, parts) : is_mine ? parts : 0);

  const std::vector<int> columns = columns_of(request_for_edges(name, path, format::csv, options), from.columns(), options);
  const arrow::row_rules rules =
      rules_for(from, columns, {0, 1}, options.weight_column ? std::optional<std::size_t>{2} : std::nullopt, options);
  expect_kind(name, rules, options.ids);
  if (options.vertices && rules.strings) throw usage_error{"a number of vertices cannot be declared for string ids"};
  const bool says_nothing = rules.types[0].id_layout() == arrow::layout::nothing && rules.types[1].id_layout() == arrow::layout::nothing;
  const bool named = rules.strings || (says_nothing && has_named_vertices(options));

  std::optional<frequent_id_watch> watch;
  if (options.observer != nullptr && !behind.wishes().weights) watch.emplace(behind, options.observer, name);
  edge_sink& sink = watch ? static_cast<edge_sink&>(*watch) : behind;
  sink.begin({.vertices = options.vertices,
              .first_id = options.first_vertex,
              .edges = from.rows(begin, end),
              .workers = usable_threads(options.threads),
              .named = named});
  const arrow::table_counts counts = pass_parts(from, columns, begin, end, rules, name, options, sink);
  note_nulls(options, name, counts, {"edge", "edges", "end"});
  add_vertex_tables(options, named, 1, sink);
  options.signs->expect_one_kind();
  sink.finish();
}

void add_columnar_file(const std::filesystem::path& path, format f, const table_request& request, const read_request& options, bool named,
                       edge_sink& sink) {
  const std::string name = path.string();
  refuse_words(name, options);
  const columnar_source from{path, f, options.mapped};
  const std::vector<int> columns = columns_of(request, from.columns(), options);
  if (columns.size() != 1) throw usage_error{name + ": found ids of several columns, which are read from text only"};
  const arrow::row_rules rules = rules_for(from, columns, {0}, std::nullopt, options);
  if (rules.strings != named && rules.types[0].id_layout() != arrow::layout::nothing) {
    throw input_error::at(name, 0, rules.place(0) + " of " + rules.types[0].described(),
                          named ? "strings, as ids of edges are" : "integers, as ids of edges are");
  }
  expect_kind(name, rules, rules.strings ? options.ids : id_kind::automatic);
  const arrow::table_counts counts = pass_parts(from, columns, 0, from.parts(), rules, name, options, sink);
  note_nulls(options, name, counts, {"row", "rows", "id"});
}

bool has_named_columnar_file(const std::filesystem::path& path, format f, const table_request& request, const read_request& options) {
  const columnar_source from{path, f, options.mapped};
  return from.columns()[static_cast<std::size_t>(columns_of(request, from.columns(), options).front())].holds_strings();
}

std::string columns_as_text(const std::filesystem::path& path, const std::array<std::string_view, 2>& names) {
  const arrow::columnar_file file{path, format_of(path)};
  std::vector<int> columns;
  for (const std::string_view name : names) {
    const auto& given = file.columns();
    const auto found = std::ranges::find(given, name, &arrow::column_type::name);
    if (found == given.end()) throw input_error::at(path.string(), 0, "no column '" + std::string{name} + "'", "one");
    columns.push_back(static_cast<int>(found - given.begin()));
  }
  arrow::arrow_stream rows = file.read(columns, 0, file.parts());
  arrow::row_rules rules{rows, {0, 1}, std::nullopt, std::nullopt, arrow::null_rule{}};
  rules.address_of = [&path](std::uint64_t row) { return arrow::row_address{path.string() + ": ", row}; };
  std::string text = std::string{names[0]} + "," + std::string{names[1]} + "\n";
  const auto put = [&text](const auto& id, bool are_signed) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(id)>, std::string_view>) {
      text += '"';
      for (const char letter : id) text.append(letter == '"' ? 2 : 1, letter);
      text += '"';
    } else {
      text += id_text(id, are_signed);
    }
  };
  const auto take = [&](auto ids, auto labels, const arrow::taken_facts& facts) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
      put(ids[i], facts.are_signed);
      text += ',';
      put(labels[i], facts.are_signed);
      text += '\n';
    }
  };
  arrow::row_taker taker{rules, arrow::piece_rows, false};
  while (auto next = rows.next()) {
    const arrow::open_batch batch{rules, std::move(next), taker.counts().rows};
    taker.rows(batch, 0, batch.rows(), take);
  }
  return text;
}

}  // namespace copse::io
