// DIMACS and PACE: a line `p KIND vertices edges`, where KIND is a problem whose lines are edges, then `a u v w`, `e u v` or plain `u v`
// lines; `c` lines are comments anywhere.
#include "io/declared_sizes.hpp"
#include "io/fields.hpp"
#include "io/readers.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace copse::io {
namespace {

// In addition to comments, DIMACS has lines about single vertices (n, v, d, x), which are not edges.
bool is_no_edge(const text_source& source, const text_block& block, std::string_view line) {
  if (is_blank_or_comment(line, "#%c")) return true;
  const std::string_view word = cut_word(line);
  if (word == "p") refuse(source, block, word.data(), "a second p line", "edges");
  return word == "n" || word == "v" || word == "d" || word == "x";
}

/// True if the first edge has a third number. The blocks read for this are put back.
bool first_edge_weighs(text_source& source) {
  std::vector<text_block> seen;
  std::optional<bool> weighs;
  for (text_block block; !weighs && source.next(block); block = {}) {
    std::string_view rest = block.text;
    while (!weighs && !rest.empty()) {
      std::string_view line = cut_line(rest);
      if (is_no_edge(source, block, line)) continue;
      std::string_view word = cut_word(line);
      if (word == "a" || word == "e") word = cut_word(line);
      static_cast<void>(cut_word(line));
      weighs = !cut_word(line).empty();
    }
    seen.push_back(std::move(block));
  }
  for (; !seen.empty(); seen.pop_back()) source.put_back(std::move(seen.back()));
  source.renumber();
  return weighs.value_or(false);
}

// Formulas, hypergraphs and other problems have p lines as well, but their lines are not edges, so only these kinds are accepted.
constexpr std::array<std::string_view, 11> kinds_of_graphs{"sp", "max", "min", "edge", "col", "tw", "td", "tdp", "vc", "ds", "cep"};

bool is_graph(std::string_view kind) { return std::ranges::find(kinds_of_graphs, kind) != kinds_of_graphs.end(); }

std::string all_kinds() {
  std::string all;
  for (const std::string_view kind : kinds_of_graphs) all.append(all.empty() ? "" : " ").append(kind);
  return all;
}

}  // namespace

bool parse_dimacs(const std::filesystem::path& path, const read_request& options, edge_sink& sink, edge_sink* without_weights) {
  text_source source{path, options};
  line_reader head{source};
  std::string_view line;
  constexpr std::string_view expected = "a line p KIND VERTICES EDGES";
  do {
    if (!head.next(line)) throw input_error::at(source.name(), source.last_line(), "the end of the file", expected);
  } while (is_blank_or_comment(line, "#%c"));

  std::string_view rest = line;
  if (cut_word(rest) != "p") refuse(source, head.block(), line.data(), quoted(line), std::string{expected} + " before all others");
  const std::string_view kind = cut_word(rest);
  if (!kind.empty() && !is_graph(kind)) {
    refuse(source, head.block(), line.data(), "p " + quoted(kind), "a kind of graph, whose lines are edges: p with one of " + all_kinds());
  }
  std::array<std::uint64_t, 2> sizes{};
  for (auto& size : sizes) {
    const std::string_view word = cut_word(rest);
    const auto value = integer(word);
    if (!value) refuse(source, head.block(), line.data(), word.empty() ? "the end of the line" : describe_not_integer(word), expected);
    size = *value;
  }
  // Colouring instances list each edge once or twice, whichever number they declare, so the declared number is not checked.
  const bool counted = kind != "edge" && kind != "col";
  const std::uint64_t head_line = source.line_of(head.block(), line.data());
  head.leave();
  const bool unweighted = without_weights != nullptr && !first_edge_weighs(source);
  parse_counted_lines(source,
                      {.head_line = head_line,
                       .vertices = sizes[0],
                       .entries = counted ? std::optional{sizes[1]} : std::nullopt,
                       .entry = "edge line",
                       .entries_word = "edge lines",
                       .arc_letter = true,
                       .weighs = options.min_weight.has_value() && !unweighted,
                       .has_no_value = unweighted,
                       .is_passed_over = is_no_edge},
                      options, unweighted ? *without_weights : sink);
  return !unweighted;
}

}  // namespace copse::io
