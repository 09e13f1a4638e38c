// METIS: a line `vertices edges [fmt [ncon]]`, then one line of neighbours per vertex, counted from one. Blocks of rows are parsed
// concurrently; then each block waits for its turn in file order, which tells its position in offsets and targets, and copies its rows
// there. Cost: one pass over the text, and one over the rows to check that every arc is stored in both directions (METIS requires it, but
// some files violate it).
#include "io/declared_sizes.hpp"
#include "io/fields.hpp"
#include "io/readers.hpp"
#include "io/text_source.hpp"
#include "io/weight_rule.hpp"
#include "io/weighted_rows.hpp"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

namespace copse::io {
namespace {

struct metis_head {
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  std::uint64_t line = 0;
  std::uint64_t words_in_front = 0;  // number of words before the neighbours in the line of a vertex: its size and its weights
  bool edge_weights = false;         // true if each neighbour is followed by the weight of its edge
};

bool is_comment(std::string_view line) { return line.starts_with('%'); }

metis_head read_metis_head(text_source& source) {
  line_reader reader{source};
  std::string_view line;
  constexpr std::string_view expected = "a line VERTICES EDGES [FMT [NCON]]";
  do {
    if (!reader.next(line)) throw input_error::at(source.name(), source.last_line(), "the end of the file", expected);
  } while (is_blank_or_comment(line, "%"));
  const auto number = [&](std::string_view word) {
    const auto value = integer(word);
    if (!value) refuse(source, reader.block(), line.data(), word.empty() ? "the end of the line" : describe_not_integer(word), expected);
    return *value;
  };
  metis_head head;
  head.line = source.line_of(reader.block(), line.data());
  std::string_view rest = line;
  head.vertices = number(cut_word(rest));
  head.edges = number(cut_word(rest));
  const std::string_view flags = cut_word(rest);
  const std::string_view constraints = cut_word(rest);
  if (flags.size() > 3 || flags.find_first_not_of("01") != std::string_view::npos) {
    refuse(source, reader.block(), line.data(), "the format " + quoted(flags), "up to three digits 0 or 1");
  }
  const auto flag = [&](std::size_t from_right) { return flags.size() >= from_right && flags[flags.size() - from_right] == '1'; };
  head.edge_weights = flag(1);
  if (flag(2)) head.words_in_front += constraints.empty() ? 1 : number(constraints);
  if (flag(3)) head.words_in_front += 1;
  reader.leave();
  refuse_more_than_fits(source, head.line, {.vertices = head.vertices, .entries = head.edges, .entries_word = "edges"}, 1);
  return head;
}

// The rows parsed from one block.
template <unsigned_index Id>
struct parsed_rows {
  std::vector<Id> targets;
  std::vector<double> weights;    // one per target; empty if weights are not wanted
  std::vector<std::size_t> ends;  // for each row, the end of its range in targets
  std::size_t blank_at_end = 0;   // number of blank lines at the end, which may be empty rows or follow the last row
};

template <unsigned_index Id>
class row_parser {
public:
  /// `weights` is null unless weights are wanted.
  row_parser(const text_source& source, const metis_head& head, const weight_rule* weights)
      : source_{source}, head_{head}, weights_{head.edge_weights ? weights : nullptr} {}

  void parse(const text_block& block, parsed_rows<Id>& rows) const {
    rows.targets.clear();
    rows.weights.clear();
    rows.ends.clear();
    rows.blank_at_end = 0;
    std::string_view text = block.text;
    while (!text.empty()) {
      const std::string_view line = cut_line(text);
      if (is_comment(line)) continue;
      const std::size_t first = rows.targets.size();
      rows.blank_at_end = parse_row(block, line, rows) ? 0 : rows.blank_at_end + 1;
      sort_row(rows, first);
      rows.ends.push_back(rows.targets.size());
    }
  }

private:
  void sort_row(parsed_rows<Id>& rows, std::size_t first) const {
    const auto row = rows.targets.begin() + static_cast<std::ptrdiff_t>(first);
    if (std::is_sorted(row, rows.targets.end())) return;
    if (weights_ == nullptr) return std::sort(row, rows.targets.end());
    std::vector<std::pair<Id, double>> arcs;
    for (std::size_t i = first; i < rows.targets.size(); ++i) arcs.emplace_back(rows.targets[i], rows.weights[i]);
    std::sort(arcs.begin(), arcs.end());
    for (std::size_t i = 0; i < arcs.size(); ++i) std::tie(rows.targets[first + i], rows.weights[first + i]) = arcs[i];
  }

