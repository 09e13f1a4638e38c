// The command copse stream, which applies inserts and queries from a file or a pipe in batches, writes numbered answers in order, and can
// continue from checkpoints.
#include <fmt/format.h>

#include <algorithm>
#include <copse/errors.hpp>
#include <copse/execution.hpp>
#include <copse/incremental.hpp>
#include <copse/io.hpp>
#include <copse/operations.hpp>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "commands.hpp"
#include "input.hpp"
#include "io/written_suffix.hpp"
#include "output.hpp"
#include "solution.hpp"
#include "stream_state.hpp"
#include "weighted_stream.hpp"

namespace copse::cli {
namespace {

constexpr std::uint64_t usual_batch = 100000, usual_every = 10000000;

/// The meaning of --ids: how ids are read from text, and which kind of ids the structure has.
struct id_options {
  io::id_kind read = io::id_kind::automatic;
  vertex_ids vertices = vertex_ids::automatic;
};

struct stream_command {
  std::string path = "-";
  run_options run;
  io::stream_read_options read;
  id_options ids;
  mixing mixed = mixing::phased;
  std::string variant = "auto";
  std::string device = "cpu";
  std::optional<std::uint64_t> batch;
  std::string checkpoint, resume, about, output, forest;
  std::string state, answers, events;
  std::optional<std::uint64_t> history;
  std::optional<std::uint64_t> every;
  std::optional<bool> replay_whole;
};

/// The answers to the queries of one batch as text: for each query its number among all queries of the stream, a tab, and `yes` or `no`.
class answer_lines {
public:
  void add(const io::operation_batch& batch, const query_answers& answers, std::uint64_t answered_before) {
    if (batch.queries() == 0) return;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (batch.kinds()[i] == operation::query) add(answers[i], ++answered_before);
    }
  }
  /// Adds a line for each query that was answered in an earlier batch, with its answer as of now.
  void add_again(const query_answers& answers, std::uint64_t answered_before) {
    for (std::size_t i = 0; i < answers.size(); ++i) add(answers[i], ++answered_before);
  }
  void clear() noexcept { text_.clear(); }
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

private:
  void add(bool connected, std::uint64_t number) {
    fmt::format_to(std::back_inserter(text_), "{}\t{}\n", number, connected ? "yes" : "no");
  }

