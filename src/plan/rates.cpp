// Measures the rates of this machine by small runs, and chooses devices and makes plans by these rates.
#include <copse/components.hpp>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/generate.hpp>
#include <copse/memory.hpp>
#include <copse/partial.hpp>
#include <copse/plan.hpp>
#include <core/cancelling_observer.hpp>
#include <plan/files.hpp>
#include <plan/room.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <system_error>

namespace copse {
namespace {

using clock = std::chrono::steady_clock;

double seconds_since(clock::time_point start) { return std::chrono::duration<double>(clock::now() - start).count(); }

// Edges of the largest graph that is solved to learn the rates of the CPU.
constexpr std::uint64_t edges_of_rates = std::uint64_t{1} << 22;
constexpr std::uint64_t most_text_edges = std::uint64_t{1} << 19;
constexpr std::uint64_t most_bytes = std::uint64_t{128} << 20;  // memory that all measurements take if no size is halved

/// Returns how often all sizes are halved so that the measurements fit `limit_bytes`.
unsigned halvings_for(std::uint64_t limit_bytes) {
  unsigned halvings = 0;
  while (most_bytes >> halvings > std::max(limit_bytes, least_planning_bytes)) ++halvings;
  return halvings;
}

/// Returns the time of the shorter of two runs, because the first one starts the threads.
template <class Run>
double seconds_of(Run run) {
  double least = std::numeric_limits<double>::infinity();
  for (int turn = 0; turn < 2; ++turn) {
    const auto start = clock::now();
    run();
    least = std::min(least, seconds_since(start));
  }
  return least;
}

graph random_list(std::uint64_t vertices, std::uint64_t edges, const execution& how) {
  return gen::generate_edges(fmt::format("er:n={},m={},seed=1", vertices, edges), how);
}

/// Returns the id of vertex v as text. Sparse ids span the same range however often the number of vertices is halved.
std::string name_of(std::uint64_t v, id_shape ids, unsigned halvings) {
  if (ids == id_shape::strings) return fmt::format("record-{:09}", v);
  return std::to_string(ids == id_shape::sparse ? (v * 1000003) << halvings : v);
}

/// A temporary file of text, which the destructor removes.
class probe_file {
public:
  probe_file(id_shape ids, std::uint64_t vertices, std::uint64_t edges, unsigned halvings, const execution& how) : probe_file{} {
    std::ofstream text{path_};
    std::visit(
        [&](const auto& view) {
          if constexpr (requires { view.edges; }) {
            for (const auto& [u, v] : view.edges) text << name_of(u, ids, halvings) << ' ' << name_of(v, ids, halvings) << '\n';
          }
        },
        random_list(vertices, edges, how).view());
    if (!text.flush()) refuse();
  }
  probe_file(const probe_file&) = delete;
  ~probe_file() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

private:
  /// Creates an empty file with a new name.
  probe_file() {
    std::error_code missing;
    std::string name = (std::filesystem::temp_directory_path(missing) / "copse_plan_XXXXXX.el").string();
    const int descriptor = mkstemps(name.data(), 3);
    path_ = name;
    if (descriptor < 0) refuse();
    close(descriptor);
  }
  [[noreturn]] void refuse() const {
    throw input_error::at(path_.string(), 0, "a folder in which no file can be written",
                          "room for a temporary file: set TMPDIR to another folder");
  }