  // Parses one line; returns false if it is blank.
  bool parse_row(const text_block& block, std::string_view line, parsed_rows<Id>& rows) const {
    const char* at = line.data();
    const char* const end = at + line.size();
    const char* const block_end = block.text.data() + block.text.size();
    const auto skip_blanks = [&] {
      while (at != end && is_blank(*at)) ++at;
      return at != end;
    };
    const auto skip_word = [&](std::string_view what) {
      if (!skip_blanks()) refuse(source_, block, line.data(), "the end of the line", what);
      const char* const word = at;
      while (at != end && !is_blank(*at)) ++at;
      return std::string_view{word, static_cast<std::size_t>(at - word)};
    };
    if (!skip_blanks()) return false;
    for (std::uint64_t i = 0; i < head_.words_in_front; ++i) skip_word("the size and weights of the vertex");
    while (skip_blanks()) {
      const char* const word = at;
      std::uint64_t value = 0;
      constexpr std::ptrdiff_t word_bytes = 16;
      const char* const stop = block_end - word >= word_bytes ? short_number(word, value) : nullptr;
      if (stop != nullptr) {
        at = stop;
      } else {
        value = 0;
      }
      while (at != end && is_digit(*at) && at - word < 19) value = 10 * value + static_cast<std::uint64_t>(*at++ - '0');
      if (at == word || value == 0 || value > head_.vertices || (at != end && !is_blank(*at))) refuse_neighbour(block, {word, end});
      rows.targets.push_back(static_cast<Id>(value - 1));
      if (!head_.edge_weights) continue;
      const std::string_view weight = skip_word("the weight of the edge");
      if (weights_ != nullptr) rows.weights.push_back(weight_of(block, weight));
    }
    return true;
  }

  double weight_of(const text_block& block, std::string_view word) const {
    const judged_weight found = weights_->judge(word);
    if (found.verdict == weight_verdict::not_a_number)
      refuse(source_, block, word.data(), quoted(word), "a number as the weight of an edge");
    return weight_in_rows(found);
  }

  [[noreturn]] void refuse_neighbour(const text_block& block, std::string_view rest) const {
    const char* const at = rest.data();
    const std::string_view word = cut_word(rest);
    const auto value = integer(word);
    refuse(source_, block, at, value ? "the neighbour " + std::to_string(*value) : describe_not_integer(word),
           "a vertex from 1 to " + std::to_string(head_.vertices));
  }

  const text_source& source_;
  const metis_head& head_;
  const weight_rule* weights_;
};

// True if every arc is stored in both directions. Rows are sorted, so the arcs into a vertex, visited by source, must come in the order of
// its own row: each advances that row's cursor by one. In the end every cursor must be at the end of its row.
template <unsigned_index Id, unsigned_index Offset>
bool is_symmetric(const csr<Id, Offset>& rows, std::pmr::memory_resource* memory) {
  const auto view = rows.view();
  const Id n = view.vertices();
  buffer<Offset> next{n, memory};
  std::copy_n(rows.offsets.begin(), n, next.begin());
  for (Id u = 0; u < n; ++u) {
    for (const Id v : view.row(u)) {
      const Offset at = next[v]++;
      if (at >= view.arcs() || rows.targets[at] != u) return false;
    }
  }
  return std::equal(next.begin(), next.end(), rows.offsets.begin() + (n == 0 ? 0 : 1));
}

template <unsigned_index Id, unsigned_index Offset>
class rows_builder {
public:
  /// `weights` receives the weights of the arcs, unless it is null.
  rows_builder(text_source& source, const metis_head& head, buffer<double>* weights, const read_request& options,
               std::pmr::memory_resource* memory)
      : source_{source},
        head_{head},
        weights_{weights},
        rule_{options},
        parser_{source, head, weights != nullptr ? &rule_ : nullptr},
        arcs_declared_{2 * head.edges},
        rows_{rows_to_fill<Id, Offset>(head.vertices, arcs_declared_, memory)} {}

  void take(const text_block& block, parsed_rows<Id>& parsed) {
    parser_.parse(block, parsed);
    std::uint64_t first_row = 0;
    std::uint64_t first_arc = 0;
    std::size_t count = 0;
    order_.in_turn(block.index, [&] {
      const std::uint64_t left = head_.vertices - rows_taken_;
      if (parsed.ends.size() - parsed.blank_at_end > left) refuse_extra_row(block, left);
      // blank lines after the last row are not rows
      count = static_cast<std::size_t>(std::min<std::uint64_t>(parsed.ends.size(), left));
      if (parsed.targets.size() > arcs_declared_ - arcs_taken_) refuse_arcs("more than " + std::to_string(arcs_declared_));
      first_row = rows_taken_;
      first_arc = arcs_taken_;
      rows_taken_ += count;
      arcs_taken_ += parsed.targets.size();
    });
    std::copy(parsed.targets.begin(), parsed.targets.end(), rows_.targets.begin() + first_arc);
    if (weights_ != nullptr) std::copy(parsed.weights.begin(), parsed.weights.end(), weights_->begin() + first_arc);
    for (std::size_t i = 0; i < count; ++i) rows_.offsets[first_row + i + 1] = static_cast<Offset>(first_arc + parsed.ends[i]);
  }