  std::string text_;
};

std::string state_text(const incremental& stream) {
  const auto [records, answers] = stream.position();
  return fmt::format("{} records, {} answers, {} vertices, {} components", records, answers, stream.vertices(), stream.count());
}

incremental start(const stream_command& options, resources& context) {
  incremental_options settings{.variant = options.variant,
                               .ids = options.ids.vertices,
                               .how = options.mixed,
                               .batch = options.batch.value_or(options.resume.empty() ? usual_batch : 0)};
  execution on = context.on(options.device);
  on.observer = nullptr;  // the command itself shows the progress
  if (options.resume.empty()) return incremental{settings, on};
  incremental resumed = incremental::resume(options.resume, settings, on);
  if (resumed.batch() != 0) return resumed;
  settings.batch = usual_batch;  // the checkpoint is of a program that did not use batches of a fixed size
  return incremental::resume(options.resume, settings, on);
}

io::stream_read_options reading(const stream_command& options, const incremental& stream, io::read_counts& counts) {
  io::stream_read_options read = options.read;
  read.counts = &counts;
  read.ids = options.ids.read;
  // Larger ids are refused while the file is read, so that the message has their line.
  if (options.ids.vertices == vertex_ids::integers) read.largest_id = no_vertex<std::uint32_t> - 1;
  if (options.ids.vertices == vertex_ids::automatic && stream.id_kind() != vertex_ids::automatic) {
    read.named = stream.id_kind() == vertex_ids::strings;
  }
  return read;
}

/// For an input that begins with the first record: reads over the records that the checkpoint has, and checks that they are the same.
void pass_over(io::operation_reader& reader, incremental& stream, const stream_command& options, resources& context) {
  constexpr std::uint64_t at_once = std::uint64_t{1} << 16;
  const std::uint64_t records = stream.position().records;
  const std::string name = options.path == "-" ? "<stdin>" : options.path;
  io::operation_batch batch{&context.memory};
  while (stream.replayed() < records) {
    if (!reader.next(batch, std::min(at_once, records - stream.replayed()))) {
      throw input_error::at(name, 0, fmt::format("the end after record {}", stream.replayed()), fmt::format("record {} and more", records));
    }
    if (!stream.replay(batch)) {
      throw input_error::at(name, 0, fmt::format("other records before record {} than {} was made of", records + 1, options.resume),
                            "the same stream from its start (--replay rest: what comes behind them)");
    }
  }
}

void refuse_what_cannot_be_repeated(const stream_command& options, const incremental& stream) {
  if (options.mixed != mixing::concurrent) return;
  if (const auto reason = incremental_refusal(stream.variant().name, options.mixed)) throw usage_error{*reason};
  if ((!options.checkpoint.empty() || !options.resume.empty()) && stream.variant().backend != "serial") {
    throw usage_error{
        "--mixed concurrent with checkpoints needs --threads 1: on many threads answers differ from run to run, and a resumed run could "
        "not give the same; --mixed phased can"};
  }
}

/// Throws usage_error for options that cannot be used with --forest.
void refuse_beside_forest(const stream_command& options) {
  for (const auto& [name, file] :
       {std::pair{"--checkpoint", &options.checkpoint}, {"--resume", &options.resume}, {"--about", &options.about}}) {
    if (!file->empty()) {
      throw usage_error{fmt::format(
          "{} cannot be used with --forest, whose file takes the place of checkpoints: to go on, stream its lines and then the rest of the "
          "records",
          name)};
    }
  }
  if (!options.output.empty()) {
    throw usage_error{"-o cannot be used with --forest: copse components makes labels of the forest, with --min-weight for a threshold"};
  }
  if (options.mixed != mixing::phased)
    throw usage_error{"--mixed concurrent cannot be used with --forest, whose queries see their whole batch"};
  if (options.variant != "auto")
    throw usage_error{"--variant cannot be used with --forest, which has no variants of incremental connectivity"};
  if (options.device != "cpu") throw usage_error{"--device cannot be used with --forest, which is kept on the CPU"};
}

int stream_into_forest(const stream_command& options, resources& context) {
  refuse_beside_forest(options);
  io::read_counts counts;
  weighted_stream_command settings{.stream = options.path,
                                   .output = options.forest,
                                   .read = options.read,
                                   .batch = options.batch.value_or(usual_batch),
                                   .every = options.every.value_or(usual_every),
                                   .quiet = options.run.progress == progress_mode::never};
  settings.read.counts = &counts;
  settings.read.ids = options.ids.read;
  return run_weighted_stream(settings, context);
}

int stream_into_folder(const stream_command& options, resources& context) {
  for (const auto& [name, file] : {std::pair{"--checkpoint", &options.checkpoint},
                                   {"--resume", &options.resume},
                                   {"--about", &options.about},
                                   {"--forest", &options.forest},
                                   {"-o", &options.output}}) {
    if (!file->empty()) throw usage_error{fmt::format("{} cannot be used with --state, whose folder takes the place of other files", name)};
  }
  if (options.mixed != mixing::phased)
    throw usage_error{"--mixed concurrent cannot be used with --state, whose queries see their whole batch"};
  if (options.variant != "auto")
    throw usage_error{"--variant cannot be used with --state, which has no variants of incremental connectivity"};
  if (options.device != "cpu") throw usage_error{"--device cannot be used with --state, whose graph is kept on the CPU"};
  io::read_counts counts;
  stream_state_command settings{.stream = options.path,
                                .folder = options.state,
                                .answers = options.answers,
                                .events = options.events,
                                .read = options.read,
                                .batch = options.batch.value_or(usual_batch),
                                .history = options.history,
                                .has_all_records = options.replay_whole.value_or(options.path != "-"),
                                .quiet = options.run.progress == progress_mode::never};
  settings.read.counts = &counts;
  settings.read.ids = options.ids.read;
  return run_stream_state(settings, context);
}

void require_sense(const stream_command& options) {
  for (const auto& [name, is_given] : {std::pair{"--answers", !options.answers.empty()},
                                       {"--events", !options.events.empty()},
                                       {"--history", options.history.has_value()}}) {
    if (is_given && options.state.empty()) throw usage_error{fmt::format("{} needs --state DIR", name)};
  }
  if (options.every && options.checkpoint.empty() && options.forest.empty())
    throw usage_error{"--every needs --checkpoint or --forest, which it writes so often"};
  if (options.replay_whole && options.resume.empty() && options.state.empty())
    throw usage_error{"--replay needs --resume FILE or --state DIR"};
  if (options.read.weight_column && !options.read.min_weight && options.forest.empty() && options.about.empty() && options.state.empty()) {
    throw usage_error{"--weight needs --min-weight X, which says which inserts to keep, or --forest FILE, which keeps their weights"};
  }
}

int run_stream(const stream_command& options) {
  require_sense(options);
  resources context{options.run};
  if (!options.state.empty()) return stream_into_folder(options, context);
  if (!options.forest.empty()) return stream_into_forest(options, context);
  if (!options.about.empty()) {
    const incremental saved = incremental::resume(options.about, {}, context.on());
    write_stdout(fmt::format("{}, batches of {}\n", state_text(saved), saved.batch()));
    return exit_code::done;
  }
  for (const std::string& file : {options.output, options.checkpoint}) {
    if (file == "-") throw usage_error{"-o and --checkpoint need files: standard output is for the answers"};
  }
  if (!options.output.empty()) io::expect_labels_suffix(options.output);
  require_outputs({options.checkpoint, options.output}, {options.path});
  require_outputs({options.output}, {options.resume});
  incremental stream = start(options, context);
  refuse_what_cannot_be_repeated(options, stream);
  const stopwatch clock;
  const std::uint64_t resumed_at = stream.position().records;
  io::read_counts counts;
  io::operation_reader reader{options.path, reading(options, stream, counts), context.on()};
  if (!options.resume.empty()) {
    if (options.replay_whole.value_or(options.path != "-")) pass_over(reader, stream, options, context);
    if (options.run.progress != progress_mode::never) context.observer.note("resumed after " + state_text(stream));
  }

  io::operation_batch batch{&context.memory};
  answer_lines lines;
  std::uint64_t saved_at = resumed_at;
  const auto save = [&] {
    stream.checkpoint(options.checkpoint);
    saved_at = stream.position().records;
  };
  while (reader.next(batch, stream.room())) {
    const std::uint64_t answered = stream.position().answers;
    const query_answers answers = stream.apply(batch);
    const query_answers again = stream.answers_again();
    lines.clear();
    lines.add_again(again, answered - again.size());
    lines.add(batch, answers, answered);
    if (!lines.text().empty()) write_stdout(lines.text());  // answers are written before the checkpoint that counts them
    if (!options.checkpoint.empty() && stream.position().records - saved_at >= options.every.value_or(usual_every)) save();
    context.observer.status(
        fmt::format("stream: {}, {}", state_text(stream), record_rate_text(stream.position().records - resumed_at, clock.seconds())));
  }
  if (!options.checkpoint.empty() && (stream.position().records != saved_at || resumed_at == 0)) save();
  context.observer.clear();
  if (counts.missing_ends != 0)
    context.observer.note(fmt::format("{} records with a missing end were dropped", counts.missing_ends.load()));
  if (!options.output.empty()) io::write_labels(stream.labels(), options.output, {}, context.on());
  if (options.run.progress != progress_mode::never) {
    complain(fmt::format("copse: stream: {}; {} by {} in {:.3f} s", state_text(stream),
                         record_rate_text(stream.position().records - resumed_at, clock.seconds()), stream.variant().name,
                         clock.seconds()));
  }
  return exit_code::done;
}

}  // namespace

