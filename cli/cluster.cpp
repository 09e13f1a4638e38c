// copse cluster: pairs with scores to clusters that keep constraints, and what was refused.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <copse/cluster.hpp>
#include <copse/errors.hpp>
#include <copse/io.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cluster.hpp"
#include "commands.hpp"
#include "input.hpp"
#include "io/table_writer.hpp"
#include "json.hpp"
#include "label_output.hpp"
#include "output.hpp"
#include "weighted.hpp"

namespace copse::cli {
namespace {

constexpr std::string_view refused_text = "pairs that were refused";

struct cluster_command {
  input_options input;
  run_options run;
  cluster_choice choice;
  std::string refused;
  label_output labels;

  [[nodiscard]] bool several() const noexcept { return choice.rules.thresholds.size() > 1; }
};

/// Parses a column and how many records with the same value of it a cluster may have: `source`, or `source:2`, where the number behind the
/// last colon is the limit.
std::optional<column_limit> limit_on_column(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  const auto most = colon == std::string::npos ? std::nullopt : whole_number(std::string_view{text}.substr(colon + 1));
  auto column = one_column(most ? text.substr(0, colon) : text);
  if (!column || (most && *most == 0)) return std::nullopt;
  return column_limit{*std::move(column), most ? *most : 1};
}

void require_sense(const cluster_command& options) {
  const label_output& labels = options.labels;
  auto inputs = files_of(options.input);
  if (!options.choice.cannot_link.empty()) inputs.push_back(options.choice.cannot_link);
  options.choice.require_sense(options.input);
  if (!options.refused.empty()) expect_table_suffix(options.refused, refused_text);
  if (options.several()) {
    if (labels.dense || !labels.format.empty() || !labels.sizes.empty() || !labels.npy_ids.empty())
      throw usage_error{"--labels, --output-format, --sizes and --npy-ids need a single --threshold"};
    if (!labels.path.empty()) expect_table_suffix(labels.path, label_columns_text);
    require_outputs({labels.path, options.refused}, inputs);
    if (labels.as_json) require_free_stdout({labels.path, options.refused});
  } else {
    labels.require_sense(inputs, {options.refused});
  }
}

/// How many pairs were refused for each constraint that was given.
std::vector<std::pair<std::string, std::uint64_t>> refused_by_constraint(const clusters_at_threshold& answer,
                                                                         const cluster_choice& choice) {
  std::vector<std::pair<std::string, std::uint64_t>> counts;
  const auto add = [&](cluster_constraint constraint, std::uint32_t limit) {
    const refused_pair sought{0, 0, 0, constraint, limit};
    const auto is_one = [&](const refused_pair& r) { return r.constraint == constraint && r.limit == limit; };
    counts.emplace_back(constraint_text(sought, choice.rules), static_cast<std::uint64_t>(std::ranges::count_if(answer.refused, is_one)));
  };
  if (choice.rules.max_records != cluster_rules::no_limit) add(cluster_constraint::max_records, 0);
  if (!choice.cannot_link.empty()) add(cluster_constraint::cannot_link, 0);
  for (std::uint32_t i = 0; i < choice.rules.one_per.size(); ++i) add(cluster_constraint::one_per, i);
  return counts;
}

/// Writes the refused pairs. With several thresholds the first column is the threshold.
void write_refused(const cluster_command& options, const cluster_result& found) {
  const vertex_names& names = found.answers.front().labels.names();
  std::vector<io::table_column> columns;
  if (options.several()) columns.push_back({"threshold", io::column_kind::reals});
  columns.insert(columns.end(), {{"u", io::column_kind::ids, &names},
                                 {"v", io::column_kind::ids, &names},
                                 {"score", io::column_kind::reals},
                                 {"constraint", io::column_kind::text},
                                 {"u_cluster", io::column_kind::ids, &names},
                                 {"v_cluster", io::column_kind::ids, &names}});
  io::table_writer file{options.refused, table_format(options.refused), columns};
  for (const clusters_at_threshold& answer : found.answers) {
    for (const refused_pair& pair : answer.refused) {
      if (options.several()) file.real(answer.threshold);
      file.name(names, pair.u);
      file.name(names, pair.v);
      file.real(pair.score);
      file.text(constraint_text(pair, options.choice.rules));
      file.name(names, answer.labels.label(pair.u));
      file.name(names, answer.labels.label(pair.v));
      file.end_row();
    }
  }
  file.commit();
}

/// The clusters at one threshold, and their labels as they are reported and written.
struct told_answer {
  const clusters_at_threshold& found;
  label_answer labels;
};

struct cluster_times {
  double write_seconds = 0, total_seconds = 0;
};

json as_json(const cluster_command& options, const input& graph, const cluster_result& found, const std::vector<told_answer>& answers,
             const resources& context, cluster_times times) {
  json all = json::array();
  for (const told_answer& answer : answers) {
    const component_summary& summary = answer.labels.summary();
    json refused = json::object();
    for (const auto& [constraint, count] : refused_by_constraint(answer.found, options.choice)) refused[constraint] = count;
    json one{{"threshold", nullptr},
             {"clusters", summary.components},
             {"largest", answer.labels.largest_json()},
             {"alone", summary.isolated},
             {"cut_bridges", answer.found.cut_bridges},
             {"refused", std::move(refused)},
             {"checksum", answer.labels.checksum()},
             {"histogram", answer.labels.histogram_json()}};
    if (!options.choice.rules.thresholds.empty()) one["threshold"] = answer.found.threshold;
    answer.labels.add_top(one);
    all.push_back(std::move(one));
  }
  json exempt = json::object();
  for (std::size_t i = 0; i < found.exempt.size(); ++i) exempt[options.choice.rules.one_per[i].column.text()] = found.exempt[i];
  return {{"command", command_text()},
          {"vertices", answers.front().labels.summary().vertices},
          {"edges", found.report.edges},
          {"answers", std::move(all)},
          {"exempt", std::move(exempt)},
          {"unknown_pairs", found.unknown_pairs},
          {"careful_pairs", found.careful_pairs},
          {"passes", found.passes},
          {"threads", found.report.threads},
          {"seconds", {{"solve", found.report.solve_seconds}, {"write", times.write_seconds}, {"total", times.total_seconds}}},
          {"phases", phases_json(found.report.phases)},
          {"peak_bytes", context.memory.peak_bytes()},
          {"comment_lines", graph.counts().comment_lines.load()},
          {"missing_ends", graph.counts().missing_ends.load()},
          {"missing_weights", graph.counts().missing_weights.load()},
          {"below_min_weight", graph.counts().below_min_weight.load()}};
}

std::string as_text(const cluster_command& options, const input& graph, const cluster_result& found,
                    const std::vector<told_answer>& answers, cluster_times times) {
  std::string text = fmt::format("vertices    {}\nedges       {}\n", answers.front().labels.summary().vertices, found.report.edges);
  text += graph.left_out_text();
  for (std::size_t i = 0; i < found.exempt.size(); ++i)
    text += fmt::format("exempt      {} without {}\n", found.exempt[i], options.choice.rules.one_per[i].column.text());
  for (const told_answer& answer : answers) {
    const component_summary& summary = answer.labels.summary();
    if (!options.choice.rules.thresholds.empty()) text += fmt::format("threshold   {}\n", answer.found.threshold);
    text +=
        fmt::format("clusters    {}\nlargest     {}\nalone       {}\n", summary.components, answer.labels.largest_text(), summary.isolated);
    if (options.choice.rules.cut_bridges) text += fmt::format("cut bridges {}\n", answer.found.cut_bridges);
    for (const auto& [constraint, count] : refused_by_constraint(answer.found, options.choice))
      text += fmt::format("refused     {} by {}\n", count, constraint);
    text += answer.labels.top_text();
  }
  return text + fmt::format("threads     {}\nseconds     {:.3f} (solve {:.3f}, write {:.3f})\n", found.report.threads, times.total_seconds,
                            found.report.solve_seconds, times.write_seconds);
}

int run_cluster(const cluster_command& options) {
  const stopwatch total;
  require_sense(options);
  resources context{options.run};
  const input graph{options.input, context, true};
  graph.expect_weights("cluster");
  const cluster_result found = in_step(graph.text(), "clustering", [&] {
    return clusters_of_file(graph.paths().front(), graph.read_options(), options.choice.of_file(), context.on());
  });
  if (found.unknown_pairs != 0) {
    context.observer.note(fmt::format("{}: {} {} an id that is not in the graph", options.choice.cannot_link, found.unknown_pairs,
                                      found.unknown_pairs == 1 ? "pair has" : "pairs have"));
  }
  std::vector<told_answer> answers;
  answers.reserve(found.answers.size());
  for (const clusters_at_threshold& answer : found.answers)
    answers.push_back({answer, label_answer{answer.labels, options.labels, context}});
  const stopwatch writing;
  if (!options.several()) {
    answers.front().labels.write();
  } else if (!options.labels.path.empty()) {
    std::vector<const labelling*> columns;
    for (const clusters_at_threshold& answer : found.answers) columns.push_back(&answer.labels);
    write_label_columns(options.choice.rules.thresholds, columns, options.labels.path);
  }
  if (!options.refused.empty()) write_refused(options, found);
  cluster_times times{.write_seconds = writing.seconds()};
  times.total_seconds = total.seconds();
  context.observer.clear();
  if (options.labels.as_json) {
    print_json(as_json(options, graph, found, answers, context, times));
  } else {
    auto outputs = options.labels.files();
    outputs.push_back(options.refused);
    write_report(as_text(options, graph, found, answers, times), outputs);
  }
  return exit_code::done;
}

}  // namespace

void cluster_choice::add_constraints(CLI::App& app) {
  add_choice<link_rule>(app, "--best-link", rules.links, {{"mutual", link_rule::mutual}, {"either", link_rule::either}},
                        "Take only the pairs that are the best of both records, or of one");
  add_parsed(app, "--cut-bridges", rules.cut_bridges, "S",
             "Cut pairs with a score below S whose loss parts a cluster into two parts of at least two records each", "a number",
             weight_number);
  add_parsed(app, "--one-per", rules.one_per, "C[:N]",
             "At most one record (N records) of each value in column C of the --vertex-file in a cluster; more than once for more columns",
             "a column such as source, or a column and a limit from 1 such as source:2",
             [this](const std::string& text) -> std::optional<std::vector<column_limit>> {
               const auto limit = limit_on_column(text);
               if (!limit) return std::nullopt;
               auto all = rules.one_per;
               all.push_back(*limit);
               return all;
             })
      ->trigger_on_parse();  // call the function each time the option is given
  add_file(app, "--cannot-link", cannot_link,
           "A list of pairs that must not be in one cluster, with ids as in the answer; --header, --delimiter, --comment and --trim hold "
           "for it as well");
  add_number(app, "--max-records", rules.max_records, 1, UINT64_MAX,
             "Refuse pairs whose union would make a cluster of more than N records");
}

void cluster_choice::require_sense(const input_options& input) const {
  require_one_stdin("GRAPH", input.graphs.front(), "--cannot-link", cannot_link);
  if (!rules.one_per.empty() && input.read.vertex_tables.empty())
    throw usage_error{"--one-per needs --vertex-file FILE, whose column it names"};
}

bool cluster_choice::any() const noexcept {
  return rules.links != link_rule::all || rules.cut_bridges || !rules.one_per.empty() || !cannot_link.empty() ||
         rules.max_records != cluster_rules::no_limit;
}

cluster_file_options cluster_choice::of_file() const {
  cluster_file_options options = rules;
  options.cannot_link = cannot_link;
  return options;
}

std::string constraint_text(const refused_pair& pair, const cluster_file_options& rules) {
  switch (pair.constraint) {
    case cluster_constraint::max_records:
      return "max_records";
    case cluster_constraint::cannot_link:
      return "cannot_link";
    case cluster_constraint::one_per:
      break;
  }
  return "one_per " + rules.one_per[pair.limit].column.text();
}

void add_cluster(CLI::App& app, action& chosen) {
  auto [command, options] =
      add_command<cluster_command>(app, chosen, "cluster", "Make clusters of pairs with scores that keep constraints", run_cluster);
  add_graph(*command, options->input, false);
  options->labels.add_options(*command, {"record", "cluster", "clusters"});
  add_parsed(*command, "--threshold", options->choice.rules.thresholds, "X,Y,..",
             "Take the pairs whose score is at least X; of several thresholds -o writes a column each (.csv .txt)",
             "numbers with commas between them", [](const std::string& text) { return numbers_with_commas(text); });
  options->choice.add_constraints(*command);
  add_file(*command, "--refused", options->refused,
           "Write the pairs that were refused here, with the constraint and the two clusters: .csv .txt");
  add_input_options(*command, options->input);
  add_run_options(*command, options->run);
}

}  // namespace copse::cli
