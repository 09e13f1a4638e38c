#include "solution.hpp"

#include <fmt/format.h>

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
#include "probes.hpp"

namespace copse::cli {
namespace {

void require_known(const std::string& variant) {
  if (is_chooser(variant) || find_variant(variant, input_kind::csr) != nullptr || find_variant(variant, input_kind::coo) != nullptr) return;
  throw usage_error{
      fmt::format("--variant {}: {} (copse variants lists all)", variant, refusal(variant, input_kind::csr).value_or("unknown"))};
}

void solve_streamed(solution& solved, const input& graph, const solver_options& options, const solve_options& settings) {
  for (unsigned trial = 0; trial < options.trials; ++trial) {
    solved.result = {};
    solved.result = components_of_files(graph.paths(), trial == 0 ? graph.read_options() : graph.uncounted_options(), settings);
    solved.solve_seconds.push_back(solved.result.report.solve_seconds);
  }
  solved.edges = solved.arcs = solved.result.report.edges;
}

void solve_held(solution& solved, const input& graph, const solver_options& options, const solve_options& settings,
                const resources& context) {
  const stopwatch reading;
  solved.held = graph.read();
  solved.read_seconds = reading.seconds();
  if (!solved.held->has_rows() && !is_chooser(options.variant) && find_variant(options.variant, input_kind::coo) == nullptr) {
    const stopwatch building;
    solved.held = build_csr(*solved.held, {.threads = context.threads, .observer = settings.observer, .memory = settings.memory});
    solved.build_seconds = building.seconds();
  }
  for (unsigned trial = 0; trial < options.trials; ++trial) {
    solved.result = {};
    solved.result = components(*solved.held, settings);
    solved.solve_seconds.push_back(solved.result.report.solve_seconds);
  }
  solved.build_seconds += solved.result.report.build_seconds;
  solved.count_held(context.threads);
}

using gpu_index = std::optional<unsigned>;

/// auto and cpu: no GPU. Nothing when the text is none of these.
std::optional<gpu_index> device_of(const std::string& text) {
  if (text == "auto" || text == "cpu") return std::make_optional(gpu_index{});
  if (text == "cuda") return std::make_optional(gpu_index{0});
  if (!text.starts_with("cuda:")) return std::nullopt;
  const auto index = whole_number(std::string_view{text}.substr(5));
  if (!index || *index > 1023) return std::nullopt;
  return std::make_optional(gpu_index{static_cast<unsigned>(*index)});
}

/// The GPUs of cuda:all and cuda:0,2; none when the text is neither.
std::vector<unsigned> several_gpus_of(const std::string& text) {
  std::vector<unsigned> found;
  if (text == "cuda:all") {
    for (const gpu_facts& gpu : gpus()) found.push_back(gpu.index);
    if (found.empty()) found.push_back(0);  // who solves there says that there is none
    return found;
  }
  if (!text.starts_with("cuda:") || text.find(',') == text.npos) return {};
  for (const std::string& index : comma_separated(std::string_view{text}.substr(5))) {
    const auto one = device_of("cuda:" + index);
    if (!one) return {};
    found.push_back(**one);
  }
  return found;
}

/// A device that only builds with the GPU part have.
void refuse_without_gpu_part(const std::string& text) {
  const bool named = text.starts_with("hybrid") || text == "cuda" || text.starts_with("cuda:");
  if (named && !built_with_cuda())
    throw usage_error{fmt::format("--device: found {}, expected auto or cpu: this build has no GPU part", text)};
}

/// --device with several GPUs, with the CPU and a GPU together, and with the choice by cost. The text says both which GPU and that the CPU
/// helps.
void add_any_device(CLI::App& app, solver_options& options, const std::string& group) {
  const auto take = [&options](const std::string& text) {
    refuse_without_gpu_part(text);
    const bool both = text == "hybrid" || text.starts_with("hybrid:");
    options.device_by_cost = text == "auto";
    options.hybrid.named = both;
    options.gpus = several_gpus_of(text);
    if (!options.gpus.empty()) {
      options.gpu = options.gpus.front();
      if (options.gpus.size() == 1) options.gpus.clear();
      return;
    }
    const auto found = device_of(both ? "cuda" + text.substr(6) : text);
    if (!found) {
      const std::string expected = built_with_cuda() ? "auto, cpu, cuda, cuda:0, cuda:0,1, cuda:all, hybrid or hybrid:0" : "auto or cpu";
      throw usage_error{fmt::format("--device: found {}, expected {}", text.empty() ? "nothing" : text, expected)};
    }
    options.gpu = *found;
  };
  const std::string choice = "Where to solve (default cpu); auto takes the device that is expected to be done first, which --explain tells";
  const bool gpu_part = built_with_cuda();
  app.add_option_function<std::string>(
         "--device", take,
         choice + (gpu_part ? "; cuda takes a variant of cuda, several GPUs auto, hybrid one of hybrid, on the CPU and a GPU together"
                            : "; this build has no GPU part"))
      ->type_name(gpu_part ? "auto|cpu|cuda[:i|:i,j|:all]|hybrid[:i]" : "auto|cpu")
      ->group(group);
}

}  // namespace

void add_device_option(CLI::App& app, std::optional<unsigned>& gpu, const std::string& group, std::vector<unsigned>* several) {
  if (!built_with_cuda()) {
    add_parsed(app, "--device", gpu, "auto|cpu", "Where to solve (default auto; this build has no GPU part)", "auto or cpu",
               [](const std::string& text) -> std::optional<gpu_index> {
                 refuse_without_gpu_part(text);
                 return device_of(text);
               })
        ->group(group);
    return;
  }
  const std::string choice = "Where to solve (default auto: the CPU); cuda takes a variant of cuda";
  if (several == nullptr) {
    add_parsed(app, "--device", gpu, "auto|cpu|cuda[:i]", choice, "auto, cpu, cuda or cuda:0", device_of)->group(group);
    return;
  }
  add_parsed(app, "--device", gpu, "auto|cpu|cuda[:i|:i,j|:all]", choice + ", and several GPUs share the edges",
             "auto, cpu, cuda, cuda:0, cuda:0,1 or cuda:all",
             [several](const std::string& text) -> std::optional<gpu_index> {
               *several = several_gpus_of(text);
               if (several->empty()) return device_of(text);
               const unsigned first = several->front();
               if (several->size() == 1) several->clear();
               return std::make_optional(gpu_index{first});
             })
      ->group(group);
}

void add_solver_options(CLI::App& app, solver_options& options, devices which) {
  const std::string solving = "Solving";
  std::string type;
  for (const auto chooser : choosers()) type.append(chooser).append("|");
  app.add_option("--variant", options.variant, "A name that copse variants lists (default auto: chosen for the input)")
      ->type_name(type + "NAME")
      ->group(solving);
  if (which == devices::any) {
    add_any_device(app, options, solving);
    add_bytes(
        app, "--gpu-memory", options.hybrid.gpu_memory_bytes,
        "Take no more of a GPU's memory, e.g. 4G: of what does not fit the CPU gets a part (hybrid), or it is streamed in pieces (auto)")
        ->group(solving);
    add_hybrid_options(app, options.hybrid);
  } else {
    add_device_option(app, options.gpu, solving, which == devices::several ? &options.gpus : nullptr);
  }
  add_number(app, "--seed", options.seed, 0, UINT64_MAX, "Seed of everything random; the answer does not depend on it (default 1)")
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
  require_known(options.variant);
  solve_options settings = options.sampling;
  settings.variant = options.variant;
  settings.threads = context.threads;
  settings.seed = options.seed;
  settings.gpu = gpu_of(options);
  settings.observer = &context.observer;
  settings.memory = &context.memory;
  if (options.gpus.size() > 1 || (graph.several() && settings.gpu)) {
    if (options.variant != "auto")
      throw usage_error{fmt::format("--variant: found {}, expected auto: {} are streamed in pieces", options.variant,
                                    graph.several() ? "several graphs" : "edges for several GPUs")};
    solve_streaming(solved, graph, options, settings, options.gpus.size() > 1 ? "several GPUs" : "several graphs");
    return solved;
  }
  const bool streamed = graph.several() || (!graph.generated() && is_streamed(graph.paths().front(), graph.read_options(), settings));
  if (const std::string once = graph.read_once(); streamed && !once.empty() && (options.verify || options.trials > 1)) {
    throw usage_error{
        fmt::format("{}: found {}, expected a file, which can be read again", options.verify ? "--verify" : "--trials", once)};
  }
  if (streamed) {
    solve_streamed(solved, graph, options, settings);
  } else if (settings.gpu) {
    solve_on_gpu(solved, graph, options, settings);
  } else {
    expect_room(graph, context);
    solve_held(solved, graph, options, settings, context);
  }
  return solved;
}

std::string fault_of(const input& graph, const solution& solved) {
  if (solved.gpu) return fault_on_gpu(solved);
  if (solved.held) return verify(solved.held->view(), solved.labels()).reason;
  return verify(graph.paths(), graph.uncounted_options(), solved.labels()).reason;
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
