// Hybrid solves on the CPU and a GPU: their options, and what is reported about both sides.
#pragma once
#include <copse/hybrid.hpp>
#include <string>

#include "json.hpp"
#include "options.hpp"

namespace copse::cli {

/// Adds --share and --cross.
void add_hybrid_options(CLI::App& app, hybrid_options& choice);
json hybrid_json(const hybrid_report& report);
/// The report of a hybrid solve in one line.
std::string hybrid_text(const hybrid_report& report);

}  // namespace copse::cli
