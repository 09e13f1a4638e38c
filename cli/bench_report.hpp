// What copse bench prints per graph: a JSON object, a table, and a line for every variant that failed or was wrong.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/gpu_benchmark.hpp"
#include "bench_trials.hpp"
#include "json.hpp"

namespace copse::cli {

// A lower bound for the time of a solve on a GPU: the bytes that it has to move, at the rate of a plain copy in the same run.

/// Models a solve that samples 1.125 arcs per vertex and then visits no other arc: every offset is read, a 32-byte
/// sector for each sampled arc (or all arcs, where they are fewer), and labels are written, read and written again. Where labels fit no
/// cache, each sampled arc costs a random fetch of a label too.
struct memory_floor {
  std::uint64_t vertices, arcs;
  gpu_benchmark::memory_rates rates;

  [[nodiscard]] double sampled_arcs() const noexcept { return std::min(static_cast<double>(arcs), 1.125 * static_cast<double>(vertices)); }
  [[nodiscard]] double bytes() const noexcept {
    const double sectors = std::min(static_cast<double>(arcs) / 8, sampled_arcs());
    return 4 * static_cast<double>(vertices + 1) + 32 * sectors + 12 * static_cast<double>(vertices);
  }
  [[nodiscard]] double seconds() const noexcept { return bytes() / rates.copied_bytes_per_second; }
  [[nodiscard]] double seconds_with_gathers() const noexcept {
    return seconds() + (rates.gathers_per_second > 0 ? sampled_arcs() / rates.gathers_per_second : 0);
  }
};

struct graph_facts {
  std::string text;  ///< the graph as the user wrote it: a file or a generator spec
  std::uint64_t vertices = 0, arcs = 0, edges = 0, graph_checksum = 0, components = 0;
  std::uint64_t checksum = 0;                              ///< checksum of the labels of the reference solve
  std::optional<std::uint64_t> list_edges = std::nullopt;  ///< edges of a list, with its loops and repeats
  std::optional<memory_floor> floor = std::nullopt;        ///< a lower bound for the time on a GPU; set if variants ran on one
};

json measurement_json(const measurement& result);
/// {graph, vertices, arcs, edges, graph_checksum, components, checksum, memory_floor (if a GPU was used), rows: [..]}
json bench_json(const graph_facts& graph, const std::vector<measurement>& measurements);
std::string bench_table(const graph_facts& graph, const std::vector<measurement>& measurements);
/// The columns of the GConn paper's Table 3 and Figure 6, for the measurements that were counted.
std::string work_table(const graph_facts& graph, const std::vector<measurement>& measurements);

/// A line for each measurement that gave wrong labels or none, and the exit code of the worst.
struct bench_faults {
  std::vector<std::string> lines;
  int exit_code = 0;
};
bench_faults faults_of(const graph_facts& graph, const std::vector<measurement>& measurements);

}  // namespace copse::cli