  csr<Id, Offset> build(unsigned threads, std::pmr::memory_resource* memory) {
    std::vector<parsed_rows<Id>> parsed(threads);
    on_blocks<text_block>(source_, threads, [&](unsigned worker, const text_block& block) {
      or_fail(order_, block.index, [&] { take(block, parsed[worker]); });
    });
    if (rows_taken_ < head_.vertices) {
      throw input_error::at(source_.name(), source_.last_line(), "the end of the file after " + std::to_string(rows_taken_) + " rows",
                            std::to_string(head_.vertices) + ", one per vertex");
    }
    if (arcs_taken_ < arcs_declared_) refuse_arcs(std::to_string(arcs_taken_));
    rows_.sorted = true;
    rows_.symmetric = is_symmetric(rows_, memory) ? symmetry::yes : symmetry::no;
    return std::move(rows_);
  }

private:
  [[noreturn]] void refuse_extra_row(const text_block& block, std::uint64_t allowed) const {
    std::string_view rest = block.text;
    std::string_view line;
    for (std::uint64_t seen = 0; seen <= allowed || is_blank_or_comment(line, "%");) {
      line = cut_line(rest);
      if (!is_comment(line)) ++seen;
    }
    refuse(source_, block, line.data(), "row " + std::to_string(head_.vertices + 1) + " or a later one",
           "the end of the file after " + std::to_string(head_.vertices) + " rows");
  }
  [[noreturn]] void refuse_arcs(const std::string& found) const {
    throw input_error::at(source_.name(), head_.line, found + " neighbours in the rows",
                          std::to_string(arcs_declared_) + ", two for each of the " + std::to_string(head_.edges) + " edges declared here");
  }

  text_source& source_;
  const metis_head& head_;
  buffer<double>* weights_;
  const weight_rule rule_;
  row_parser<Id> parser_;
  std::uint64_t arcs_declared_;
  csr<Id, Offset> rows_;
  file_order order_;
  std::uint64_t rows_taken_ = 0;
  std::uint64_t arcs_taken_ = 0;
};

graph read_all_rows(text_source& source, const metis_head& head, const read_request& options, buffer<double>* weights) {
  const unsigned threads = usable_threads(options.threads);
  const auto build = [&]<unsigned_index Id, unsigned_index Offset>(Id, Offset) {
    return graph{rows_builder<Id, Offset>{source, head, weights, options, options.memory}.build(threads, options.memory),
                 vertex_names::consecutive(1, head.vertices)};
  };
  return with_narrowest(head.vertices, 2 * head.edges, build);
}

weighted_rows rows_with_weights(const std::filesystem::path& path, const read_request& options, weights_are asked) {
  text_source source{path, options};
  const metis_head head = read_metis_head(source);
  if (!head.edge_weights && asked == weights_are::welcome) return {read_all_rows(source, head, options, nullptr), {}, false};
  if (!head.edge_weights && head.edges != 0) {
    throw input_error::at(source.name(), head.line, "edges without weights", "the format 1, which says that edges have weights");
  }
  weighted_rows all{{}, buffer<double>{static_cast<std::size_t>(2 * head.edges), options.memory}};
  all.rows = read_all_rows(source, head, options, &all.weights);
  return all;
}

}  // namespace

graph read_metis(const std::filesystem::path& path, const read_request& options) {
  if (options.min_weight) return heavy_arcs(rows_with_weights(path, options, weights_are::needed), path.string(), options);
  text_source source{path, options};
  const metis_head head = read_metis_head(source);
  return read_all_rows(source, head, options, nullptr);
}

weighted_graph read_weighted_metis(const std::filesystem::path& path, const read_request& options) {
  return weighted_list(rows_with_weights(path, options, weights_are::needed), path.string(), options);
}

perhaps_weighted_graph read_any_metis(const std::filesystem::path& path, const read_request& options) {
  return read_any_rows(path, options, rows_with_weights);
}

}  // namespace copse::io
