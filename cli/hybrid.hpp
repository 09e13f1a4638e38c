// Solving on the CPU and a GPU together: its options, and its part of the report.
#pragma once
#include <copse/hybrid.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "json.hpp"
#include "options.hpp"

namespace copse::cli {

struct hybrid_choice {
  bool named = false;  ///< --device hybrid
  std::optional<double> share;
  std::optional<cross_rule> cross;
  std::optional<std::uint64_t> gpu_memory_bytes;  ///< --gpu-memory, of --device cuda too
};
/// --share, --cross.
void add_hybrid_options(CLI::App& app, hybrid_choice& choice);

struct solver_options;
/// Does it solve by a variant of hybrid? Throws usage_error when the options do not fit together.
bool is_hybrid(const solver_options& options);

class input;
struct resources;
struct solution;
/// Precondition: is_hybrid(options).
void solve_hybrid(solution& solved, const input& graph, const solver_options& options, const resources& context);

json hybrid_json(const hybrid_report& report);
/// One line.
std::string hybrid_text(const hybrid_report& report);

}  // namespace copse::cli
