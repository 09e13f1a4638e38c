// What copse plan says: every way with its bytes and seconds, and which one is taken by --device auto, and why. Arithmetic and texts only:
// sizes, rates and GPUs come from the caller.
#pragma once
#include <copse/cuda.hpp>
#include <span>
#include <string>
#include <vector>

#include "estimate.hpp"
#include "json.hpp"

namespace copse::cli {

struct plan_report {
  plan_question asked;
  std::string sizes;  ///< how they were found
  std::vector<way> ways;
  std::string auto_device, auto_way, auto_reason;  ///< what copse components --device auto takes
};

/// `cpu_way`: stream or held, as auto goes on the CPU. `hidden`: why nobody looks at the graph before it is read, so that auto stays on the
/// CPU; empty where it can be looked at.
plan_report make_plan(const plan_question& asked, const std::string& sizes, const std::string& cpu_way, const std::string& hidden,
                      const machine_rates& rates, std::span<const gpu_facts> gpus);

std::string plan_text(const plan_report& plan);
json plan_json(const plan_report& plan);

}  // namespace copse::cli
