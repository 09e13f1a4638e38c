#include "bench_report.hpp"

#include <fmt/format.h>

#include "exit_code.hpp"

namespace copse::cli {
namespace {

std::string hex(std::uint64_t number) { return fmt::format("{:016x}", number); }

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
              {"screened_out", row.screened_out}};
  if (row.gave_up_after_seconds) object["gave_up_after_seconds"] = *row.gave_up_after_seconds;
  if (row.wrong_checksum) {
    object["wrong"] = true;
    object["checksum"] = hex(*row.wrong_checksum);
  }
  if (!row.failed.empty()) object["failed"] = row.failed;
  return object;
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
  return {{"graph", graph.text},
          {"vertices", graph.vertices},
          {"arcs", graph.arcs},
          {"edges", graph.edges},
          {"graph_checksum", hex(graph.graph_checksum)},
          {"components", graph.components},
          {"checksum", hex(graph.checksum)},
          {"rows", std::move(list)}};
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
  return text;
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
