// Reads graphs from files, with or without weights: lists of edges through collecting_sink, which keeps the order of the file; rows through
// the readers of their formats.
#include "io/binary_source.hpp"
#include "io/collect.hpp"
#include "io/readers.hpp"
#include "io/source.hpp"
#include "io/weight_rule.hpp"

#include <copse/errors.hpp>
#include <copse/weighted_graph.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace copse::io {

graph read_graph(const std::filesystem::path& path, const read_options& asked, const execution& on) {
  const read_request options{asked, on};
  const format f = options.format ? *options.format : format_of(path);
  if (has_rows(f)) return read_rows(path, f, options);
  collecting_sink sink{options};
  parse(path, options, part_of_file{}, sink);
  return std::move(sink).take();
}

struct graph_sink::state {
  state(const sink_wishes& asks, const execution& on) : options{{}, on}, sink{options, asks} {}
  read_request options;
  collecting_sink sink;
};

graph_sink::graph_sink(const sink_wishes& asks, const execution& on) : state_{std::make_unique<state>(asks, on)} {}
graph_sink::graph_sink(graph_sink&&) noexcept = default;
graph_sink::~graph_sink() = default;
sink_wishes graph_sink::wishes() const noexcept { return state_->sink.wishes(); }
void graph_sink::begin(const source_facts& facts) { state_->sink.begin(facts); }
void graph_sink::begin_block(unsigned worker, std::uint64_t block) { state_->sink.begin_block(worker, block); }
void graph_sink::edges(unsigned worker, const edge_batch& batch) { state_->sink.edges(worker, batch); }
void graph_sink::vertices(unsigned worker, const vertex_batch& batch) { state_->sink.vertices(worker, batch); }
void graph_sink::ids_are_signed() { state_->sink.ids_are_signed(); }
void graph_sink::finish() { state_->sink.finish(); }
graph graph_sink::take_graph() { return std::move(state_->sink).take(); }
buffer<double> graph_sink::take_weights() { return std::move(state_->sink).take_weights(); }

namespace {

/// The names of all formats with weights as a text: `edges, csv, ... and npz`.
std::string weighted_formats() {
  std::vector<std::string_view> names;
  for (const format_row& row : formats) {
    if (has_columns(row.what) || row.parse != nullptr || row.read_weighted != nullptr) names.push_back(row.name);
  }
  std::string text;
  for (const std::string_view name : names) text.append(text.empty() ? "" : name == names.back() ? " and " : ", ").append(name);
  return text;
}

}  // namespace

weighted_graph read_weighted_graph(const std::filesystem::path& path, const read_options& asked, const execution& on) {
  const read_request options{with_all_weights(asked), on};
  const format f = options.format ? *options.format : format_of(path);
  refuse_what_it_lacks(path, f, options);
  if (has_columns(f) && !options.weight_column) {
    throw usage_error{path.string() + ": give the column of weights: an edge list does not say which it is"};
  }
  const format_row& row = row_of(f);
  if (row.read_weighted != nullptr) return row.read_weighted(path, options);
  if (!has_columns(f) && row.parse == nullptr)
    throw input_error::at(path.string(), 0, "a file of the format " + std::string{row.name},
                          "weights, which are read from " + weighted_formats());
  collecting_sink sink{options, {.weights = true}};
  parse(path, options, part_of_file{}, sink);
  graph edges = std::move(sink).take();
  return {std::move(edges), weight_column{std::move(sink).take_weights()}};
}

namespace {

perhaps_weighted_graph parse_either(const std::filesystem::path& path, const read_request& asked, decltype(format_row::parse) parse) {
  const read_request options = with_all_weights(asked);
  collecting_sink with{options, {.weights = true}};
  collecting_sink without{options};
  const bool weighted = parse(path, options, with, asked.min_weight ? nullptr : &without);
  if (!weighted) return {std::move(without).take(), std::nullopt};
  graph edges = std::move(with).take();
  return {std::move(edges), weight_column{std::move(with).take_weights()}};
}

/// Drops the weights if all of them are 1.
perhaps_weighted_graph without_ones(perhaps_weighted_graph read, const read_options& asked) {
  if (asked.min_weight || !read.weights) return read;
  for (std::uint64_t i = 0; i < read.weights->size(); ++i) {
    if ((*read.weights)[i] != 1) return read;
  }
  read.weights.reset();
  return read;
}

perhaps_weighted_graph read_any(const std::filesystem::path& path, format f, const read_request& asked) {
  const format_row& row = row_of(f);
  if (row.read_any != nullptr) return row.read_any(path, asked);
  if (row.parse != nullptr) {
    perhaps_weighted_graph read = parse_either(path, asked, row.parse);
    return row.ones_are_no_weights ? without_ones(std::move(read), asked) : std::move(read);
  }
  if (!has_columns(f) || !asked.weight_column) return {read_graph(path, asked.options(), asked.on()), std::nullopt};
  auto [edges, weights] = read_weighted_graph(path, asked.options(), asked.on());
  return {std::move(edges), std::move(weights)};
}

}  // namespace

perhaps_weighted_graph read_with_any_weights(const std::filesystem::path& path, const read_options& asked, const execution& on) {
  const format f = asked.format ? *asked.format : format_of(path);
  refuse_what_it_lacks(path, f, asked);
  return while_reading(path, [&] { return read_any(path, f, read_request{asked, on}); });
}

}  // namespace copse::io
