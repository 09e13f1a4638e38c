// copse compare: how well clusters agree with the truth.
#include <fmt/format.h>

#include <array>
#include <copse/compare.hpp>
#include <copse/errors.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>

#include "commands.hpp"
#include "input.hpp"
#include "json.hpp"
#include "output.hpp"

namespace copse::cli {
namespace {

using two_columns = std::array<io::id_columns, 2>;

struct compare_clusters_command {
  std::string clusters, truth;
  io::read_options read;
  std::optional<two_columns> columns, truth_columns;
  comparison_options settings;
  run_options run;
  bool as_json = false;
};

std::optional<two_columns> id_and_label(std::string_view text) {
  const auto columns = some_columns(text);
  if (!columns || columns->size() != 2) return std::nullopt;
  return two_columns{(*columns)[0], (*columns)[1]};
}

json label_json(const label_value& label) {
  return std::visit([](const auto& value) { return json(value); }, label);
}

std::string label_text(const label_value& label) {
  return std::visit(
      [](const auto& value) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, std::string>) {
          return printable(value);
        } else {
          return std::to_string(value);
        }
      },
      label);
}

json scores_json(const agreement_scores& scores) { return {{"precision", scores.precision}, {"recall", scores.recall}, {"f1", scores.f1}}; }

json groups_json(const broken_groups& groups) {
  json worst = json::array();
  for (const broken_group& group : groups.worst) {
    json largest = json::array();
    for (const group_share& share : group.largest) largest.push_back({{"label", label_json(share.label)}, {"records", share.records}});
    worst.push_back({{"label", label_json(group.label)},
                     {"records", group.records},
                     {"pairs", group.pairs},
                     {"parts", group.parts},
                     {"largest", std::move(largest)}});
  }
  return {{"count", groups.count}, {"worst", std::move(worst)}};
}

json as_json(const partition_comparison& found, const resources& context, double seconds) {
  return {{"records", found.records},
          {"only_in_clusters", found.only_in_clusters},
          {"only_in_truth", found.only_in_truth},
          {"clusters", found.clusters},
          {"truth_clusters", found.truth_clusters},
          {"pairs", {{"clusters", found.cluster_pairs}, {"truth", found.truth_pairs}, {"both", found.common_pairs}}},
          {"pairwise", scores_json(found.pairwise)},
          {"b_cubed", scores_json(found.b_cubed)},
          {"adjusted_rand_index", found.adjusted_rand_index},
          {"splits", groups_json(found.splits)},
          {"merges", groups_json(found.merges)},
          {"threads", usable_threads(context.threads)},
          {"seconds", {{"total", seconds}}},
          {"peak_bytes", context.memory.peak_bytes()}};
}

std::string scores_text(std::string_view name, const agreement_scores& scores) {
  return fmt::format("{:<12}precision {:.6f}, recall {:.6f}, F1 {:.6f}\n", name, scores.precision, scores.recall, scores.f1);
}

std::string counted(std::uint64_t count, std::string_view what) { return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s"); }

std::string groups_text(const broken_groups& groups) {
  std::string text;
  for (const broken_group& group : groups.worst) {
    text += fmt::format("  {}: {} in {} parts, {} apart:", label_text(group.label), counted(group.records, "record"), group.parts,
                        counted(group.pairs, "pair"));
    for (const group_share& share : group.largest) text += fmt::format(" {} ({})", label_text(share.label), share.records);
    text += group.largest.size() < group.parts ? " ...\n" : "\n";
  }
  return text;
}

std::string as_text(const partition_comparison& found, double seconds) {
  std::string text = fmt::format("records     {}", found.records);
  if (found.only_in_clusters + found.only_in_truth != 0) {
    text += fmt::format(" in both (left out: {} only in the clusters, {} only in the truth)", found.only_in_clusters, found.only_in_truth);
  }
  text += fmt::format("\nclusters    {} ({})\ntruth       {} ({}, {} of them in a cluster)\n", found.clusters,
                      counted(found.cluster_pairs, "pair"), found.truth_clusters, counted(found.truth_pairs, "pair"), found.common_pairs);
  text += scores_text("pairwise", found.pairwise) + scores_text("B-cubed", found.b_cubed);
  text += fmt::format("Rand index  {:.6f} (adjusted)\n", found.adjusted_rand_index);
  text += "splits      " + counted(found.splits.count, "cluster") + " of the truth\n" + groups_text(found.splits);
  text += "merges      " + counted(found.merges.count, "cluster") + "\n" + groups_text(found.merges);
  return text + fmt::format("seconds     {:.3f}\n", seconds);
}

int run_compare_clusters(const compare_clusters_command& options) {
  const stopwatch total;
  require_one_stdin("CLUSTERS", options.clusters, "TRUTH", options.truth);
  resources context{options.run};
  compared_files files{{options.clusters, options.truth}, {options.read, options.read}};
  if (options.columns) files.reading[0].columns = files.reading[1].columns = *options.columns;
  if (options.truth_columns) files.reading[1].columns = *options.truth_columns;
  const partition_comparison found = compare_files(files, options.settings, context.on());
  context.observer.clear();
  if (options.as_json) {
    print_json(as_json(found, context, total.seconds()));
  } else {
    write_stdout(as_text(found, total.seconds()));
  }
  return exit_code::done;
}

}  // namespace

void add_compare(CLI::App& app, action& chosen) {
  auto [command, options] = add_command<compare_clusters_command>(
      app, chosen, "compare", "Compare clusters with the truth: precision, recall, adjusted Rand index, splits and merges",
      run_compare_clusters);
  const std::string tables = "A table of ids and labels: text, .parquet or .arrow, or .npy, .npz or .bin as copse components writes them";
  command->add_option("CLUSTERS", options->clusters, tables)->type_name("")->required();
  command->add_option("TRUTH", options->truth, "A table of the right labels, in any of these formats; one of both may be -")
      ->type_name("")
      ->required();
  const std::string expected = "two different columns such as 1,2 or id,entity";
  add_parsed(*command, "--columns", options->columns, "ID,LABEL",
             "The columns of ids and of labels, by number from 1 or by name (default 1,2)", expected, id_and_label);
  add_parsed(*command, "--truth-columns", options->truth_columns, "ID,LABEL", "Those of TRUTH, where they are others", expected,
             id_and_label);
  command->add_flag("--common", options->settings.common,
                    "Compare the records that both tables have, and count the others (default: refuse records of one table)");
  add_number(*command, "--top", options->settings.worst, 0, 1'000'000,
             "How many splits and merges to list, those that break most pairs first (default 5)");
  add_number(*command, "--parts", options->settings.shares, 0, 1'000'000, "How many parts of each to list, the largest first (default 5)");
  command->add_flag("--json", options->as_json, "Print one JSON object");
  add_id_kinds(*command, options->read);
  add_table_options(
      *command, options->read,
      "Ids and labels that stand for a missing value (an empty word: an empty field); such records are left out, and counted");
  add_run_options(*command, options->run);
}

}  // namespace copse::cli
