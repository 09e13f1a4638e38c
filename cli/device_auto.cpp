#include "device_auto.hpp"

#include <fmt/format.h>

#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/memory.hpp>
#include <copse/mergeable_forest.hpp>
#include <string>

#include "graph_sizes.hpp"
#include "rates.hpp"

namespace copse::cli {
namespace {

/// Precondition: the graph can be looked at.
device_choice measured_choice(const input& graph, std::uint64_t gpu_memory_bytes, bool explained, resources& context) {
  const graph_size size = look_at(graph, &context.memory).size;
  const device_question asked{.graph = size, .threads = usable_threads(context.threads), .gpu_memory_bytes = gpu_memory_bytes};
  if (!explained && size.edges <= edges_of_rates) return {};
  machine_rates rates;
  const solve_options how{.threads = context.threads, .memory = &context.memory};
  measure_solving(rates, size.arcs != 0, how);
  const bool worth_a_start = expected_on_cpu(size, rates) > quickest_gpu_start_seconds;
  if (!explained && !worth_a_start) return {};
  if (worth_a_start) measure_gpu(rates, how);
  return choose_device(asked, rates, gpus());
}

}  // namespace

std::string hidden(const input& graph) {
  if (!graph.read_once().empty()) return "the input is gone once it was read";
  if (graph.generated() || is_cut(graph.paths(), graph.read_options()) || !graph.lists_edges()) return {};
  return "reading the input takes longer than solving it";  // compressed, or text that one thread parses
}

device_choice device_for(const input& graph, std::uint64_t gpu_memory_bytes, bool explained, resources& context) {
  if (const std::string why = hidden(graph); !why.empty()) return {{}, "the CPU, as " + why};
  try {
    const device_choice chosen = measured_choice(graph, gpu_memory_bytes, explained, context);
    context.observer.clear();
    return chosen;
  } catch (const resource_error& problem) {
    context.observer.clear();
    return {{}, fmt::format("the CPU, as nothing could be measured: {}", problem.what())};
  }
}

}  // namespace copse::cli
