// copse tune: measures what auto cannot know. Today: how much of a graph the CPU should take beside this GPU.
#include <fmt/format.h>

#include <cmath>
#include <copse/build.hpp>
#include <copse/components.hpp>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/generate.hpp>
#include <copse/hybrid.hpp>
#include <copse/options.hpp>
#include <functional>
#include <utility>

#include "commands.hpp"
#include "exit_code.hpp"
#include "input.hpp"
#include "machine.hpp"
#include "median.hpp"
#include "output.hpp"
#include "share_file.hpp"

namespace copse::cli {
namespace {

struct tune_options {
  run_options run;
  std::vector<std::string> outputs;
  unsigned device = 0;
  std::vector<std::uint64_t> vertices{1u << 16, 1u << 18, 1u << 20, 1u << 22, 1u << 24};
  std::vector<std::uint64_t> edges{1, 2, 4, 8, 16};
  unsigned trials = 5;
};

/// What the CPU's part is solved by, and the variant that stands for it: what auto takes on the GPU, and the paper's own pair.
constexpr std::pair<const char*, const char*> tuned[] = {{"fast", "hybrid.auto"}, {"dfs", "hybrid.dfs.none.shiloach_vishkin"}};

/// The report of one solve with a share.
using solve_at = std::function<solve_report(double share)>;

/// A share, its seconds, and which side was the busier in the last trial.
struct timed {
  double share;
  std::vector<double> seconds{};
  bool cpu_waits = false;

