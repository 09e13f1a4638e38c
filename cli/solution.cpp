#include "solution.hpp"

#include <fmt/format.h>

#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/variants.hpp>
#include <optional>
#include <string>

#include "hybrid.hpp"
#include "output.hpp"

namespace copse::cli {
namespace {

/// The texts about --device of a command: for its help, and for the message about a value that it does not accept.
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

/// Returns the device, or nothing if `text` is not a device that `which` permits.
std::optional<std::string> device_of(const std::string& text, devices which) {
  if (text == "auto" && which != devices::any) return "cpu";
  const bool of_gpu_part = text.starts_with("hybrid") || text == "cuda" || text.starts_with("cuda:");
  if (of_gpu_part && !built_with_cuda())
    throw usage_error{fmt::format("--device takes auto or cpu, not {}: this build has no GPU part", text)};
  named_devices named;
  try {
    named = devices_of({.device = text});
  } catch (const usage_error&) {
    return std::nullopt;
  }
  if (which != devices::any && named.hybrid) return std::nullopt;
  if (which == devices::one && named.several()) return std::nullopt;
  return text;
}

void require_known(const std::string& variant, problem_kind problem) {
  if (const auto why = refusal(variant, problem))
    throw usage_error{fmt::format("--variant {}: {} (copse variants{} lists all)", variant, *why,
                                  problem == problem_kind::forest ? " --problem forest" : "")};
}

}  // namespace

void add_device_option(CLI::App& app, std::string& device, const std::string& group, devices which) {
  const auto [type, help, expected] = words_of(which);
  add_parsed(app, "--device", device, type, help, expected, [which](const std::string& text) {
    return device_of(text, which);
  })->group(group);
}

void add_solver_options(CLI::App& app, solver_options& options, devices which) {
  const std::string solving = "Solving";
  std::string type;
  for (const auto chooser : choosers()) type.append(chooser).append("|");
  app.add_option("--variant", options.solving.variant, "A name that copse variants lists (default auto: chosen for the input)")
      ->type_name(type + "NAME")
      ->group(solving);
  add_device_option(app, options.device, solving, which);
  add_bytes(app, "--gpu-memory", options.gpu_memory_bytes,
            "Take no more of the memory of each GPU, e.g. 4G: edges that do not fit are streamed in pieces (auto), or the CPU gets them "
            "(hybrid)")
      ->group(solving);
  if (which == devices::any) add_hybrid_options(app, options.solving.hybrid);
  add_number(app, "--seed", options.solving.seed, 0, UINT64_MAX, "Seed of everything random; the answer does not depend on it (default 1)")
      ->group(solving);
}

bool solver_options::on_gpu() const { return device.starts_with("cuda") || solving.variant.starts_with("cuda."); }

void solver_options::require_sense() const {
  const bool hybrid = device.starts_with("hybrid") || is_hybrid(solving.variant);
  const char* alone = solving.hybrid.share ? "--share" : solving.hybrid.cross ? "--cross" : nullptr;
  if (alone != nullptr && !hybrid) throw usage_error{fmt::format("{} needs --device hybrid", alone)};
  if (gpu_memory_bytes && device == "cpu" && !hybrid && !on_gpu()) throw usage_error{"--gpu-memory needs --device cuda or hybrid"};
}

double solution::median_solve_seconds() const { return median(solve_seconds); }

prepared_graph prepare(const input& graph, const solver_options& options, resources& context) {
  require_known(options.solving.variant, options.solving.problem);
  options.require_sense();
  prepare_options how = options.solving;
  how.short_fetches = true;
  const execution on = options.on(context);
  if (graph.generated()) return prepared_graph{graph.text(), how, on};
  prepared_graph ready{graph.paths(), graph.read_options(), how, on};
  if (const std::string once = graph.read_once(); ready.is_streamed() && !once.empty() && (options.verify || options.trials > 1)) {
    throw usage_error{fmt::format("{} reads the input twice: give a file instead of {}", options.verify ? "--verify" : "--trials", once)};
  }
  return ready;
}

solution solve(const input& graph, const solver_options& options, resources& context) {
  prepared_graph ready = prepare(graph, options, context);
  solution solved;
  for (unsigned trial = 0; trial < options.trials; ++trial) {
    solved.result = {};
    solved.result = ready.components();
    solved.solve_seconds.push_back(solved.result.report.solve_seconds);
  }
  solved.size = ready.edge_count();
  if (options.verify) solved.fault = ready.verify(solved.labels()).reason;
  return solved;
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
