#include "rates.hpp"

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
#include <string>

#include "output.hpp"

namespace copse::cli {
namespace {

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

graph random_list(std::uint64_t vertices, std::uint64_t edges, const solve_options& how) {
  return gen::generate_edges(fmt::format("er:n={},m={},seed=1", vertices, edges), {.threads = how.threads, .memory = how.memory});
}

/// Sparse ids reach as far however few vertices there are.
std::string name_of(std::uint64_t v, id_shape ids, unsigned halvings) {
  if (ids == id_shape::strings) return fmt::format("record-{:09}", v);
  return std::to_string(ids == id_shape::sparse ? (v * 1000003) << halvings : v);
}

/// A file of text that is gone with it.
class probe_file {
public:
  probe_file(id_shape ids, std::uint64_t vertices, std::uint64_t edges, unsigned halvings, const solve_options& how)
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

double unite_seconds(std::uint64_t vertices, std::uint64_t edges, const solve_options& how) {
  const graph list = random_list(vertices, edges, how);
  return seconds_of([&] { static_cast<void>(components(list, how)); }) / static_cast<double>(edges);
}

/// By the middle of what the CPU could solve at once: rows of eight arcs per vertex.
double row_seconds_per_arc(const solve_options& how, std::uint64_t edges) {
  const graph rows = gen::generate(fmt::format("er:n={},m={},seed=1", edges / 4, edges), {.threads = how.threads, .memory = how.memory});
  return seconds_of([&] { static_cast<void>(components(rows, how)); }) / static_cast<double>(2 * edges);
}

}  // namespace

void measure_solving(machine_rates& rates, bool rows, const solve_options& how, unsigned halvings) {
  const std::uint64_t edges = edges_of_rates >> halvings;
  if (rows) {
    rates.row_seconds_per_arc = row_seconds_per_arc(how, edges);
    return;
  }
  rates.far_vertices = machine_rates{}.far_vertices >> halvings;
  rates.near_seconds_per_edge = unite_seconds(machine_rates::near_vertices, edges / 4, how);
  rates.far_seconds_per_edge = unite_seconds(rates.far_vertices, edges, how);
}

void measure_gpu(machine_rates& rates, const solve_options& how, unsigned halvings) {
  const stopwatch starting;
  if (gpus().empty()) return;
  const solve_options options{.threads = how.threads, .gpu = 0, .memory = how.memory};
  static_cast<void>(components(random_list((edges_of_rates >> halvings) / 4, 2, how), options));
  rates.gpu_start_seconds = starting.seconds();
  const std::uint64_t edges = (std::uint64_t{1} << 24) >> halvings;
  const graph list = random_list(edges / 4, edges, how);
  const solve_report report = components(list, options).report;
  rates.link_bytes_per_second = static_cast<double>(edges * 8 + edges) / std::max(report.copy_seconds, 1e-9);
  rates.gpu_seconds_per_edge = report.solve_seconds / static_cast<double>(edges);
}

machine_rates measure_rates(id_shape ids, bool rows, const solve_options& how, std::uint64_t limit_bytes) {
  machine_rates rates;
  const unsigned halvings = halvings_for(limit_bytes);
  const std::uint64_t edges = most_text_edges >> halvings, few = machine_rates::near_vertices >> halvings;
  io::read_options reading;
  reading.threads = how.threads;
  reading.memory = how.memory;
  const merge_options merging{.threads = how.threads, .memory = how.memory};
  const auto text_seconds = [&](const probe_file& text) {
    return seconds_of([&] { static_cast<void>(components_of_file(text.path(), reading, {.memory = how.memory})); });
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
    const mergeable_forest first = forest_of_part({&path, 1}, {0, 2}, reading, merging);
    const mergeable_forest second = forest_of_part({&path, 1}, {1, 2}, reading, merging);
    const double seconds = seconds_of([&] {
      forest_merger merger{merging};
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

}  // namespace copse::cli
