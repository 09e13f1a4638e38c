#include "bench_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "output.hpp"

namespace copse::cli {
namespace {

std::string hex(std::uint64_t number) { return fmt::format("{:016x}", number); }

json work_json(const work_counts& work) {
  return {{"sampled_arcs", work.sampled_arcs},
          {"finish_arcs", work.finish_arcs},
          {"unites", work.unites},
          {"loads", work.loads},
          {"stores", work.stores},
          {"call_loads", work.call_loads},
          {"longest_path", work.longest_path},
          {"swaps", work.swaps},
          {"failed_swaps", work.failed_swaps},
          {"giant_vertices", work.giant_vertices},
          {"outside_arcs", work.outside_arcs},
          {"crossing_arcs", work.crossing_arcs}};
}

json floor_json(const memory_floor& floor) {
  return {{"bytes", floor.bytes()},
          {"copied_bytes_per_second", floor.rates.copied_bytes_per_second},
          {"seconds", floor.seconds()},
          {"gathers", floor.sampled_arcs()},
          {"gathers_per_second", floor.rates.gathers_per_second},
          {"seconds_with_gathers", floor.seconds_with_gathers()}};
}

/// A line that compares the fastest variant on the GPU with the lower bound that follows from the speed of the GPU's memory (memory_floor);
/// empty if no variant ran on a GPU.
std::string floor_line(const graph_facts& graph, const std::vector<measurement>& measurements) {
  if (!graph.floor) return "";
  for (const measurement& result : measurements) {  // the fastest first
    if (result.launches == 0 || result.samples.empty() || result.wrong()) continue;
    const memory_floor& floor = *graph.floor;
    return fmt::format(
        "memory floor: {:.3f} ms ({:.1f} MB at {:.2f} TB/s), {:.3f} ms with {:.1f} M gathers at {:.0f} G/s; {}: {:.0f} % of the copy's "
        "rate, "
        "{:.2f} times the floor with gathers, {} launches\n",
        floor.seconds() * 1e3, floor.bytes() * 1e-6, floor.rates.copied_bytes_per_second * 1e-12, floor.seconds_with_gathers() * 1e3,
        floor.sampled_arcs() * 1e-6, floor.rates.gathers_per_second * 1e-9, result.variant, 100 * floor.seconds() / result.median_seconds(),
        result.median_seconds() / floor.seconds_with_gathers(), result.launches);
  }
  return "";
}

/// The remarks behind the name of a variant, such as "(WRONG LABELS)".
std::string remarks(const measurement& result) {
  std::string text;
  const auto add = [&](const std::string& remark) { text.append(text.empty() ? "  (" : ", ").append(remark); };
  if (!result.ran.empty() && result.ran != result.variant) add("ran " + result.ran);
  if (result.screened_out) add("one screening sample");
  if (result.gave_up_after_seconds) add(fmt::format("gave up after {:.3g} s", *result.gave_up_after_seconds));
  if (result.wrong_checksum) add("WRONG LABELS");
  if (result.wrong_components) add("WRONG COUNT");
  if (!result.failed.empty()) add("failed: " + result.failed);
  return text.empty() ? text : text + ")";
}

}  // namespace

json measurement_json(const measurement& result) {
  const bool has_samples = !result.samples.empty();
  json object{{"variant", result.variant},
              {"ran", result.ran},
              {"input", result.input},
              {"threads", result.threads},
              {"seconds",
               {{"median", has_samples ? json(result.median_seconds()) : json()},
                {"min", has_samples ? json(result.min_seconds()) : json()},
                {"samples", result.samples}}},
              {"turns", result.turns},
              {"screened_out", result.screened_out}};
  if (result.launches != 0) object["launches"] = result.launches;
  if (result.gave_up_after_seconds) object["gave_up_after_seconds"] = *result.gave_up_after_seconds;
  if (result.wrong_checksum) {
    object["wrong"] = true;
    object["checksum"] = hex(*result.wrong_checksum);
  }
  if (result.wrong_components) {
    object["wrong"] = true;
    object["components"] = *result.wrong_components;
  }
  if (!result.failed.empty()) object["failed"] = result.failed;
  if (result.work) object["work"] = work_json(*result.work);
  return object;
}

json bench_json(const graph_facts& graph, const std::vector<measurement>& measurements) {
  json list = json::array();
  for (const measurement& result : measurements) list.push_back(measurement_json(result));
  json object{{"graph", graph.text},
              {"vertices", graph.vertices},
              {"arcs", graph.arcs},
              {"edges", graph.edges},
              {"graph_checksum", hex(graph.graph_checksum)},
              {"components", graph.components},
              {"checksum", hex(graph.checksum)}};
  if (graph.list_edges) object["list_edges"] = *graph.list_edges;
  if (graph.floor) object["memory_floor"] = floor_json(*graph.floor);
  object["rows"] = std::move(list);
  return object;
}

std::string bench_table(const graph_facts& graph, const std::vector<measurement>& measurements) {
  std::string text = fmt::format("{}: {} vertices, {} edges, {} arcs, {} components\n{:>12}  {:>8}  {:>7}  variant\n", graph.text,
                                 graph.vertices, graph.edges, graph.arcs, graph.components, "median ms", "ratio", "threads");
  double best = 0;  // the time of the first measurement with right labels: measurements are sorted by time
  for (const measurement& result : measurements) {
    if (best == 0 && !result.samples.empty() && !result.wrong()) best = result.median_seconds();
  }
  for (const measurement& result : measurements) {
    const bool has_samples = !result.samples.empty();
    const std::string milliseconds = has_samples ? fmt::format("{:.3f}", result.median_seconds() * 1e3) : "-";
    const std::string ratio = has_samples && best > 0 ? fmt::format("{:.2f}", result.median_seconds() / best) : "-";
    const std::string threads = result.threads == 0 ? "-" : std::to_string(result.threads);
    text += fmt::format("{:>12}  {:>8}  {:>7}  {}{}\n", milliseconds, ratio, threads, result.variant, remarks(result));
  }
  return text + floor_line(graph, measurements);
}

std::string work_table(const graph_facts& graph, const std::vector<measurement>& measurements) {
  const auto share = [](std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
  };
  const auto per_vertex = [&](std::uint64_t count) {
    return static_cast<double>(count) / static_cast<double>(std::max<std::uint64_t>(1, graph.vertices));
  };
  std::string text = fmt::format("{:>9} {:>9} {:>8} {:>8} {:>9} {:>9} {:>8} {:>9}  variant\n", "sampled/v", "finish/v", "giant %", "left %",
                                 "crossing%", "mean path", "longest", "failed");
  for (const measurement& result : measurements) {
    if (!result.work) continue;
    const work_counts& work = *result.work;
    const double mean = work.unites == 0 ? 0 : static_cast<double>(work.call_loads) / static_cast<double>(work.unites);
    text += fmt::format("{:>9.3f} {:>9.3f} {:>8.2f} {:>8.3f} {:>9.3f} {:>9.2f} {:>8} {:>9}  {}\n", per_vertex(work.sampled_arcs),
                        per_vertex(work.finish_arcs), share(work.giant_vertices, graph.vertices), share(work.outside_arcs, graph.arcs),
                        share(work.crossing_arcs, graph.arcs), mean, work.longest_path, work.failed_swaps, result.variant);
  }
  return text +
         "sampled/v, finish/v: arcs inspected, per vertex; giant %: vertices with its label after sampling; left %: arcs of the others;\n"
         "crossing%: arcs between two labels; path: loads in one unite; failed: compare-and-swaps that another thread was ahead of\n";
}

bench_faults faults_of(const graph_facts& graph, const std::vector<measurement>& measurements) {
  bench_faults faults;
  for (const measurement& result : measurements) {
    const auto add = [&](const std::string& what) {
      const std::string threads = result.threads == 0 ? "" : fmt::format(", {} threads", result.threads);
      faults.lines.push_back(fmt::format("copse: {}: {} ({}{}): {}", graph.text, result.variant, result.input, threads, what));
    };
    if (result.wrong_checksum) {
      add(fmt::format("found labels with checksum {}, expected {}", hex(*result.wrong_checksum), hex(graph.checksum)));
      faults.exit_code = exit_code::check_failed;
    } else if (result.wrong_components) {
      add(fmt::format("found {} components, expected {}", *result.wrong_components, graph.components));
      faults.exit_code = exit_code::check_failed;
    } else if (result.program_failed) {
      add(result.failed);
      faults.exit_code = exit_code::check_failed;
    } else if (!result.failed.empty()) {
      add(result.failed);
      if (faults.exit_code == exit_code::done) faults.exit_code = exit_code::out_of_resources;
    }
  }
  return faults;
}

}  // namespace copse::cli
