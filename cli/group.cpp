// The command copse group, which finds the records that share a value of a key, directly or through other records, without making pairs.
#include <fmt/format.h>

#include <copse/errors.hpp>
#include <copse/group_sink.hpp>
#include <copse/io.hpp>
#include <copse/verify.hpp>
#include <filesystem>

#include "commands.hpp"
#include "input.hpp"
#include "json.hpp"
#include "label_output.hpp"
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
  label_output labels;
  bool verify = false;
};

/// The times and counts that are reported in addition to the answer.
struct group_times {
  double group_seconds = 0;
  double write_seconds = 0;
  double total_seconds = 0;
};

std::string column_name(const io::keyed_table& table, unsigned column) { return table.one_namespace ? "key" : table.keys[column].text(); }

/// True if the file can be read twice. A file that does not exist counts as such, as opening it will report the error.
bool is_read_again(const std::string& file) {
  return file != "-" && (std::filesystem::is_regular_file(file) || std::filesystem::is_directory(file) || !std::filesystem::exists(file));
}

void require_sense(group_command& options) {
  if (options.table.by_line) {
    if (options.table.keys.empty()) options.table.keys = {1u};
    if (!options.table.id) options.table.id = io::id_columns::presumed(2);
    if (options.table.keys.size() != 1) {
      throw usage_error{fmt::format("--by-line takes one column of keys, not {}", options.table.keys.size())};
    }
  }
  if (options.table.keys.empty()) throw usage_error{"group needs columns of keys, such as --by email,phone"};
  if (options.split && options.max_group == group_options::no_limit)
    throw usage_error{"--split needs --max-group N: it leaves out the values that more than N records have"};
  if (!options.labels.append.empty() && options.files.size() > 1)
    throw usage_error{fmt::format("--append copies the records of one FILE: give one, not {}", options.files.size())};
  for (const std::string& file : options.files) {
    if ((!options.verify && options.labels.append.empty()) || is_read_again(file)) continue;
    throw usage_error{fmt::format("{} reads the input twice: give a file instead of {}", options.verify ? "--verify" : "--append",
                                  file == "-" ? "standard input" : file)};
  }
  options.labels.require_sense(options.files);
}

json as_json(const group_command& options, const group_file_result& found, const label_answer& answer, const resources& context,
             const group_times& times) {
  const component_summary& summary = answer.summary();
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
              {"largest", answer.largest_json()},
              {"alone", summary.isolated},
              {"left_out", std::move(left_out)},
              {"variant", found.result.report.variant},
              {"threads", found.result.report.threads},
              {"seconds", {{"group", times.group_seconds}, {"write", times.write_seconds}, {"total", times.total_seconds}}},
              {"peak_bytes", context.memory.peak_bytes()},
              {"verified", options.verify},
              {"checksum", answer.checksum()},
              {"histogram", answer.histogram_json()}};
  answer.add_top(object);
  return object;
}

std::string as_text(const group_command& options, const group_file_result& found, const label_answer& answer, const group_times& times) {
  const component_summary& summary = answer.summary();
  std::string text = fmt::format(
      "records     {}\nkeys        {} ({} missing, {} different)\ngroups      {}\nlargest     {}\nalone       {}\nthreads     {}\n"
      "seconds     {:.3f} (group {:.3f}, write {:.3f})\n",
      summary.vertices, found.counts.keys, found.counts.missing, found.counts.values, summary.components, answer.largest_text(),
      summary.isolated, found.result.report.threads, times.total_seconds, times.group_seconds, times.write_seconds);
  if (options.verify) text += "verified    yes\n";
  return text + answer.top_text();
}

/// Prints one line on stderr for each value that joined no records, because too many have it.
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
  const group_file_options settings{.max_group = options.max_group, .leave_out = options.split};
  group_times times;
  const stopwatch grouping;
  const group_file_result found = groups_of_files(files, options.table, options.read, settings, context.on());
  times.group_seconds = grouping.seconds();
  context.observer.clear();
  list_left_out(options, found.left_out);
  if (options.verify) {
    const verdict proof = verify_groups(files, options.table, options.read, found.result.labels, options.max_group, context.on());
    if (!proof) return context.refuse(options.files.front(), "labels", proof.reason);
  }
  const label_answer answer{found.result.labels, options.labels, context};
  const stopwatch writing;
  answer.write([&] {
    io::append_components(options.files.front(), options.table, options.read, answer.shown(), options.labels.append, {}, context.on());
  });
  times.write_seconds = writing.seconds();
  times.total_seconds = total.seconds();
  context.observer.clear();
  if (options.labels.as_json) {
    print_json(as_json(options, found, answer, context, times));
  } else {
    write_report(as_text(options, found, answer, times), options.labels.files());
  }
  return exit_code::done;
}

}  // namespace

void add_group(CLI::App& app, action& chosen) {
  auto [command, options] =
      add_command<group_command>(app, chosen, "group", "Find the records of a table that share a value of a key", run_group);
  command
      ->add_option("FILE", options->files, "A table in text, or -; of Parquet or Arrow, or a folder of such; several files are one table")
      ->type_name("")
      ->required();
  add_parsed(*command, "--id", options->table.id, "A,B,...",
             "The column of record ids, or several that make an id together, by number from 1 or by name (default: a record is called by "
             "its line, in Parquet and Arrow by its row from 0)",
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
  options->labels.add_options(*command, {"record", "group", "groups"}, "Copy the records here, as they stand, each with its group behind");
  command->add_flag("--verify", options->verify, "Prove the labels before they are written; exit code 1 when they are wrong");
  add_id_kinds(*command, options->read);
  add_id_delimiter(*command, options->read);
  add_table_options(*command, options->read, "Values that are missing, as empty fields are: they join nothing");
  add_run_options(*command, options->run);
}

}  // namespace copse::cli