  std::filesystem::path path_;
};

double unite_seconds(std::uint64_t vertices, std::uint64_t edges, const execution& how) {
  const graph list = random_list(vertices, edges, how);
  return seconds_of([&] { static_cast<void>(components(list, {}, how)); }) / static_cast<double>(edges);
}

/// Measures seconds per arc, with rows of eight arcs per vertex.
double row_seconds_per_arc(const execution& how, std::uint64_t edges) {
  const graph rows = gen::generate(fmt::format("er:n={},m={},seed=1", edges / 4, edges), how);
  return seconds_of([&] { static_cast<void>(components(rows, {}, how)); }) / static_cast<double>(2 * edges);
}

/// Measures the rates of the CPU, for rows or for a list of edges. `halvings`: how often all sizes are halved.
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

/// Measures the rates of a GPU, if there is one, within the GPU memory that the call may take. The first call of a process initialises
/// CUDA.
void measure_gpu(machine_rates& rates, const execution& how, unsigned halvings = 0) {
  const auto start = clock::now();
  if (gpus().empty()) return;
  execution on = how;
  on.device = "cuda";
  constexpr std::uint64_t most_gpu_bytes = std::uint64_t{256} << 20;  // memory that the measurement takes if no size is halved
  while (halvings < 16 && most_gpu_bytes >> halvings > on.gpu_memory) ++halvings;
  static_cast<void>(components(random_list((edges_of_rates >> halvings) / 4, 2, how), {}, on));
  rates.gpu_start_seconds = seconds_since(start);
  const std::uint64_t edges = (std::uint64_t{1} << 24) >> halvings;
  const graph list = random_list(edges / 4, edges, how);
  const solve_report report = components(list, {}, on).report;
  rates.link_bytes_per_second = static_cast<double>(edges * 8 + edges) / std::max(report.copy_seconds, 1e-9);
  rates.gpu_seconds_per_edge = report.solve_seconds / static_cast<double>(edges);
}

}  // namespace

machine_rates measure_rates(id_shape ids, bool rows, const execution& on, std::uint64_t limit_bytes) {
  cancelling_observer watcher{on.observer};
  const execution how{.threads = on.threads, .gpu_memory = on.gpu_memory, .observer = &watcher, .memory = on.memory};
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
    // This file has as many edges as the first one, but nearly every end is a different vertex.
    const probe_file many{ids, 4 * edges, edges, halvings, how};
    const double met = 0.39 * static_cast<double>(4 * edges);  // share of n vertices that n / 2 ends drawn at random meet: 1 - exp(-1/2)
    rates.seconds_per_vertex = std::max(0.0, text_seconds(many) - seconds_of_few) / (met - static_cast<double>(few));
    const std::filesystem::path path = text.path();
    const partial<labelling> first = components_of_part({&path, 1}, {0, 2}, {}, how);
    const partial<labelling> second = components_of_part({&path, 1}, {1, 2}, {}, how);
    merger<labelling> both{how};
    const double seconds = seconds_of([&] {
      both.add(first);
      both.add(second);
      static_cast<void>(both.finish());
    });
    rates.merge_seconds_per_vertex = seconds / static_cast<double>(first.vertices() + second.vertices());
  }
  measure_solving(rates, false, how, halvings);
  if (rows) measure_solving(rates, true, how, halvings);
  measure_gpu(rates, how, halvings);
  return rates;
}

