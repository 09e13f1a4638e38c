// Solving a GRAPH with the options of the command line: streamed or held, once or several times.
#pragma once
#include <copse/components.hpp>
#include <copse/hybrid.hpp>
#include <copse/options.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "input.hpp"
#include "options.hpp"

namespace copse::cli {

/// How the CPU and a GPU solve together.
struct hybrid_choice {
  bool named = false;  ///< --device hybrid
  std::optional<double> share;
  std::optional<cross_rule> cross;
  std::optional<std::uint64_t> gpu_memory_bytes;  ///< --gpu-memory, of --device cuda too
};

struct solver_options {
  std::string variant = "auto";
  std::optional<unsigned> gpu = std::nullopt;  ///< --device cuda:i, hybrid:i, the first of cuda:i,j
  std::vector<unsigned> gpus = {};             ///< --device cuda:i,j,...: several
  bool device_by_cost = false;                 ///< --device auto of copse components: `gpu` is still to be chosen
  hybrid_choice hybrid = {};                   ///< of copse components
  std::uint64_t seed = 1;
  solve_options sampling = {};  ///< the numbers of samplers
  unsigned trials = 1;
  bool verify = false;
};
/// What --device may name: one device; several GPUs too; all, and the CPU and a GPU together, and the choice by cost.
enum class devices : std::uint8_t { one, several, any };
/// --variant, --device, --seed; the other members have options in some commands only. Of any device with the options of hybrid.
void add_solver_options(CLI::App& app, solver_options& options, devices which = devices::one);
/// --device alone. `several`: where several GPUs go, of which `gpu` is the first; null: one device.
void add_device_option(CLI::App& app, std::optional<unsigned>& gpu, const std::string& group, std::vector<unsigned>* several = nullptr);

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
std::string fault_of(const input& graph, const solution& solved);

/// Numbers of the papers' samplers: --kout-rounds, --hb-arcs, --ldd-beta, --stages-q.
void add_sampler_numbers(CLI::App& app, solve_options& options);

}  // namespace copse::cli
