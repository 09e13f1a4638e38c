// The command copse report, which makes a page of HTML from results of other commands.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <copse/errors.hpp>
#include <copse/io.hpp>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "chart.hpp"
#include "commands.hpp"
#include "io/written_suffix.hpp"
#include "json.hpp"
#include "options.hpp"
#include "output.hpp"

namespace copse::cli {
namespace {

// The sections of the page: the tables and charts of each kind of result.

constexpr std::string_view head =
    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, "
    "initial-scale=1\">\n"
    "<style>\n"
    "body{font:15px/1.45 system-ui,sans-serif;max-width:60rem;margin:1.5rem auto;padding:0 1rem;color:#222}\n"
    "h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem;border-bottom:1px solid "
    "#ccc}code{background:#f3f3f3;overflow-wrap:anywhere}\n"
    "table{border-collapse:collapse;margin:.7rem 0;font-variant-numeric:tabular-nums}td,th{padding:.15rem "
    ".7rem;text-align:left;border-bottom:1px solid #e5e5e5}\n"
    "th{cursor:pointer}.wide{overflow-x:auto}svg{width:100%;max-width:48rem;height:auto;font-size:12px;display:block;margin:.7rem 0}\n"
    "svg .grid{stroke:#e2e2e2}svg .line{fill:none;stroke:#2a6f4e;stroke-width:1.5}svg circle{fill:#2a6f4e}svg .mid{text-anchor:middle}\n"
    "svg .end{text-anchor:end}svg .head{font-weight:600}\n"
    "@media print{body{margin:0;max-width:none}h2{break-after:avoid}svg,table{break-inside:avoid}th{cursor:auto}}\n"
    "</style>\n";

// A click on a column head sorts the table by that column; a second click reverses the order.
constexpr std::string_view script =
    "<script>\n"
    "for (const head of document.querySelectorAll('table.sorted th')) head.onclick = () => {\n"
    "  const table = head.closest('table'), column = head.cellIndex, body = table.tBodies[0];\n"
    "  const up = table.dataset.by === String(column) ? -1 : 1;\n"
    "  table.dataset.by = up === 1 ? column : '';\n"
    "  const text = row => row.cells[column].textContent;\n"
    "  const rows = [...body.rows].sort((a, b) => up * text(a).localeCompare(text(b), undefined, {numeric: true}));\n"
    "  body.append(...rows);\n"
    "};\n"
    "</script>\n";

std::string value_text(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return fmt::format("{:.6g}", value.get<double>());
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  return value.is_null() ? "-" : value.dump();
}

/// A section of the report about one result of the array. Each value is shown with its place (a JSON pointer) in that array.
class section {
public:
  section(const json& results, std::size_t number, std::string_view title)
      : all_{results}, place_{fmt::format("/{}", number)}, text_{fmt::format("<section><h2>{}</h2>\n", html_text(title))} {
    if (const auto command = here().find("command"); command != here().end())
      text_ += fmt::format("<p><code>{}</code></p>\n", html_text(command->get<std::string>()));
  }

  [[nodiscard]] const json& here() const { return all_.at(json::json_pointer{place_}); }
  [[nodiscard]] bool has(const std::string& place) const { return all_.contains(json::json_pointer{place_ + place}); }
  [[nodiscard]] const json& at(const std::string& place) const { return all_.at(json::json_pointer{place_ + place}); }

  void add(const std::string& text) { text_ += text; }
  /// Adds a table of the values at these keys; keys that the result lacks are left out.
  void facts(std::initializer_list<const char*> keys) {
    text_ += "<table>\n";
    for (const std::string key : keys) {
      if (!has("/" + key) || at("/" + key).is_structured()) continue;
      std::string name = key;
      std::ranges::replace(name, '_', ' ');
      text_ += "<tr><td>" + html_text(name) + "</td>" + cell("/" + key) + "</tr>\n";
    }
    text_ += "</table>\n";
  }
  /// Adds a table of the members of an object.
  void members(const std::string& place, std::string_view title) {
    if (!has(place) || !at(place).is_object() || at(place).empty()) return;
    begin_table({std::string{title}, "seconds"});
    for (const auto& [name, value] : at(place).items()) {
      if (value.is_number()) text_ += "<tr><td>" + html_text(name) + "</td>" + cell(place + "/" + name) + "</tr>\n";
    }
    end_table();
  }
  /// Adds a table of an array of objects, with at most `most` of them, evenly spread.
  void rows(const std::string& place, const std::vector<std::string>& keys, std::size_t most) {
    if (!has(place) || at(place).empty()) return;
    const std::size_t count = at(place).size(), shown = std::min(count, most);
    begin_table(keys);
    for (std::size_t i = 0; i < shown; ++i) {
      const std::string entry = fmt::format("{}/{}", place, shown == 1 ? 0 : i * (count - 1) / (shown - 1));
      text_ += "<tr>";
      for (const std::string& key : keys) text_ += has(entry + "/" + key) ? cell(entry + "/" + key) : "<td></td>";
      text_ += "</tr>\n";
    }
    end_table();
    if (shown < count) text_ += fmt::format("<p>{} of {}, evenly spread.</p>\n", shown, count);
  }
  void timings() {
    members("/seconds", "part");
    members("/phases", "phase");
  }

