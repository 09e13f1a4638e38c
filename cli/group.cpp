// copse group: which records share a value of a key, directly or by a chain of others; without making pairs.
#include <fmt/format.h>

#include <algorithm>
#include <copse/errors.hpp>
#include <copse/group_sink.hpp>
#include <copse/io.hpp>
#include <copse/verify.hpp>
#include <filesystem>
#include <memory>

#include "commands.hpp"
#include "exit_code.hpp"
#include "input.hpp"
#include "json.hpp"
#include "output.hpp"

namespace copse::cli {
namespace {

using paths = std::vector<std::filesystem::path>;

struct group_command {
  std::vector<std::string> files;
  io::keyed_table table;
  io::read_options read;
  run_options run;
  std::uint64_t max_group = group_options::no_limit;
  bool split = false;
  std::string output, output_format, append, sizes, npy_ids;
  bool dense = false;
  std::size_t top = 0;
  bool verify = false;
  bool as_json = false;
};

/// What is reported, beside the answer.
struct group_times {
  double group_seconds = 0;
  double write_seconds = 0;
  double total_seconds = 0;
};

std::string column_name(const io::keyed_table& table, unsigned column) { return table.one_namespace ? "key" : table.keys[column].text(); }

/// A file that does not exist is told of when it is opened.
bool is_read_again(const std::string& file) {
  return file != "-" && (std::filesystem::is_regular_file(file) || !std::filesystem::exists(file));
}

std::vector<std::string> outputs_of(const group_command& options) {
  return {options.output, options.append, options.sizes, options.npy_ids};
}

void require_sense(group_command& options) {
  if (options.table.by_line) {
    if (options.table.keys.empty()) options.table.keys = {1u};
    if (!options.table.id) options.table.id = io::id_columns{2u};
    if (options.table.keys.size() != 1) {
      throw usage_error{fmt::format("--by-line: found {} columns of keys, expected one", options.table.keys.size())};
    }
  }
  if (options.table.keys.empty()) throw usage_error{"--by: found nothing, expected columns of keys such as --by email,phone"};
  if (options.split && options.max_group == group_options::no_limit)
    throw usage_error{"--split: found no --max-group, expected --max-group N to say which values to leave out"};
  if (options.output.empty() && options.append.empty() && options.dense)
    throw usage_error{"--labels dense: found no -o, expected -o FILE to write the labels to"};
  if (options.output.empty() && !options.npy_ids.empty())
    throw usage_error{"--npy-ids: found no -o, expected -o FILE.npy to write the labels to"};
  if (options.output.empty() && !options.output_format.empty()) throw usage_error{"--output-format: found no -o, expected -o FILE or -o -"};
  if (!options.output.empty()) io::expect_labels_suffix(options.output, format_only(options.output_format));
  if (!options.sizes.empty()) io::expect_sizes_suffix(options.sizes);
  if (!options.append.empty() && options.files.size() > 1) throw usage_error{"--append: found several FILEs, expected one"};
  for (const std::string& file : options.files) {
    if ((!options.verify && options.append.empty()) || is_read_again(file)) continue;
    throw usage_error{fmt::format("{}: found {}, expected a file, which can be read again", options.verify ? "--verify" : "--append",
                                  file == "-" ? "standard input" : file)};
  }
  const auto outputs = outputs_of(options);
  require_outputs(outputs, options.files);
  if (options.as_json) require_free_stdout(outputs);
}

void write_files(const group_command& options, const labelling& labels, resources& context) {
  std::optional<labelling> numbered;
  if (options.dense) numbered = dense(labels, &context.memory);
  const labelling& shown = numbered ? *numbered : labels;
  if (!options.output.empty()) {
    io::write_options settings = context.writing(options.output_format);
    if (!options.npy_ids.empty()) settings.npy_ids = options.npy_ids;
    io::write_labels(shown, options.output, settings);
  }
  if (!options.append.empty()) {
    io::append_components(options.files.front(), options.table, options.read, shown, options.append, context.writing());
  }
  if (!options.sizes.empty()) io::write_sizes(labels, options.sizes, context.writing());
}

json as_json(const group_command& options, const group_file_result& found, const component_summary& summary, const resources& context,
             const group_times& times) {
  const auto& names = found.result.labels.names();
  json left_out = json::array();
  for (const large_value& large : found.left_out) {
    left_out.push_back({{"column", column_name(options.table, large.column)}, {"value", large.value}, {"records", large.count}});
  }
  json object{{"records", summary.vertices},
              {"rows", found.counts.rows},
              {"keys", found.counts.keys},
              {"missing", found.counts.missing},
              {"values", found.counts.values},
              {"groups", summary.components},
              {"largest", component_json(summary.largest, names)},
              {"alone", summary.isolated},
              {"left_out", std::move(left_out)},
              {"variant", found.result.report.variant},
              {"threads", found.result.report.threads},
              {"seconds", {{"group", times.group_seconds}, {"write", times.write_seconds}, {"total", times.total_seconds}}},
              {"peak_bytes", context.memory.peak_bytes()},
              {"verified", options.verify},
              {"checksum", fmt::format("{:016x}", checksum(found.result.labels))},
              {"histogram", histogram_json(summary.histogram)}};
  if (options.top > 0) {
    json top = json::array();
    for (const component& c : summary.top) top.push_back(component_json(c, names));
    object["top"] = std::move(top);
  }
  return object;
}

std::string as_text(const group_command& options, const group_file_result& found, const component_summary& summary,
                    const group_times& times) {
  const auto& names = found.result.labels.names();
  const std::string largest =
      summary.largest.size == 0 ? "0" : fmt::format("{} (label {})", summary.largest.size, name_text(names, summary.largest.label));
  std::string text = fmt::format(
      "records     {}\nkeys        {} ({} missing, {} different)\ngroups      {}\nlargest     {}\nalone       {}\nthreads     {}\n"
      "seconds     {:.3f} (group {:.3f}, write {:.3f})\n",
      summary.vertices, found.counts.keys, found.counts.missing, found.counts.values, summary.components, largest, summary.isolated,
      found.result.report.threads, times.total_seconds, times.group_seconds, times.write_seconds);
  if (options.verify) text += "verified    yes\n";
  for (std::size_t rank = 0; rank < summary.top.size(); ++rank) {
    text += fmt::format("top {:<7} {} (label {})\n", rank + 1, summary.top[rank].size, name_text(names, summary.top[rank].label));
  }
  return text;
}

/// One line on stderr for each value that joined nothing.
void list_left_out(const group_command& options, const std::vector<large_value>& left_out) {
  for (const large_value& large : left_out) {
    complain(fmt::format("copse: left out: {} {}, which {} records have", column_name(options.table, large.column),
                         json(large.value).dump(-1, ' ', true, json::error_handler_t::replace), large.count));
  }
}

int run_group(group_command options) {
  const stopwatch total;
  require_sense(options);
  resources context{options.run};
  const paths files(options.files.begin(), options.files.end());
  const group_file_options settings{.max_group = options.max_group,
                                    .leave_out = options.split,
                                    .threads = context.threads,
                                    .observer = &context.observer,
                                    .memory = &context.memory};
  group_times times;
  const stopwatch grouping;
  const group_file_result found = groups_of_files(files, options.table, options.read, settings);
  times.group_seconds = grouping.seconds();
  context.observer.clear();
  list_left_out(options, found.left_out);
  if (options.verify) {
    io::read_options reading = options.read;
    reading.memory = &context.memory;
    const verdict proof = verify_groups(files, options.table, reading, found.result.labels, options.max_group);
    if (!proof) {
      complain(fmt::format("copse: {}: wrong labels, nothing written: {}", options.files.front(), proof.reason));
      return exit_code::check_failed;
    }
  }
  const stopwatch writing;
  write_files(options, found.result.labels, context);
  times.write_seconds = writing.seconds();
  times.total_seconds = total.seconds();
  context.observer.clear();
  const component_summary summary = summarise(found.result.labels, options.top, &context.memory);
  if (options.as_json) {
    print_json(as_json(options, found, summary, context, times));
  } else {
    write_report(as_text(options, found, summary, times), outputs_of(options));
  }
  return exit_code::done;
}

}  // namespace

void add_group(CLI::App& app, action& chosen) {
  auto* command = app.add_subcommand("group", "Find the records of a table that share a value of a key");
  auto options = std::make_shared<group_command>();
  command->add_option("FILE", options->files, "A table in text, or -; several files are one table")->type_name("")->required();
  add_parsed(*command, "--id", options->table.id, "A,B,...",
             "The column of record ids, or several that make an id together, by number from 1 or by name (default: a record is called by "
             "its line)",
             "a column such as 1 or record, or different ones such as source,record", some_columns);
  add_parsed(*command, "--by", options->table.keys, "A,B,...",
             "The columns of keys, by number or name; records that share a value are together", "columns such as email,phone or 2,3",
             some_columns);
  command->add_flag("--by-line", options->table.by_line,
                    "Lines hold a key and an id, which comes again for each of its keys (default --by 1 --id 2)");
  command->add_flag("--one-namespace", options->table.one_namespace, "The same value in two columns is a link, too");
  add_number(*command, "--max-group", options->max_group, 1, UINT32_MAX - std::uint64_t{1},
             "Refuse the input when more than N records have a value; a value twice in a record counts twice");
  command->add_flag("--split", options->split, "With --max-group: leave such values out, and list them, instead; reads the files twice");
  command
      ->add_option(
          "-o,--output", options->output,
          "Write the label of every record here: .txt .csv (id, component), .npy .bin (indexed by id), .npz (both columns); packed "
          "with .gz or .zst")
      ->type_name("FILE");
  add_output_format(*command, options->output_format, "txt|csv|npy|npz|bin|bin64");
  add_choice<bool>(*command, "--labels", options->dense, {{"min", false}, {"dense", true}},
                   "Label groups by their smallest id, or 0 .. k-1 in that order (default min)");
  command->add_option("--append", options->append, "Copy the records here, as they stand, each with its group behind")->type_name("FILE");
  command->add_option("--sizes", options->sizes, "Write the size of every group here: .csv .txt")->type_name("FILE");
  command->add_option("--npy-ids", options->npy_ids, "With -o FILE.npy: write the column of ids here and one label per id")
      ->type_name("FILE");
  add_number(*command, "--top", options->top, 1, 1000000, "Show the N largest groups");
  command->add_flag("--verify", options->verify, "Prove the labels before they are written; exit code 1 when they are wrong");
  command->add_flag("--json", options->as_json, "Print one JSON object");
  add_id_kinds(*command, options->read);
  add_id_delimiter(*command, options->read);
  add_table_options(*command, options->read, "Values that are missing, as empty fields are: they join nothing");
  add_run_options(*command, options->run);
  command->callback([&chosen, options] { chosen = [options] { return run_group(*options); }; });
}

}  // namespace copse::cli
