// Solving a GRAPH with the options of the command line, once or several times, and proving the answer.
#pragma once
#include <copse/components.hpp>
#include <copse/execution.hpp>
#include <copse/options.hpp>
#include <copse/prepared_graph.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "input.hpp"
#include "options.hpp"

namespace copse::cli {

struct solver_options {
  prepare_options solving = {};                   ///< the variant, the seed, the numbers of samplers, and what hybrid takes
  std::string device = "cpu";                     ///< the same as execution::device
  std::optional<std::uint64_t> gpu_memory_bytes;  ///< --gpu-memory
  unsigned trials = 1;
  bool verify = false;

  /// How a solve runs.
  [[nodiscard]] execution on(resources& context) const { return context.on(device, gpu_memory_bytes.value_or(UINT64_MAX)); }
  /// Throws for options that would have no effect.
  void require_sense() const;
  /// True if a GPU alone solves, as the device or the variant says.
  [[nodiscard]] bool on_gpu() const;
};
/// What --device may name: one device; several GPUs too; all, and the CPU and a GPU together, and the choice by cost.
enum class devices : std::uint8_t { one, several, any };
/// --variant, --device, --gpu-memory, --seed; the other members have options in some commands only. `any` adds the options of hybrid.
void add_solver_options(CLI::App& app, solver_options& options, devices which = devices::one);
/// --device alone, as execution::device takes it. Where any device may be named, `auto` stays; otherwise it is the CPU.
void add_device_option(CLI::App& app, std::string& device, const std::string& group, devices which = devices::one);

/// The graph, made ready to be solved. Throws usage_error if it would have to be read again, for trials or for a proof, and cannot be.
prepared_graph prepare(const input& graph, const solver_options& options, resources& context);

/// The answer, with the median of the seconds of all trials.
struct solution {
  components_result result;
  std::vector<double> solve_seconds;  ///< one per trial
  prepared_graph::size size;
  std::string fault;  ///< what the proof found to be wrong; empty if nothing is, or if no proof was asked for

  [[nodiscard]] const labelling& labels() const noexcept { return result.labels; }
  [[nodiscard]] double median_solve_seconds() const;
};
solution solve(const input& graph, const solver_options& options, resources& context);

/// Numbers of the papers' samplers: --kout-rounds, --hb-arcs, --ldd-beta, --stages-q.
void add_sampler_numbers(CLI::App& app, solve_options& options);

}  // namespace copse::cli