  [[nodiscard]] std::string end() && { return std::move(text_) + "</section>\n"; }

private:
  [[nodiscard]] std::string cell(const std::string& place) const {
    const json& value = at(place);
    if (value.is_array()) {
      std::string list;
      for (const json& item : value) list += (list.empty() ? "" : ", ") + value_text(item);
      return "<td>" + html_text(list) + "</td>";
    }
    return fmt::format("<td data-key=\"{}\">{}</td>", html_text(place_ + place), html_text(value_text(value)));
  }
  void begin_table(const std::vector<std::string>& columns) {
    text_ += "<div class=\"wide\"><table class=\"sorted\"><thead><tr>";
    for (std::string name : columns) {
      std::ranges::replace(name, '_', ' ');
      text_ += "<th>" + html_text(name) + "</th>";
    }
    text_ += "</tr></thead><tbody>\n";
  }
  void end_table() { text_ += "</tbody></table></div>\n"; }

  const json& all_;
  std::string place_, text_;
};

/// Returns the number at `key`; infinite numbers are strings, as JSON has none.
double number_at(const json& object, const char* key) {
  const json& value = object.at(key);
  if (value.is_number()) return value.get<double>();
  return value == "inf" ? INFINITY : value == "-inf" ? -INFINITY : NAN;
}

std::string components_section(const json& results, std::size_t i) {
  section part{results, i, "Components"};
  part.facts({"vertices", "edges", "components", "isolated", "max_size", "cuts", "variant", "device", "threads", "verified", "checksum",
              "peak_bytes"});
  chart sizes{.title = "Sizes of components", .x_name = "vertices (from)", .y_name = "components", .x_log = true, .y_log = true};
  for (const json& bin : part.at("/histogram")) {
    sizes.points.push_back({number_at(bin, "min_size"), number_at(bin, "components"),
                            fmt::format("{} components of {} to {} vertices", value_text(bin["components"]), value_text(bin["min_size"]),
                                        value_text(bin["max_size"]))});
  }
  part.add(sizes.svg());
  part.rows("/histogram", {"min_size", "max_size", "components"}, 64);
  if (part.has("/top")) part.add("<h3>The largest</h3>\n");
  part.rows("/top", {"label", "size", "ids"}, 1000);
  part.timings();
  return std::move(part).end();
}

std::string thresholds_section(const json& results, std::size_t i) {
  constexpr std::size_t most_points = 400;
  section part{results, i, "Thresholds"};
  part.facts({"vertices", "edges"});
  chart share{.title = "Share of the largest component", .x_name = "threshold", .y_name = "share of the vertices", .steps = true};
  chart number{.title = "Components", .x_name = "threshold", .y_name = "components", .y_log = true, .steps = true};
  const json& curve = part.at("/thresholds");
  const std::size_t shown = std::min(curve.size(), most_points);
  const double vertices = number_at(part.here(), "vertices");
  for (std::size_t k = 0; k < shown; ++k) {
    const json& p = curve[shown == 1 ? 0 : k * (curve.size() - 1) / (shown - 1)];
    const std::string at = value_text(p["threshold"]);
    share.points.push_back({number_at(p, "threshold"), number_at(p, "largest") / vertices,
                            fmt::format("from {}: the largest of {}", at, value_text(p["largest"]))});
    number.points.push_back(
        {number_at(p, "threshold"), number_at(p, "components"), fmt::format("from {}: {} components", at, value_text(p["components"]))});
  }
  part.add(share.svg() + number.svg());
  part.rows("/thresholds", {"threshold", "components", "largest", "singletons", "median", "percentile_90", "percentile_99", "pairs"}, 60);
  part.timings();
  return std::move(part).end();
}

std::string dendrogram_section(const json& results, std::size_t i) {
  section part{results, i, "Dendrogram"};
  part.facts({"vertices", "edges", "components"});
  const json& top = part.at("/top");
  tree_chart tree{.title = fmt::format("How the largest component ({} vertices) joins, from its weakest edges", value_text(top["size"])),
                  .x_name = "weight"};
  for (const json& leaf : top["leaves"]) {
    tree.leaves.push_back({fmt::format("{} ({})", value_text(leaf["label"]), value_text(leaf["size"])),
                           fmt::format("{} vertices, the smallest {}", value_text(leaf["size"]), value_text(leaf["label"]))});
  }
  for (const json& m : top["merges"]) {
    tree.merges.push_back({m["first"].get<std::size_t>(), m["second"].get<std::size_t>(), number_at(m, "weight"),
                           fmt::format("{} vertices at {}", value_text(m["size"]), value_text(m["weight"]))});
  }
  part.add(tree.svg());
  part.rows("/top/leaves", {"label", "size"}, 1000);
  part.rows("/top/merges", {"weight", "size"}, 1000);
  part.timings();
  return std::move(part).end();
}

std::string bridges_section(const json& results, std::size_t i) {
  section part{results, i, "Bridges"};
  part.facts({"vertices", "edges", "components", "bridges", "articulation_points", "two_edge_connected", "biconnected", "repeated_edges",
              "simple", "threads", "verified"});
  if (part.has("/giant/bridges")) {
    part.add("<h3>What holds the largest component together</h3>\n");
    part.facts({"giant/label", "giant/size", "giant/bridge_count"});
    part.rows("/giant/bridges", {"from", "to", "smaller_side", "weight", "edge"}, 1000);
    part.rows("/giant/hubs", {"vertex", "degree"}, 1000);
    part.rows("/giant/thresholds", {"threshold", "components", "largest", "singletons"}, 60);
  }
  part.timings();
  return std::move(part).end();
}

std::string section_of(const json& results, std::size_t i) {
  const json& result = results[i];
  if (result.contains("thresholds")) return thresholds_section(results, i);
  if (result.contains("two_edge_connected")) return bridges_section(results, i);
  if (result.contains("top") && result["top"].is_object()) return dendrogram_section(results, i);
  if (result.contains("histogram") && result.contains("components")) return components_section(results, i);
  throw usage_error{"report shows what --json of components, thresholds, dendrogram and bridges prints, and nothing else"};
}

/// Returns the page for `results`, an array of objects that --json printed. Every number that is shown unchanged has its place in that
/// array as an attribute (`data-key`, a JSON pointer). Throws usage_error for a result of another command.
std::string report_page(const json& results, const std::string& title) {
  std::string text = std::string{head} + fmt::format("<title>{0}</title></head><body>\n<h1>{0}</h1>\n", html_text(title));
  for (std::size_t i = 0; i < results.size(); ++i) text += section_of(results, i);
  return text + std::string{script} + "</body></html>\n";
}

struct report_command {
  std::vector<std::string> results;
  std::string output, title = "copse report";
};

json read_result(const std::string& path) {
  json result = json::parse(read_text(path), nullptr, false);
  if (!result.is_object())
    throw input_error{fmt::format("{}: found no JSON object, expected the output of one copse command with --json", path)};
  return result;
}

int run_report(const report_command& options) {
  if (std::ranges::count(options.results, "-") != 0) {
    throw usage_error{"report takes files, each with one result: standard input (-) has no end between two results"};
  }
  if (options.output != "-") io::expect_suffix(options.output, {}, {".html"}, ".html for a report");
  require_outputs({options.output}, options.results);
  json results = json::array();
  for (const std::string& path : options.results) results.push_back(read_result(path));
  std::string page;
  try {
    page = report_page(results, options.title);
  } catch (const json::exception& problem) {
    const std::string_view what = problem.what();  // such as: [json.exception.out_of_range.403] key 'vertices' not found
    throw input_error{fmt::format("{}: a result lacks what its command prints ({}); give it as --json printed it",
                                  fmt::join(options.results, ", "), what.substr(std::min(what.find(']') + 2, what.size())))};
  }
  io::output_file file{options.output};
  file.write(page.data(), page.size());
  file.commit();
  return exit_code::done;
}

}  // namespace

void add_report(CLI::App& app, action& chosen) {
  auto [command, options] =
      add_command<report_command>(app, chosen, "report", "Make one page of results: tables and charts that need no network", run_report);
  command
      ->add_option("RESULT", options->results,
                   "What --json of components, thresholds, dendrogram or bridges printed, in this order on the page")
      ->type_name("")
      ->required();
  add_file(*command, "-o,--output", options->output, "Write the page here (.html)")->required();
  command->add_option("--title", options->title, "Its title (default: copse report)")->type_name("TEXT");
}

}  // namespace copse::cli
