#include "input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <copse/errors.hpp>
#include <copse/generate.hpp>
#include <utility>

#include "degrees.hpp"
#include "io/written_suffix.hpp"
#include "output.hpp"

namespace copse::cli {

resources::resources(const run_options& options)
    : observer{options.progress},
      memory{options.memory_limit_bytes ? *options.memory_limit_bytes : memory_of_this_machine()},
      threads{options.threads},
      memory_is_limited{options.memory_limit_bytes.has_value()} {}

io::write_options format_only(const std::string& format) {
  io::write_options settings;
  if (!format.empty()) settings.suffix = "." + format;
  return settings;
}

io::write_options table_format(const std::string& path) { return format_only(path == "-" ? "csv" : ""); }

void expect_table_suffix(const std::string& path, std::string_view what) {
  io::expect_table_suffix(path, table_format(path), {".csv", ".txt"}, what);
}

std::optional<std::uint64_t> find_vertex(const vertex_names& names, const std::string& text) {
  if (names.what() == vertex_names::kind::strings) return names.find(std::string_view{text});
  const bool minus = text.starts_with('-');
  const auto number = whole_number(minus ? text.substr(1) : text);
  if (!number || (minus && *number > std::uint64_t{1} << 63)) return std::nullopt;
  const std::uint64_t id = minus ? 0 - *number : *number;
  return has_sign_bit(id) && names.is_signed() != minus ? std::nullopt : names.find(id);
}

void graph_output::add_options(CLI::App& app) {
  add_output_format(app, format, "csv|tsv|el|txt|parquet|arrow|mtx|coo|coo64|sg|egr|adj|gr");
  app.add_flag(
      "--drop-weights", drop_weights,
      "Write no weights (default: those of the input, or of --weight, are written, and a format without room for them is refused)");
  add_file(app, "--id-map", id_map,
           "Where vertices are numbered anew (.sg .egr .adj .gr .mtx .coo): write the id that each had here: .csv .txt .parquet .arrow "
           "(position, id), .npy");
}

void graph_output::require_room_for_weights(const std::string& input) const {
  if (io::holds_weights(path, format_only(format))) return;
  throw usage_error{fmt::format(
      "{} cannot hold the weights of {}: write .csv .tsv .el .txt .parquet .arrow .mtx or .egr, or give --drop-weights", path, input)};
}

void graph_output::require_sense() const {
  io::expect_graph_suffix(path, format_only(format));
  if (id_map.empty()) return;
  io::expect_names_suffix(id_map);
  if (keeps_names(path, format)) {
    throw usage_error{fmt::format("--id-map needs an output that numbers the vertices; {} keeps the ids", path)};
  }
}

std::uint64_t vertices_left_out(const graph& g, const std::filesystem::path& output, const std::string& format,
                                std::pmr::memory_resource* memory) {
  const std::string suffix = suffix_of(output, format);
  if (!keeps_names(output, format) && suffix != ".coo" && suffix != ".coo64") return 0;
  return std::visit(
      [memory](const auto& view) {
        buffer<unsigned char> touched(view.vertices(), memory);
        std::ranges::fill(touched.span(), 0);
        each_arc(view, [&](auto u, auto v) { touched[u] = touched[v] = 1; });
        return static_cast<std::uint64_t>(std::ranges::count(touched.span(), 0));
      },
      g.view());
}

namespace {

/// Throws input_error if the file does not exist, which is more helpful than that its suffix is unknown. Does nothing for .xz and .bz2, as
/// the reader then says which program unpacks the file.
void expect_file(const std::filesystem::path& path) {
  std::error_code unknown;  // ignored: reading the file reports the error
  if (std::filesystem::status(path, unknown).type() != std::filesystem::file_type::not_found) return;
  if (path.extension() == ".xz" || path.extension() == ".bz2") return;
  throw input_error{fmt::format("{}: no such file", path.string())};
}

/// The position of the first vertex in files with this suffix: 1 in Matrix Market, otherwise 0.
std::uint64_t first_position(const std::string& suffix) { return suffix == ".mtx" ? 1 : 0; }

}  // namespace

execution resources::on(std::string device, std::uint64_t gpu_memory) {
  return {.device = std::move(device), .threads = threads, .gpu_memory = gpu_memory, .observer = &observer, .memory = &memory};
}

int resources::refuse(const std::string& graph, std::string_view answer, std::string_view reason) {
  observer.clear();
  complain(fmt::format("copse: {}: wrong {}, nothing written: {}", graph, answer, reason));
  return exit_code::check_failed;
}

void resources::explain(const std::string& explanation) {
  if (explanation.empty()) return;
  observer.clear();
  complain(fmt::format("copse: {}", explanation));
}

void resources::write(const graph& g, const graph_output& to) {
  io::write_graph(g, to.path, format_only(to.format), on());
  tell_of_graph(g, to);
}

void resources::write(const weighted_graph& g, const graph_output& to) {
  io::write_weighted_edges(g.edges, g.weights.view(), to.path, format_only(to.format), on());
  tell_of_graph(g.edges, to);
}

void resources::tell_of_graph(const graph& g, const graph_output& to) {
  if (const std::uint64_t isolated = vertices_left_out(g, to.path, to.format, &memory); isolated > 0) {
    observer.note(fmt::format("{} lists edges: {} isolated {} not in it", to.path, isolated, isolated == 1 ? "vertex is" : "vertices are"));
  }
  if (!to.id_map.empty()) return io::write_names(g.names(), first_position(suffix_of(to.path, to.format)), to.id_map, {}, on());
  note_new_ids(g.names(), to.path, to.format);
}

void resources::note_threshold(weights_view weights, double threshold) {
  if (const std::string note = unreached_threshold(weights, threshold); !note.empty()) observer.note(note);
}

void resources::note_new_ids(const vertex_names& names, const std::filesystem::path& path, const std::string& format) {
  if (keeps_names(path, format)) return;
  const std::uint64_t first = first_position(suffix_of(path, format));
  if (names.size() == 0 || names.first_id() == first) return;
  const std::string how = names.first_id() ? fmt::format("its vertices count from {}, those of the input from {}", first, *names.first_id())
                                           : fmt::format("its vertices are numbered from {} in the same order", first);
  observer.note(fmt::format("{} has no place for the ids of the input: {}", path.string(), how));
}

input::input(const input_options& options, resources& context, bool weighted)
    : text_{options.graphs.front()},
      paths_(options.graphs.begin(), options.graphs.end()),
      read_{options.read},
      context_{context},
      generated_{gen::is_spec(text_)} {
  read_.counts = &counts_;
  read_.trust_head = context.memory_is_limited;
  for (const std::string& graph : options.graphs) {
    if (graph != "-" && !gen::is_spec(graph)) expect_file(graph);
    if (several() && (graph == "-" || gen::is_spec(graph))) {
      throw usage_error{fmt::format("several GRAPHs must all be files of edges, which {} is not", graph == "-" ? "standard input" : graph)};
    }
  }
  if (read_.weight_column && !read_.min_weight && !weighted) {
    throw usage_error{"--weight needs --min-weight X, which says which edges to keep"};
  }
  if (!generated_ && read_.min_weight && !read_.weight_column && io::has_columns(format())) {
    throw usage_error{"--min-weight needs --weight C, which names the column of weights of an edge list"};
  }
}

std::string input::read_once() const {
  if (generated_) return {};
  for (const auto& path : paths_) {
    std::error_code fault;  // ignored: reading the file reports the error
    if (path == "-") return "standard input";
    const auto kind = std::filesystem::status(path, fault).type();
    using enum std::filesystem::file_type;
    if (kind != regular && kind != directory && kind != not_found) return path.string();
  }
  return {};
}

io::format input::format() const { return read_.format ? *read_.format : io::format_of(paths_.front()); }

io::read_options input::uncounted_options() const {
  io::read_options again = read_;
  again.counts = nullptr;
  return again;
}

std::string input::left_out_text() const {
  const std::uint64_t below = counts_.below_min_weight;
  return below == 0 ? std::string{} : fmt::format("left out    {} (weight below {})\n", below, *read_.min_weight);
}

graph input::read() const {
  if (generated_) return gen::generate_edges(text_, context_.on());
  return io::read_graph(paths_.front(), read_, context_.on());
}

io::perhaps_weighted_graph input::read_with_any_weights() const {
  if (generated_) return {read(), std::nullopt};
  return io::read_with_any_weights(paths_.front(), read_, context_.on());
}

void input::expect_weights(const std::string& asked_by) const {
  if (generated_) throw usage_error{fmt::format("{} needs a file with weights; the generator spec {} has none", asked_by, text_)};
  if (!read_.weight_column && io::has_columns(format())) {
    throw usage_error{fmt::format("{} needs --weight C, which names the column of weights of an edge list", asked_by)};
  }
}

weighted_graph input::read_weighted(const std::string& asked_by) const {
  expect_weights(asked_by);
  return io::read_weighted_graph(paths_.front(), read_, context_.on());
}

weighted_forest_result input::read_forest(const std::string& asked_by, const weighted_forest_options& options) const {
  expect_weights(asked_by);
  return weighted_forest(paths_.front(), read_, options, context_.on());
}

}  // namespace copse::cli
