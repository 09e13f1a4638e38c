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

constexpr std::uint64_t text_edges = std::uint64_t{1} << 19;

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

std::string name_of(std::uint64_t v, id_shape ids) {
  if (ids == id_shape::strings) return fmt::format("record-{:09}", v);
  return std::to_string(ids == id_shape::sparse ? v * 1000003 : v);
}

/// A file of text that is gone with it.
class probe_file {
public:
  probe_file(id_shape ids, std::uint64_t vertices, const solve_options& how)
      : path_{std::filesystem::temp_directory_path() / fmt::format("copse_plan_{}_{}.el", getpid(), vertices)} {
    std::string text;
    std::visit(
        [&](const auto& view) {
          if constexpr (requires { view.edges; }) {
            for (const auto& [u, v] : view.edges) text += name_of(u, ids) + " " + name_of(v, ids) + "\n";
          }
        },
        random_list(vertices, text_edges, how).view());
    if (!(std::ofstream{path_} << text)) throw input_error::at(path_.string(), 0, "no place for a file", "a folder for temporary files");
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
double row_seconds_per_arc(const solve_options& how) {
  const graph rows =
      gen::generate(fmt::format("er:n={},m={},seed=1", edges_of_rates / 4, edges_of_rates), {.threads = how.threads, .memory = how.memory});
  return seconds_of([&] { static_cast<void>(components(rows, how)); }) / static_cast<double>(2 * edges_of_rates);
}

}  // namespace

void measure_solving(machine_rates& rates, bool rows, const solve_options& how) {
  if (rows) {
    rates.row_seconds_per_arc = row_seconds_per_arc(how);
    return;
  }
  rates.near_seconds_per_edge = unite_seconds(machine_rates::near_vertices, edges_of_rates / 4, how);
  rates.far_seconds_per_edge = unite_seconds(machine_rates::far_vertices, edges_of_rates, how);
}

void measure_gpu(machine_rates& rates, const solve_options& how) {
  const stopwatch starting;
  if (gpus().empty()) return;
  const solve_options options{.threads = how.threads, .gpu = 0, .memory = how.memory};
  static_cast<void>(components(random_list(edges_of_rates / 4, 2, how), options));
  rates.gpu_start_seconds = starting.seconds();
  constexpr std::uint64_t edges = std::uint64_t{1} << 24;
  const graph list = random_list(edges / 4, edges, how);
  const solve_report report = components(list, options).report;
  rates.link_bytes_per_second = static_cast<double>(edges * 8 + edges) / std::max(report.copy_seconds, 1e-9);
  rates.gpu_seconds_per_edge = report.solve_seconds / static_cast<double>(edges);
}

machine_rates measure_rates(id_shape ids, bool rows, unsigned threads) {
  machine_rates rates;
  const solve_options how{.threads = threads, .memory = host_memory()};  // a limit is for what is planned
  io::read_options reading;
  reading.threads = how.threads;
  reading.memory = how.memory;
  const merge_options merging{.threads = how.threads, .memory = how.memory};
  const auto text_seconds = [&](const probe_file& text) {
    return seconds_of([&] { static_cast<void>(components_of_file(text.path(), reading, {.memory = how.memory})); });
  };
  {
    const probe_file text{ids, machine_rates::near_vertices, how};
    const double seconds_of_few = text_seconds(text);
    rates.parse_seconds_per_edge = seconds_of_few / text_edges;
    // As many edges, but nearly every end is another vertex.
    const probe_file many{ids, 4 * text_edges, how};
    const double met = 0.39 * 4 * text_edges;  // of n vertices by n / 2 ends drawn at random: 1 - exp(-1/2)
    rates.seconds_per_vertex =
        std::max(0.0, text_seconds(many) - seconds_of_few) / (met - static_cast<double>(machine_rates::near_vertices));
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
  measure_solving(rates, false, how);
  if (rows) measure_solving(rates, true, how);
  measure_gpu(rates, how);
  return rates;
}

}  // namespace copse::cli
