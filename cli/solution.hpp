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
  prepare_options solving = {};                   ///< the variant, the seed, and the parameters of samplers and hybrid solves
  std::string device = "cpu";                     ///< the same as execution::device
  std::optional<std::uint64_t> gpu_memory_bytes;  ///< the value of --gpu-memory: the most bytes that may be allocated on each GPU
  unsigned trials = 1;
  bool verify = false;

  /// Returns where a solve runs: on the device of these options, with the threads, memory and observer of `context`.
  [[nodiscard]] execution on(resources& context) const { return context.on(device, gpu_memory_bytes.value_or(UINT64_MAX)); }
  /// Throws for options that would have no effect.
  void require_sense() const;
  /// True if the device or the variant selects a GPU alone, without the CPU.
  [[nodiscard]] bool on_gpu() const;
};
/// What --device may name. `one`: the CPU or one GPU; `several`: also several GPUs; `any`: also hybrid, and auto, which chooses by cost.
enum class devices : std::uint8_t { one, several, any };
/// Adds --variant, --device, --gpu-memory and --seed, and for `any` the options of hybrid solves. Commands add options for the other
/// members themselves.
void add_solver_options(CLI::App& app, solver_options& options, devices which = devices::one);
/// Adds --device alone; `device` gets a value for execution::device. `auto` becomes `cpu` unless `which` is `any`.
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

/// Adds the parameters of the papers' samplers: --kout-rounds, --hb-arcs, --ldd-beta and --stages-q.
void add_sampler_numbers(CLI::App& app, solve_options& options);

}  // namespace copse::cli
