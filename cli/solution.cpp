#include "solution.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <copse/build.hpp>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/variants.hpp>
#include <copse/verify.hpp>
#include <optional>
#include <string>

#include "degrees.hpp"
#include "gpu_solution.hpp"
#include "output.hpp"
#include "plan/room.hpp"

namespace copse::cli {
namespace {

void require_known(const std::string& variant) {
  if (is_chooser(variant) || find_variant(variant, input_kind::csr) != nullptr || find_variant(variant, input_kind::coo) != nullptr) return;
  throw usage_error{
      fmt::format("--variant {}: {} (copse variants lists all)", variant, refusal(variant, input_kind::csr).value_or("unknown"))};
}

void solve_streamed(solution& solved, const input& graph, const solver_options& options, const execution& on) {
  for (unsigned trial = 0; trial < options.trials; ++trial) {
    solved.result = {};
    solved.result = components(graph.paths(), trial == 0 ? graph.read_options() : graph.uncounted_options(), options.solving, on);
    solved.solve_seconds.push_back(solved.result.report.solve_seconds);
  }
  solved.edges = solved.arcs = solved.result.report.edges;
}

void solve_held(solution& solved, const input& graph, const solver_options& options, const execution& on) {
  const stopwatch reading;
  solved.held = graph.read();
  solved.read_seconds = reading.seconds();
  const std::string& variant = options.solving.variant;
  if (!solved.held->has_rows() && !is_chooser(variant) && find_variant(variant, input_kind::coo) == nullptr) {
    const stopwatch building;
    solved.held = build_csr(*solved.held, {}, on);
    solved.build_seconds = building.seconds();
  }
  for (unsigned trial = 0; trial < options.trials; ++trial) {
    solved.result = {};
    solved.result = components(*solved.held, options.solving, on);
    solved.solve_seconds.push_back(solved.result.report.solve_seconds);
  }
  solved.build_seconds += solved.result.report.build_seconds;
  solved.count_held(on.threads);
}

/// What a command takes of --device, for the help and for who gives something else.
struct device_words {
  std::string type, help, expected;
};

device_words words_of(devices which) {
  const std::string by_cost =
      "Where to solve (default cpu); auto takes the device that is expected to be done first, which --explain tells";
  if (!built_with_cuda()) {
    return {"auto|cpu",
            which == devices::any ? by_cost + "; this build has no GPU part" : "Where to solve (default auto; this build has no GPU part)",
            "auto or cpu"};
  }
  const std::string one = "Where to solve (default auto: the CPU); cuda takes a variant of cuda";
  switch (which) {
    case devices::one:
      return {"auto|cpu|cuda[:i]", one, "auto, cpu, cuda or cuda:0"};
    case devices::several:
      return {"auto|cpu|cuda[:i|:i,j|:all]", one + ", and several GPUs share the edges", "auto, cpu, cuda, cuda:0, cuda:0,1 or cuda:all"};
    case devices::any:
      break;
  }
  return {"auto|cpu|cuda[:i|:i,j|:all]|hybrid[:i]",
          by_cost + "; cuda takes a variant of cuda, several GPUs auto, hybrid one of hybrid, on the CPU and a GPU together",
          "auto, cpu, cuda, cuda:0, cuda:0,1, cuda:all, hybrid or hybrid:0"};
}

/// Nothing where it is none of `which`.
std::optional<std::string> device_of(const std::string& text, devices which) {
  if (text == "cpu" || (text == "auto" && which != devices::any)) return "cpu";
  if (text == "auto") return text;
  const bool of_gpu_part = text.starts_with("hybrid") || text == "cuda" || text.starts_with("cuda:");
  if (of_gpu_part && !built_with_cuda())
    throw usage_error{fmt::format("--device: found {}, expected auto or cpu: this build has no GPU part", text)};
  named_devices named;
  try {
    named = devices_of({.device = text});
  } catch (const usage_error&) {
    return std::nullopt;
  }
  if (which != devices::any && named.hybrid) return std::nullopt;
  if (which == devices::one && named.several()) return std::nullopt;
  if (named.hybrid) return text;
  if (named.all_gpus) {
    for (const gpu_facts& gpu : gpus()) named.gpus.push_back(gpu.index);
    if (named.gpus.empty()) named.gpus.push_back(0);  // who solves there says that there is none
  }
  return fmt::format("cuda:{}", fmt::join(named.gpus, ","));
}

}  // namespace

void add_device_option(CLI::App& app, std::string& device, const std::string& group, devices which) {
  const auto [type, help, expected] = words_of(which);
  add_parsed(app, "--device", device, type, help, expected, [which](const std::string& text) {
    return device_of(text, which);
  })->group(group);
}

bool has_several_gpus(const std::string& device) { return devices_of({.device = device}).several(); }

void add_solver_options(CLI::App& app, solver_options& options, devices which) {
  const std::string solving = "Solving";
  std::string type;
  for (const auto chooser : choosers()) type.append(chooser).append("|");
  app.add_option("--variant", options.solving.variant, "A name that copse variants lists (default auto: chosen for the input)")
      ->type_name(type + "NAME")
      ->group(solving);
  add_device_option(app, options.device, solving, which);
  if (which == devices::any) {
    add_bytes(
        app, "--gpu-memory", options.gpu_memory_bytes,
        "Take no more of a GPU's memory, e.g. 4G: of what does not fit the CPU gets a part (hybrid), or it is streamed in pieces (auto)")
        ->group(solving);
    add_hybrid_options(app, options.solving.hybrid);
  }
  add_number(app, "--seed", options.solving.seed, 0, UINT64_MAX, "Seed of everything random; the answer does not depend on it (default 1)")
      ->group(solving);
}

double solution::median_solve_seconds() const { return median(solve_seconds); }

void solution::count_held(unsigned threads) {
  const edge_summary counted = count_edges(held->view(), threads);
  edges = counted.edges;
  arcs = counted.arcs;
}

solution solve(const input& graph, const solver_options& options, resources& context) {
  solution solved;
  if (is_hybrid(options)) {
    solve_hybrid(solved, graph, options, context);
    return solved;
  }
  const std::string& variant = options.solving.variant;
  require_known(variant);
  const bool on_gpu = is_on_gpu(options), several_gpus = has_several_gpus(options.device);
  if (several_gpus || (graph.several() && on_gpu)) {
    if (variant != "auto")
      throw usage_error{fmt::format("--variant: found {}, expected auto: {} are streamed in pieces", variant,
                                    graph.several() ? "several graphs" : "edges for several GPUs")};
    solve_streaming(solved, graph, options, context, several_gpus ? "several GPUs" : "several graphs");
    return solved;
  }
  const execution on = options.on(context);
  const bool streamed =
      graph.several() || (!graph.generated() && is_streamed(graph.paths().front(), graph.read_options(), options.solving, on));
  if (const std::string once = graph.read_once(); streamed && !once.empty() && (options.verify || options.trials > 1)) {
    throw usage_error{
        fmt::format("{}: found {}, expected a file, which can be read again", options.verify ? "--verify" : "--trials", once)};
  }
  if (streamed) {
    solve_streamed(solved, graph, options, on);
  } else if (on_gpu) {
    solve_on_gpu(solved, graph, options, context);
  } else {
    if (context.memory_is_limited && !graph.generated()) plan::expect_room(graph.paths(), graph.read_options(), on);
    solve_held(solved, graph, options, on);
  }
  return solved;
}

std::string fault_of(const input& graph, const solution& solved, resources& context) {
  if (solved.gpu) return fault_on_gpu(solved);
  if (solved.held) return verify(solved.held->view(), solved.labels()).reason;
  return verify(graph.paths(), graph.uncounted_options(), solved.labels(), context.on()).reason;
}

void add_sampler_numbers(CLI::App& app, solve_options& options) {
  constexpr std::uint64_t most = 1000000;
  add_number(app, "--kout-rounds", options.kout_rounds, 1, most, "k of the kout samplers: arcs per vertex that they join (default 2)");
  add_number(app, "--hb-arcs", options.hb_arcs, 1, most, "N of the sampler hb: arcs that each root left over joins (default 2; GConn: 4)");
  add_parsed(app, "--ldd-beta", options.ldd_beta, "B", "beta of the sampler ldd: the share of edges that it cuts, about (default 0.2)",
             "a number above 0 and below 1", [](const std::string& text) {
               const auto beta = finite_number(text);
               return beta && *beta > 0 && *beta < 1 ? beta : std::nullopt;
             });
  add_parsed(app, "--stages-q", options.stages_q, "Q", "q of the sampler stages: edges per vertex in one of its groups (default 1)",
             "a number above 0", [](const std::string& text) {
               const auto q = finite_number(text);
               return q && *q > 0 ? q : std::nullopt;
             });
}

}  // namespace copse::cli