  [[nodiscard]] double middle() const { return median(seconds); }
};
void measure(const solve_at& solve, timed& way, unsigned trials) {
  for (unsigned trial = 0; trial <= trials; ++trial) {
    const solve_report report = solve(way.share);
    if (trial > 0) way.seconds.push_back(report.solve_seconds);  // the first is to warm up
    way.cpu_waits = report.hybrid->cpu_seconds - report.hybrid->spare_seconds < report.hybrid->gpu_seconds;
  }
}

/// Alone, at the ends, and at the shares that lead to where neither side waits for the other: that is halved for between 5 and 95 percent,
/// because the CPU's time grows with its share and the GPU's falls. So where one side alone is ahead although the other waits, no share in
/// between is tried. Then the best and both alone are measured anew, in turns: as the luckiest of many it would flatter sharing. Medians.
share_point best_share(const solve_at& solve, const graph_profile& profile, unsigned trials) {
  constexpr unsigned halvings = 5, turns = 2;
  timed gpu{.share = 0}, cpu{.share = 100}, both{.share = 0};
  measure(solve, gpu, trials);
  measure(solve, cpu, trials);
  const auto try_share = [&](double share) {
    timed tried{.share = share};
    measure(solve, tried, trials);
    if (both.seconds.empty() || tried.middle() < both.middle()) both = tried;
    return tried;
  };
  double low = 5, high = 95;
  timed least = try_share(low), most = try_share(high);
  const bool hopeless = (!least.cpu_waits && least.middle() > gpu.middle()) || (most.cpu_waits && most.middle() > cpu.middle());
  for (unsigned k = 0; k < halvings && !hopeless; ++k) {
    const double middle = (low + high) / 2;
    (try_share(middle).cpu_waits ? low : high) = middle;
  }
  both.seconds.clear();
  gpu.seconds.clear();
  cpu.seconds.clear();
  for (unsigned turn = 0; turn < turns; ++turn) {
    for (timed* way : {&gpu, &both, &cpu}) measure(solve, *way, trials);
  }
  return {.looks = profile, .share = both.share, .cpu_seconds = cpu.middle(), .gpu_seconds = gpu.middle(), .both_seconds = both.middle()};
}

std::string line_of(std::string_view graph, std::string_view where, std::string_view cpu, const share_point& p) {
  return fmt::format("{:<30} {:>10} {:>5.2f} {:<11} {:<3} {:>9.3f} {:>9.3f} {:>9.3f} {:>7.1f}\n", graph, p.looks.arcs, p.looks.scattered,
                     where, cpu, 1e3 * p.cpu_seconds, 1e3 * p.gpu_seconds, 1e3 * p.both_seconds, p.share);
}

/// Random graphs, whose arcs lead anywhere; roads, lattices and webs, whose vertices are numbered along them.
std::vector<std::string> specs_of(const tune_options& options) {
  constexpr std::uint64_t most_edges = std::uint64_t{1} << 26, grid_edges = 2, mesh_edges = 3, web_edges = 16;  // per vertex
  constexpr double osm_vertices = 3.4;  // per crossing of its lattice
  std::vector<std::string> specs;
  for (const std::uint64_t n : options.vertices) {
    for (const std::uint64_t edges : options.edges) {
      if (n * edges <= most_edges) specs.push_back(fmt::format("er:n={},m={}", n, n * edges));
    }
    const auto side = [](double crossings) { return static_cast<std::uint64_t>(std::sqrt(crossings)); };
    specs.push_back(fmt::format("osm:side={}", side(static_cast<double>(n) / osm_vertices)));  // about one edge per vertex
    if (n * grid_edges <= most_edges) specs.push_back(fmt::format("grid2d:side={}", side(static_cast<double>(n))));
    if (n * mesh_edges <= most_edges) specs.push_back(fmt::format("mesh:side={}", side(static_cast<double>(n))));
    if (n * web_edges <= most_edges) specs.push_back(fmt::format("web:n={},degree=32", n));
  }
  return specs;
}

share_table tune(const tune_options& options, resources& context) {
  const auto all = gpus();
  gpu_solver solver{{.device = options.device}};  // says what is missing where no GPU is
  share_table table;
  table.gpu = all.at(options.device).name;
  table.threads = usable_threads(context.threads);
  write_stdout("graph                                arcs   far where       by      CPU ms    GPU ms   both ms  share %\n");
  for (const std::string& spec : specs_of(options)) {
    const graph g = build_csr(gen::generate(spec, {.threads = context.threads, .memory = &context.memory}),
                              {.threads = context.threads, .memory = &context.memory});
    const auto resident = solver.copy_in(g.view());
    const graph_profile profile = profile_of(g.view());
    for (const auto& [cpu, variant] : tuned) {
      const solve_options settings{.variant = variant, .threads = context.threads, .gpu = options.device, .memory = &context.memory};
      const solve_at from_host = [&](double share) { return components(g, settings, {.share = share}).report; };
      const solve_at on_the_gpu = [&](double share) { return solver.solve(resident, g.view(), settings, {.share = share}).report(); };
      share_points& points = table.by[cpu];
      points.from_host.push_back(best_share(from_host, profile, options.trials));
      write_stdout(line_of(spec, "from host", cpu, points.from_host.back()));
      points.on_the_gpu.push_back(best_share(on_the_gpu, profile, options.trials));
      write_stdout(line_of(spec, "on the GPU", cpu, points.on_the_gpu.back()));
    }
  }
  return table;
}

int run_tune(const tune_options& options) {
  if (!unfit_to_measure.empty())
    throw usage_error{
        fmt::format("tune: found {}, expected a release build (tools/build.sh release): its times would mean nothing", unfit_to_measure)};
  std::vector<std::filesystem::path> paths(options.outputs.begin(), options.outputs.end());
  if (paths.empty()) paths.push_back(share_file_path());
  if (paths.front().empty()) throw usage_error{"tune: found neither XDG_CONFIG_HOME nor HOME, expected one of them, or --output FILE"};
  if (!built_with_cuda()) throw resource_error{"tune: found a build without the GPU part, expected one with it"};
  resources context{options.run};
  const share_table table = tune(options, context);
  for (const auto& path : paths) {
    write_shares(table, path);
    write_stdout(fmt::format("written to {}\n", path.string()));
  }
  return exit_code::done;
}

std::optional<std::vector<std::uint64_t>> numbers(const std::string& text, std::uint64_t most) {
  return all_parsed(text, [most](const std::string& word) {
    const auto number = whole_number(word);
    return number && *number >= 1 && *number <= most ? number : std::nullopt;
  });
}

}  // namespace

void add_tune(CLI::App& app, action& chosen) {
  auto [command, options] =
      add_command<tune_options>(app, chosen, "tune", "Measure which share of a graph the CPU should take beside a GPU", run_tune);
  add_parsed(*command, "--device", options->device, "hybrid[:i]", "What to tune for", "hybrid or hybrid:0",
             [](const std::string& text) -> std::optional<unsigned> {
               if (text == "hybrid") return 0;
               const auto index = text.starts_with("hybrid:") ? whole_number(std::string_view{text}.substr(7)) : std::nullopt;
               return index && *index < 1024 ? std::optional{static_cast<unsigned>(*index)} : std::nullopt;
             })
      ->required();
  add_file(*command, "--output", options->outputs,
           "Where to (default: $XDG_CONFIG_HOME/copse/hybrid.json or ~/.config/copse/hybrid.json, which --device hybrid reads); "
           "as copse ships it where called .inc");
  constexpr std::uint64_t most_vertices = 1u << 26, most_edges = 1024;
  add_parsed(*command, "--vertices", options->vertices, "N,...",
             "Vertices of the graphs, of 67 M edges at most (default 65536,262144,1048576,4194304,16777216)",
             "whole numbers from 1 to 67108864", [](const std::string& text) { return numbers(text, most_vertices); });
  add_parsed(*command, "--edges", options->edges, "K,...", "Edges per vertex of the random ones (default 1,2,4,8,16)",
             "whole numbers from 1", [](const std::string& text) { return numbers(text, most_edges); });
  add_number(*command, "--trials", options->trials, 1, 1000, "Solve each N times, the deciding ones 2 N; medians count (default 5)");
  add_run_options(*command, options->run);
}

}  // namespace copse::cli
