// The output of copse plan: every way to solve a graph with its bytes and seconds, and which one --device auto takes and why.
#pragma once
#include <copse/plan.hpp>
#include <string>

#include "json.hpp"

namespace copse::cli {

std::string plan_text(const solve_plan& plan);
json plan_json(const solve_plan& plan);

}  // namespace copse::cli
