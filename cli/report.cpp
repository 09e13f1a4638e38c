// copse report: results of other commands as one page to read, print and pass on.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <copse/errors.hpp>
#include <copse/io.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "commands.hpp"
#include "exit_code.hpp"
#include "io/written_suffix.hpp"
#include "options.hpp"
#include "output.hpp"
#include "report_page.hpp"
#include "text_file.hpp"

namespace copse::cli {
namespace {

struct report_options {
  std::vector<std::string> results;
  std::string output, title = "copse report";
};

json read_result(const std::string& path) {
  json result = json::parse(read_text(path), nullptr, false);
  if (!result.is_object()) throw input_error{fmt::format("{}: found no JSON object, expected what --json printed", path)};
  return result;
}

int run_report(const report_options& options) {
  if (std::ranges::count(options.results, "-") != 0) {
    throw usage_error{
        "report: found - for standard input, expected files: each holds one result, and standard input has no end between two"};
  }
  if (options.output != "-") io::expect_suffix(options.output, {}, {".html"}, ".html for a report");
  require_outputs({options.output}, options.results);
  json results = json::array();
  for (const std::string& path : options.results) results.push_back(read_result(path));
  std::string page;
  try {
    page = report_page(results, options.title);
  } catch (const json::exception& problem) {
    const std::string_view what = problem.what();  // [json.exception.out_of_range.403] key 'vertices' not found
    throw input_error{fmt::format("{}: found a result that lacks what its command prints ({}), expected it as --json printed it",
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
      add_command<report_options>(app, chosen, "report", "Make one page of results: tables and charts that need no network", run_report);
  command
      ->add_option("RESULT", options->results,
                   "What --json of components, thresholds, dendrogram or bridges printed, in this order on the page")
      ->type_name("")
      ->required();
  add_file(*command, "-o,--output", options->output, "Write the page here (.html)")->required();
  command->add_option("--title", options->title, "Its title (default: copse report)")->type_name("TEXT");
}

}  // namespace copse::cli