namespace {

/// The rates of solving, each measured when it is first asked for: calls on the device `auto` may be many.
class known_rates {
public:
  machine_rates of_cpu(bool rows, const execution& how) {
    const std::lock_guard lock{guard_};
    machine_rates& rates = by_threads_[how.threads];
    if ((rows ? rates.row_seconds_per_arc : rates.far_seconds_per_edge) == 0) measure_solving(rates, rows, how);
    return rates;
  }
  /// Returns the rates of the CPU and of a GPU, if there is one. Only the first caller gets the time to start the GPU: afterwards CUDA is
  /// initialised.
  machine_rates with_gpu(bool rows, const execution& how) {
    of_cpu(rows, how);
    const std::lock_guard lock{guard_};
    machine_rates& rates = by_threads_[how.threads];
    if (!rates.gpu_seconds_per_edge) measure_gpu(rates, how);
    const machine_rates found = rates;
    rates.gpu_start_seconds = 0;
    return found;
  }

private:
  std::mutex guard_;
  std::map<unsigned, machine_rates> by_threads_;
};

known_rates& rates_of_process() {
  static known_rates rates;
  return rates;
}

constexpr const char* no_gpu_part = "this build has no GPU part";

device_choice measured_choice(const graph_size& size, const execution& on, bool explained) {
  const device_question asked{.graph = size, .threads = usable_threads(on.threads), .gpu_memory_bytes = on.gpu_memory};
  if (!explained && !built_with_cuda()) return {.reason = no_gpu_part};
  const std::string too_small = fmt::format("the CPU, which solves {} edges before a GPU would have started", size.edges);
  if (!explained && size.edges <= edges_of_rates) return {.reason = too_small};
  const bool rows = size.arcs != 0;
  cancelling_observer watcher{on.observer};
  const execution how{.threads = asked.threads, .gpu_memory = on.gpu_memory, .observer = &watcher, .memory = on.memory};
  machine_rates rates = rates_of_process().of_cpu(rows, how);
  const bool worth_a_start = expected_on_cpu(size, rates) > quickest_gpu_start_seconds;
  if (!explained && !worth_a_start) return {.reason = too_small};
  if (worth_a_start) rates = rates_of_process().with_gpu(rows, how);
  return choose_device(asked, rates, gpus());
}

device_choice unmeasured(const resource_error& problem) {
  return {.reason = fmt::format("the CPU, as nothing could be measured: {}", problem.what())};
}

}  // namespace

device_choice device_for(const graph_size& size, const execution& on, bool explained) {
  try {
    return measured_choice(size, on, explained);
  } catch (const resource_error& problem) {
    return unmeasured(problem);
  }
}

device_choice device_for(std::span<const std::filesystem::path> paths, const io::read_options& input, const execution& on, bool explained) {
  if (const std::string why = plan::hidden(paths, input); !why.empty()) return {.reason = "the CPU, as " + why};
  if (!explained && !built_with_cuda()) return {.reason = no_gpu_part};
  try {
    cancelling_observer watcher{on.observer};
    execution looking = on;
    looking.device = "cpu";
    looking.observer = &watcher;
    return measured_choice(size_of_files(paths, input, looking).size, on, explained);
  } catch (const resource_error& problem) {
    return unmeasured(problem);
  }
}

namespace {

/// Plans a solve of `source`, with memory from `planning`. Its limit may be larger than that of `on`, because planning needs some memory
/// even for a solve that needs less.
solve_plan plan_in(std::pmr::memory_resource& planning, const sized_source& source, const plan_options& options, const execution& on) {
  const std::uint64_t limit = plan::limit_of(on).value_or(memory_of_this_machine());
  const execution how{.threads = on.threads, .gpu_memory = on.gpu_memory, .observer = on.observer, .memory = &planning};
  const machine_rates rates = measure_rates(source.size.ids, source.size.arcs != 0, how, limit);
  const plan_question asked{.size = source.size,
                            .threads = usable_threads(on.threads),
                            .memory_bytes = limit,
                            .gpu_memory_bytes = on.gpu_memory,
                            .workers = options.workers,
                            .network_bytes_per_second = static_cast<double>(options.network_bytes_per_second)};
  return make_plan(asked, source, rates, gpus());
}

std::uint64_t bytes_for_planning(const execution& on) { return std::max(plan::limit_of(on).value_or(UINT64_MAX), least_planning_bytes); }

}  // namespace

solve_plan plan_components(const sized_source& source, const plan_options& options, const execution& on) {
  tracked_memory planning{bytes_for_planning(on)};
  return plan_in(planning, source, options, on);
}

solve_plan plan_components(std::span<const std::filesystem::path> paths, const io::read_options& input, const plan_options& options,
                           const execution& on) {
  tracked_memory planning{bytes_for_planning(on)};
  execution looking = on;
  looking.memory = &planning;
  return plan_in(planning, size_of_files(paths, input, looking), options, on);
}

}  // namespace copse
