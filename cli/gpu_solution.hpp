// Solving with GPUs: a graph that is held by one, edges that are streamed through one or several, and the CPU and a GPU together.
#pragma once
#include <copse/cuda.hpp>
#include <optional>
#include <string>

#include "json.hpp"
#include "solution.hpp"

namespace copse::cli {

/// A graph is copied to the GPU once, whatever the number of trials, and stays for the proof.
struct gpu_session {
  explicit gpu_session(const execution& on) : solver{{.short_fetches = true}, on} {}

  gpu_solver solver;
  std::optional<gpu_solver::resident_graph> graph;
};

/// Do these options mean a GPU, by name of a device or of a variant? Throws usage_error for a variant that runs elsewhere.
bool is_on_gpu(const solver_options& options);

/// What the variant can work on, when that is not the graph as it was read: rows of a list, or both directions of a graph that stores one.
std::optional<graph> rebuilt(const graph& g, const std::string& variant, const execution& on);

/// Precondition: is_on_gpu(options), by one GPU, and the graph is one that is held.
void solve_on_gpu(solution& solved, const input& graph, const solver_options& options, resources& context);

/// Empty when the labels are right, otherwise the first fault.
std::string fault_on_gpu(const solution& solved);

/// Streams the edges through one GPU or several, none of which has to hold the graph: from host memory where the graph is held already, or
/// has to be made or read there; otherwise straight from its files. `why`: what the explanation begins with.
void solve_streaming(solution& solved, const input& graph, const solver_options& options, resources& context, const std::string& why);

/// --share, --cross.
void add_hybrid_options(CLI::App& app, hybrid_options& choice);
/// Does it solve by a variant of hybrid? Throws usage_error when the options do not fit together.
bool is_hybrid(const solver_options& options);
/// Precondition: is_hybrid(options).
void solve_hybrid(solution& solved, const input& graph, const solver_options& options, resources& context);
json hybrid_json(const hybrid_report& report);
/// One line.
std::string hybrid_text(const hybrid_report& report);

}  // namespace copse::cli
