// Solving a GRAPH with the options of the command line: streamed or held, once or several times.
#pragma once
#include <copse/components.hpp>
#include <copse/execution.hpp>
#include <copse/options.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "input.hpp"
#include "options.hpp"

namespace copse::cli {

struct solver_options {
  solve_options solving = {};                     ///< the variant, the seed, the numbers of samplers, and what hybrid takes
  std::string device = "cpu";                     ///< of copse components auto, too: the choice by cost, which is still to be made
  std::optional<std::uint64_t> gpu_memory_bytes;  ///< --gpu-memory of copse components
  unsigned trials = 1;
  bool verify = false;

  /// How a solve runs.
  [[nodiscard]] execution on(resources& context) const { return context.on(device, gpu_memory_bytes.value_or(UINT64_MAX)); }
};
/// What --device may name: one device; several GPUs too; all, and the CPU and a GPU together, and the choice by cost.
enum class devices : std::uint8_t { one, several, any };
/// --variant, --device, --seed; the other members have options in some commands only. Of any device with the options of hybrid.
void add_solver_options(CLI::App& app, solver_options& options, devices which = devices::one);
/// --device alone, as execution::device takes it, its GPUs by number. Where any device may be named, `auto` stays; otherwise it is the CPU.
void add_device_option(CLI::App& app, std::string& device, const std::string& group, devices which = devices::one);
/// True if a device that --device took names several GPUs.
bool has_several_gpus(const std::string& device);

/// A graph in the memory of a GPU, for all trials and for the proof.
struct gpu_session;

/// Where the time went, and the numbers of the graph as it was held or as it passed by.
struct solution {
  components_result result;
  std::optional<graph> held;         ///< unless the edges were united while they were parsed
  std::shared_ptr<gpu_session> gpu;  ///< when a GPU solved it
  double read_seconds = 0;
  double build_seconds = 0;
  double copy_seconds = 0;            ///< waking a GPU, copying the graph to it and the labels back; hybrid: waking it
  std::vector<double> solve_seconds;  ///< one per trial
  std::uint64_t edges = 0;            ///< undirected; lines of a list
  std::uint64_t arcs = 0;             ///< stored directions; lines of a list

  [[nodiscard]] const labelling& labels() const noexcept { return result.labels; }
  [[nodiscard]] double median_solve_seconds() const;
  /// Edges and arcs of the graph that is held.
  void count_held(unsigned threads);
};

/// Throws usage_error for an unknown variant, or when the input would have to be read again and cannot be.
solution solve(const input& graph, const solver_options& options, resources& context);

/// Proves the labels, reading a streamed input again. Empty when they are right, otherwise the first fault.
std::string fault_of(const input& graph, const solution& solved, resources& context);

/// Numbers of the papers' samplers: --kout-rounds, --hb-arcs, --ldd-beta, --stages-q.
void add_sampler_numbers(CLI::App& app, solve_options& options);

}  // namespace copse::cli
