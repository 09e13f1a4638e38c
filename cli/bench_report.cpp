#include "bench_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "exit_code.hpp"

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

json row_json(const measurement& row) {
  const bool measured = !row.samples.empty();
  json object{{"variant", row.variant},
              {"ran", row.ran},
              {"input", row.input},
              {"threads", row.threads},
              {"seconds",
               {{"median", measured ? json(row.median_seconds()) : json()},
                {"min", measured ? json(row.min_seconds()) : json()},
                {"samples", row.samples}}},
              {"turns", row.turns},
              {"screened_out", row.screened_out}};
  if (row.launches != 0) object["launches"] = row.launches;
  if (row.gave_up_after_seconds) object["gave_up_after_seconds"] = *row.gave_up_after_seconds;
  if (row.wrong_checksum) {
    object["wrong"] = true;
    object["checksum"] = hex(*row.wrong_checksum);
  }
  if (!row.failed.empty()) object["failed"] = row.failed;
  if (row.work) object["work"] = work_json(*row.work);
  return object;
}

json floor_json(const memory_floor& floor) {
  return {{"bytes", floor.bytes()},
          {"copied_bytes_per_second", floor.rates.copied_bytes_per_second},
          {"seconds", floor.seconds()},
          {"gathers", floor.sampled_arcs()},
          {"gathers_per_second", floor.rates.gathers_per_second},
          {"seconds_with_gathers", floor.seconds_with_gathers()}};
}

/// How near the memory of the GPU the fastest row on it came; empty when none ran there.
std::string floor_line(const graph_facts& graph, const std::vector<measurement>& rows) {
  if (!graph.floor) return "";
  for (const measurement& row : rows) {  // sorted
    if (row.launches == 0 || row.samples.empty() || row.wrong_checksum) continue;
    const memory_floor& floor = *graph.floor;
    return fmt::format(
        "memory floor: {:.3f} ms ({:.1f} MB at {:.2f} TB/s), {:.3f} ms with {:.1f} M gathers at {:.0f} G/s; {}: {:.0f} % of the copy's "
        "rate, "
        "{:.2f} times the floor with gathers, {} launches\n",
        floor.seconds() * 1e3, floor.bytes() * 1e-6, floor.rates.copied_bytes_per_second * 1e-12, floor.seconds_with_gathers() * 1e3,
        floor.sampled_arcs() * 1e-6, floor.rates.gathers_per_second * 1e-9, row.variant, 100 * floor.seconds() / row.median_seconds(),
        row.median_seconds() / floor.seconds_with_gathers(), row.launches);
  }
  return "";
}

/// What a reader of the table must know beside the name.
std::string remarks(const measurement& row) {
  std::string text;
  const auto add = [&](const std::string& remark) { text.append(text.empty() ? "  (" : ", ").append(remark); };
  if (!row.ran.empty() && row.ran != row.variant) add("ran " + row.ran);
  if (row.screened_out) add("one screening sample");
  if (row.gave_up_after_seconds) add(fmt::format("gave up after {:.3g} s", *row.gave_up_after_seconds));
  if (row.wrong_checksum) add("WRONG LABELS");
  if (!row.failed.empty()) add("failed: " + row.failed);
  return text.empty() ? text : text + ")";
}

}  // namespace

json bench_json(const graph_facts& graph, const std::vector<measurement>& rows) {
  json list = json::array();
  for (const measurement& row : rows) list.push_back(row_json(row));
  json object{{"graph", graph.text},
              {"vertices", graph.vertices},
              {"arcs", graph.arcs},
              {"edges", graph.edges},
              {"graph_checksum", hex(graph.graph_checksum)},
              {"components", graph.components},
              {"checksum", hex(graph.checksum)}};
  if (graph.floor) object["memory_floor"] = floor_json(*graph.floor);
  object["rows"] = std::move(list);
  return object;
}

std::string bench_table(const graph_facts& graph, const std::vector<measurement>& rows) {
  std::string text = fmt::format("{}: {} vertices, {} edges, {} arcs, {} components\n{:>12}  {:>8}  {:>7}  variant\n", graph.text,
                                 graph.vertices, graph.edges, graph.arcs, graph.components, "median ms", "ratio", "threads");
  double best = 0;  // of the right ones, which are sorted
  for (const measurement& row : rows) {
    if (best == 0 && !row.samples.empty() && !row.wrong_checksum) best = row.median_seconds();
  }
  for (const measurement& row : rows) {
    const bool measured = !row.samples.empty();
    const std::string milliseconds = measured ? fmt::format("{:.3f}", row.median_seconds() * 1e3) : "-";
    const std::string ratio = measured && best > 0 ? fmt::format("{:.2f}", row.median_seconds() / best) : "-";
    text += fmt::format("{:>12}  {:>8}  {:>7}  {}{}\n", milliseconds, ratio, row.threads, row.variant, remarks(row));
  }
  return text + floor_line(graph, rows);
}

std::string work_table(const graph_facts& graph, const std::vector<measurement>& rows) {
  const auto share = [](std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
  };
  const auto per_vertex = [&](std::uint64_t count) {
    return static_cast<double>(count) / static_cast<double>(std::max<std::uint64_t>(1, graph.vertices));
  };
  std::string text = fmt::format("{:>9} {:>9} {:>8} {:>8} {:>9} {:>9} {:>8} {:>9}  variant\n", "sampled/v", "finish/v", "giant %", "left %",
                                 "crossing%", "mean path", "longest", "failed");
  for (const measurement& row : rows) {
    if (!row.work) continue;
    const work_counts& work = *row.work;
    const double mean = work.unites == 0 ? 0 : static_cast<double>(work.call_loads) / static_cast<double>(work.unites);
    text += fmt::format("{:>9.3f} {:>9.3f} {:>8.2f} {:>8.3f} {:>9.3f} {:>9.2f} {:>8} {:>9}  {}\n", per_vertex(work.sampled_arcs),
                        per_vertex(work.finish_arcs), share(work.giant_vertices, graph.vertices), share(work.outside_arcs, graph.arcs),
                        share(work.crossing_arcs, graph.arcs), mean, work.longest_path, work.failed_swaps, row.variant);
  }
  return text +
         "sampled/v, finish/v: arcs inspected, per vertex; giant %: vertices with its label after sampling; left %: arcs of the others;\n"
         "crossing%: arcs between two labels; path: loads in one unite; failed: compare-and-swaps that another thread was ahead of\n";
}

bench_faults faults_of(const graph_facts& graph, const std::vector<measurement>& rows) {
  bench_faults faults;
  for (const measurement& row : rows) {
    const auto add = [&](const std::string& what) {
      faults.lines.push_back(fmt::format("copse: {}: {} ({}, {} threads): {}", graph.text, row.variant, row.input, row.threads, what));
    };
    if (row.wrong_checksum) {
      add(fmt::format("found labels with checksum {}, expected {}", hex(*row.wrong_checksum), hex(graph.checksum)));
      faults.exit_code = exit_code::check_failed;
    } else if (!row.failed.empty()) {
      add(row.failed);
      if (faults.exit_code == exit_code::done) faults.exit_code = exit_code::out_of_resources;
    }
  }
  return faults;
}

}  // namespace copse::cli