void add_stream(CLI::App& app, action& chosen) {
  auto [command, options] =
      add_command<stream_command>(app, chosen, "stream", "Insert edges and answer queries as they arrive", run_stream);
  command
      ->add_option("STREAM", options->path,
                   "A file, or - (standard input, the default): an edge list whose records may have a sign, + u v (insert) or ? u v "
                   "(query); or raw pairs")
      ->type_name("");
  add_number(*command, "--batch", options->batch, 1, std::uint64_t{1} << 31, "Records in a batch (default 100000)");
  add_choice<mixing>(*command, "--mixed", options->mixed, {{"phased", mixing::phased}, {"concurrent", mixing::concurrent}},
                     "How queries see the inserts of their batch: all of them (phased, the default), or as of some moment while they are "
                     "inserted (concurrent; on one thread, exactly those before)");
  using io::id_kind;
  add_choice<id_options>(
      *command, "--ids", options->ids,
      {{"auto", {}},
       {"int", {id_kind::integers, vertex_ids::integers}},
       {"sparse", {id_kind::integers, vertex_ids::sparse}},
       {"string", {id_kind::strings, vertex_ids::strings}},
       {"bytes", {id_kind::bytes, vertex_ids::strings}}},
      "What ids are: integers below 2^32 - 1, sparse ones (negative ones, too), strings (UTF-8) or bytes (default auto: by the "
      "first record; integers are dense or sparse as it takes less memory)");
  add_choice<io::stream_format>(*command, "--format", options->read.records,
                                {{"text", io::stream_format::text},
                                 {"csv", io::stream_format::csv},
                                 {"coo", io::stream_format::coo},
                                 {"coo64", io::stream_format::coo64}},
                                "How the stream is written (default: by suffix: .csv, raw pairs .coo and .coo64, otherwise text)");
  add_signed(*command, options->read);
  add_edge_options(*command, options->read);
  command->add_option("--variant", options->variant, "A variant of incremental connectivity (default auto)")->type_name("NAME");
  add_device_option(*command, options->device, command->get_option("--variant")->get_group());
  add_file(*command, "--checkpoint", options->checkpoint, "Save the state here, as a whole, now and then and at the end");
  add_number(*command, "--every", options->every, 1, UINT64_MAX, "Records between two checkpoints (default 10000000)");
  add_file(*command, "--resume", options->resume,
           "Go on from a checkpoint: its records are not applied again, answers go on being numbered");
  add_choice<bool>(
      *command, "--replay", options->replay_whole, {{"whole", true}, {"rest", false}},
      "What STREAM holds when resuming: all records, of which those of the checkpoint are skipped (default for a file), or only "
      "the rest (default for -)");
  add_file(*command, "--about", options->about, "Tell where a checkpoint stands, and do nothing else");
  add_file(*command, "-o,--output", options->output, "Write the labels here at the end, in the format of the suffix");
  add_file(*command, "--forest", options->forest,
           "With --weight: keep the maximum spanning forest of the edges, write it here (.csv .el .txt .parquet .arrow .npy .mtx) every "
           "--every records "
           "and at the end, and answer queries with the weight of the weakest link between their ends");
  command
      ->add_option(
          "--state", options->state,
          "Keep the graph in this folder, and take - u v (erase), too: edges arrive and leave, and the next run goes on where this "
          "one stopped")
      ->type_name("DIR");
  add_file(*command, "--answers", options->answers, "With --state: add answers to this file instead of standard output");
  add_file(*command, "--events", options->events, "With --state: add to this CSV file what became of components in each batch");
  add_number(*command, "--history", options->history, 0, UINT64_MAX,
             "With --state, for a new folder: the number of last batches that can be taken back, and opened as the past (default 1)");
  add_run_options(*command, options->run);
}

}  // namespace copse::cli
