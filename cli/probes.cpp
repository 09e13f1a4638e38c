#include "probes.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <copse/components.hpp>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/generate.hpp>
#include <copse/memory.hpp>
#include <copse/mergeable_forest.hpp>
#include <filesystem>
#include <fstream>
#include <limits>
#include <mutex>
#include <span>
#include <string>
#include <system_error>

#include "core/memory_error.hpp"
#include "degrees.hpp"
#include "estimate.hpp"
#include "output.hpp"

namespace copse::cli {
namespace {

/// What passes by, counted.
class graph_size_sink final : public io::edge_sink {
public:
  void begin(const io::source_facts& facts) override {
    if (facts.vertices) declared = *facts.vertices;
    named = facts.named;
  }
  void edges(unsigned, std::span<const edge<std::uint64_t>> batch) override {
    std::uint64_t high = 0;
    for (const auto [u, v] : batch) high = std::max({high, u, v});
    add(batch.size(), high, 0);
  }
  void named_edges(unsigned, std::span<const io::named_edge> batch) override {
    std::uint64_t bytes = 0;
    for (const auto& [u, v] : batch) bytes += u.size() + v.size();
    add(batch.size(), 0, bytes);
  }

  std::uint64_t count = 0, largest = 0, name_bytes = 0, declared = 0;
  bool named = false;

private:
  void add(std::uint64_t edges, std::uint64_t high, std::uint64_t bytes) {
    const std::lock_guard lock{guard_};
    count += edges;
    largest = std::max(largest, high);
    name_bytes += bytes;
  }
  std::mutex guard_;
};

std::uint64_t bytes_of_files(const input& graph) {
  std::uint64_t bytes = 0;
  for (const auto& path : graph.paths()) {
    std::error_code unknown;  // reading says what is wrong with it
    const auto size = std::filesystem::file_size(path, unknown);
    bytes += unknown ? 0 : size;
  }
  return bytes;
}

}  // namespace

sized look_at(const input& source, const execution& on) {
  if (source.generated()) {
    const graph g = source.read();
    graph_size size = size_of(g.names(), count_edges(g.view(), 1).edges);
    size.declared = true;
    return {size, "generated"};
  }
  constexpr std::uint64_t piece_bytes = std::uint64_t{1} << 20;
  constexpr unsigned most_pieces = 1u << 30, pieces = 16;
  const auto cut = static_cast<unsigned>(std::min<std::uint64_t>(bytes_of_files(source) / piece_bytes, most_pieces));
  const bool sampled = cut > 4 * pieces && is_cut(source.paths(), source.read_options());
  graph_size_sink sink;
  const io::read_options reading = source.uncounted_options();
  if (!sampled) {
    parse_part(source.paths(), {}, reading, sink, on);
  } else {
    for (unsigned i = 0; i < pieces; ++i) {
      parse_part(source.paths(), {static_cast<unsigned>(std::uint64_t{cut} * i / pieces), cut}, reading, sink, on);
    }
  }
  const double scale = sampled ? static_cast<double>(cut) / pieces : 1;
  graph_size size;
  size.edges = static_cast<std::uint64_t>(static_cast<double>(sink.count) * scale);
  size.declared = sink.declared != 0;
  size.slots = sink.declared != 0 ? sink.declared : sink.count == 0 ? 0 : sink.largest + 1;
  if (sink.named) {
    size.ids = id_shape::strings;
    size.vertices = size.slots = 2 * size.edges;
    size.string_bytes = static_cast<std::uint64_t>(static_cast<double>(sink.name_bytes) * scale);
  } else {
    size.vertices = std::min(size.slots, sink.declared != 0 ? size.slots : 2 * size.edges);
    if (size.slots / 8 > size.vertices) size.ids = id_shape::sparse;
  }
  if (!source.lists_edges()) {  // rows: every arc passed by, and an edge is two
    size.arcs = size.edges;
    size.edges = size.arcs / 2;
  }
  return {size, sampled ? fmt::format("from {} of {} pieces of about 1 MB", pieces, cut) : "counted"};
}

namespace {

// The largest graph that is solved to learn the rates of the CPU has so many edges.
constexpr std::uint64_t edges_of_rates = std::uint64_t{1} << 22;
constexpr std::uint64_t most_text_edges = std::uint64_t{1} << 19;
constexpr std::uint64_t most_bytes = std::uint64_t{128} << 20;  // taken by all measurements without halvings

/// Halvings of all sizes, so that they fit.
unsigned halvings_for(std::uint64_t limit_bytes) {
  unsigned halvings = 0;
  while (most_bytes >> halvings > std::max(limit_bytes, least_planning_bytes)) ++halvings;
  return halvings;
}

/// The lesser of two runs, the first of which wakes the threads.
template <class Run>
double seconds_of(Run run) {
  double least = std::numeric_limits<double>::infinity();
  for (int turn = 0; turn < 2; ++turn) {
    const stopwatch clock;
    run();
    least = std::min(least, clock.seconds());
  }
  return least;
}

graph random_list(std::uint64_t vertices, std::uint64_t edges, const execution& how) {
  return gen::generate_edges(fmt::format("er:n={},m={},seed=1", vertices, edges), how);
}

/// Sparse ids reach as far however few vertices there are.
std::string name_of(std::uint64_t v, id_shape ids, unsigned halvings) {
  if (ids == id_shape::strings) return fmt::format("record-{:09}", v);
  return std::to_string(ids == id_shape::sparse ? (v * 1000003) << halvings : v);
}

/// A file of text that is gone with it.
class probe_file {
public:
  probe_file(id_shape ids, std::uint64_t vertices, std::uint64_t edges, unsigned halvings, const execution& how)
      : path_{std::filesystem::temp_directory_path() / fmt::format("copse_plan_{}_{}.el", getpid(), vertices)} {
    std::ofstream text{path_};
    std::visit(
        [&](const auto& view) {
          if constexpr (requires { view.edges; }) {
            for (const auto& [u, v] : view.edges) text << name_of(u, ids, halvings) << ' ' << name_of(v, ids, halvings) << '\n';
          }
        },
        random_list(vertices, edges, how).view());
    if (!text.flush()) throw input_error::at(path_.string(), 0, "no place for a file", "a folder for temporary files");
  }
  probe_file(const probe_file&) = delete;
  ~probe_file() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

private:
  std::filesystem::path path_;
};

double unite_seconds(std::uint64_t vertices, std::uint64_t edges, const execution& how) {
  const graph list = random_list(vertices, edges, how);
  return seconds_of([&] { static_cast<void>(components(list, {}, how)); }) / static_cast<double>(edges);
}

/// By the middle of what the CPU could solve at once: rows of eight arcs per vertex.
double row_seconds_per_arc(const execution& how, std::uint64_t edges) {
  const graph rows = gen::generate(fmt::format("er:n={},m={},seed=1", edges / 4, edges), how);
  return seconds_of([&] { static_cast<void>(components(rows, {}, how)); }) / static_cast<double>(2 * edges);
}

/// By threads and memory of `how`: those of the CPU for edges that are read: as rows, or as a list. `halvings`: of all sizes.
void measure_solving(machine_rates& rates, bool rows, const execution& how, unsigned halvings = 0) {
  const std::uint64_t edges = edges_of_rates >> halvings;
  if (rows) {
    rates.row_seconds_per_arc = row_seconds_per_arc(how, edges);
    return;
  }
  rates.far_vertices = machine_rates{}.far_vertices >> halvings;
  rates.near_seconds_per_edge = unite_seconds(machine_rates::near_vertices, edges / 4, how);
  rates.far_seconds_per_edge = unite_seconds(rates.far_vertices, edges, how);
}

/// Those of a GPU, where there is one. The first call of a process that needs a GPU: it waits until the GPU has started.
void measure_gpu(machine_rates& rates, const execution& how, unsigned halvings = 0) {
  const stopwatch starting;
  if (gpus().empty()) return;
  execution on = how;
  on.device = "cuda";
  static_cast<void>(components(random_list((edges_of_rates >> halvings) / 4, 2, how), {}, on));
  rates.gpu_start_seconds = starting.seconds();
  const std::uint64_t edges = (std::uint64_t{1} << 24) >> halvings;
  const graph list = random_list(edges / 4, edges, how);
  const solve_report report = components(list, {}, on).report;
  rates.link_bytes_per_second = static_cast<double>(edges * 8 + edges) / std::max(report.copy_seconds, 1e-9);
  rates.gpu_seconds_per_edge = report.solve_seconds / static_cast<double>(edges);
}

}  // namespace

machine_rates measure_rates(id_shape ids, bool rows, const execution& how, std::uint64_t limit_bytes) {
  machine_rates rates;
  const unsigned halvings = halvings_for(limit_bytes);
  const std::uint64_t edges = most_text_edges >> halvings, few = machine_rates::near_vertices >> halvings;
  const auto text_seconds = [&](const probe_file& text) {
    return seconds_of([&] { static_cast<void>(components(text.path(), {}, {}, how)); });
  };
  {
    const probe_file text{ids, few, edges, halvings, how};
    const double seconds_of_few = text_seconds(text);
    rates.parse_seconds_per_edge = seconds_of_few / static_cast<double>(edges);
    // As many edges, but nearly every end is another vertex.
    const probe_file many{ids, 4 * edges, edges, halvings, how};
    const double met = 0.39 * static_cast<double>(4 * edges);  // of n vertices by n / 2 ends drawn at random: 1 - exp(-1/2)
    rates.seconds_per_vertex = std::max(0.0, text_seconds(many) - seconds_of_few) / (met - static_cast<double>(few));
    const std::filesystem::path path = text.path();
    const mergeable_forest first = forest_of_part({&path, 1}, {0, 2}, {}, how);
    const mergeable_forest second = forest_of_part({&path, 1}, {1, 2}, {}, how);
    const double seconds = seconds_of([&] {
      forest_merger merger{how};
      merger.add(first);
      merger.add(second);
      static_cast<void>(merger.finish());
    });
    rates.merge_seconds_per_vertex = seconds / static_cast<double>(first.vertices() + second.vertices());
  }
  measure_solving(rates, false, how, halvings);
  if (rows) measure_solving(rates, true, how, halvings);
  measure_gpu(rates, how, halvings);
  return rates;
}

namespace {

/// Precondition: the graph can be looked at.
device_choice measured_choice(const input& graph, std::uint64_t gpu_memory_bytes, bool explained, resources& context) {
  const graph_size size = look_at(graph, context.on()).size;
  const device_question asked{.graph = size, .threads = usable_threads(context.threads), .gpu_memory_bytes = gpu_memory_bytes};
  if (!explained && size.edges <= edges_of_rates) return {};
  machine_rates rates;
  const execution how{.threads = context.threads, .memory = &context.memory};  // nobody watches what is measured
  measure_solving(rates, size.arcs != 0, how);
  const bool worth_a_start = expected_on_cpu(size, rates) > quickest_gpu_start_seconds;
  if (!explained && !worth_a_start) return {};
  if (worth_a_start) measure_gpu(rates, how);
  return choose_device(asked, rates, gpus());
}

}  // namespace

std::string hidden(const input& graph) {
  if (!graph.read_once().empty()) return "the input is gone once it was read";
  if (graph.generated() || is_cut(graph.paths(), graph.read_options()) || !graph.lists_edges()) return {};
  return "reading the input takes longer than solving it";  // compressed, or text that one thread parses
}

device_choice device_for(const input& graph, std::uint64_t gpu_memory_bytes, bool explained, resources& context) {
  if (const std::string why = hidden(graph); !why.empty()) return {"cpu", "the CPU, as " + why};
  try {
    const device_choice chosen = measured_choice(graph, gpu_memory_bytes, explained, context);
    context.observer.clear();
    return chosen;
  } catch (const resource_error& problem) {
    context.observer.clear();
    return {"cpu", fmt::format("the CPU, as nothing could be measured: {}", problem.what())};
  }
}

namespace {

/// Can it be looked at without reading all of it, or only a little?
bool is_quick_to_look_at(const input& graph) {
  return !graph.generated() && graph.read_once().empty() && is_cut(graph.paths(), graph.read_options());
}

std::string plan_of(const sized& found, const resources& context) {
  const plan_question asked{.size = found.size,
                            .threads = usable_threads(context.threads),
                            .memory_bytes = context.memory.limit_bytes(),
                            .workers = std::nullopt,
                            .network_bytes_per_second = 0};
  std::string text = fmt::format("; copse plan: at most {} vertices, {} edges, {}", found.size.vertices, found.size.edges, found.how);
  for (const way& each : ways_of(asked, {}))
    text += fmt::format("; {} {} on {} ({})", each.name, bytes_text(each.bytes), each.device, each.remark);
  return text;
}

}  // namespace

std::optional<std::uint64_t> bytes_of_list_above(const input& graph, std::uint64_t limit, resources& context) {
  if (!is_quick_to_look_at(graph)) return std::nullopt;
  // An edge is four bytes of a file at least, and eight of a list.
  if (2 * bytes_of_files(graph) < limit) return std::nullopt;
  tracked_memory looking{std::max(limit, least_planning_bytes)};
  execution on = context.on();
  on.memory = &looking;
  const sized found = look_at(graph, on);
  constexpr std::uint64_t sure = 10;                                        // less a tenth of the list: its length is told by pieces of it
  const std::uint64_t list = 2 * sizeof(std::uint32_t) * found.size.edges;  // at least: ids may be wider
  if (list - list / sure <= limit) return std::nullopt;
  return list;
}

void expect_room(const input& graph, resources& context) {
  if (!context.memory_is_limited) return;
  const std::uint64_t limit = context.memory.limit_bytes();
  const auto list = bytes_of_list_above(graph, limit, context);
  if (!list) return;
  throw resource_error{
      fmt::format("--memory: found {}, expected {} and more for a list of edges in memory", bytes_text(limit), bytes_text(*list))};
}

resource_error with_ways(const resource_error& problem, const input& graph, resources& context) {
  if (!context.memory_is_limited || !is_quick_to_look_at(graph)) return problem;
  tracked_memory looking{std::max(context.memory.limit_bytes(), least_planning_bytes)};
  execution on = context.on();
  on.memory = &looking;
  try {
    return resource_error{problem.what() + plan_of(look_at(graph, on), context)};
  } catch (const memory_error&) {
    return problem;
  }
}

}  // namespace copse::cli
