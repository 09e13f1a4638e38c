#include "components.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <copse/errors.hpp>
#include <copse/execution.hpp>
#include <copse/labels.hpp>
#include <copse/partial.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <new>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "../cli/input.hpp"
#include "../cli/json.hpp"
#include "../cli/output.hpp"
#include "exchange.hpp"
#include "io/text_writer.hpp"

namespace copse::mpi {
namespace {

// A file of labels that all ranks write at once, each the lines of its share of the vertices.

constexpr std::string_view csv_header = "id,component\n";

/// The lines of vertices [begin, end).
std::string lines_of(const labelling& all, std::uint64_t begin, std::uint64_t end, bool csv, const std::filesystem::path& path) {
  std::string text;
  io::text_writer out{text};
  std::visit(
      [&]<class Id>(const buffer<Id>& labels) {
        io::with_names(all.names(), out, csv ? io::quoting::csv : io::quoting::tabs, path, [&](auto put_name) {
          for (std::uint64_t i = begin; i < end; ++i) {
            if (labels[i] == no_vertex<Id>) continue;
            put_name(i);
            out.put(csv ? ',' : '\t');
            put_name(labels[i]);
            out.put('\n');
          }
        });
      },
      all.labels());
  out.flush();
  return text;
}

/// Empty, or why the bytes could not be written there.
std::string write_at(const std::filesystem::path& path, const std::string& text, std::uint64_t at) {
  const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return path.string() + ": " + std::strerror(errno);
  std::string fault;
  for (std::size_t done = 0; done < text.size() && fault.empty();) {
    const ssize_t now = pwrite(file, text.data() + done, text.size() - done, static_cast<off_t>(at + done));
    if (now > 0) {
      done += static_cast<std::size_t>(now);
    } else if (now == 0 || errno != EINTR) {
      fault = path.string() + ": " + std::strerror(now == 0 ? ENOSPC : errno);
    }
  }
  if (close(file) != 0 && fault.empty()) fault = path.string() + ": " + std::strerror(errno);  // some file systems say only now
  return fault;
}

/// Throws input_error unless the suffix is .csv or .txt, which lines are written to.
void expect_lines(const std::filesystem::path& path) {
  const auto suffix = path.extension();
  if (suffix == ".csv" || suffix == ".txt" || suffix == ".forest") return;
  throw input_error::at(path.string(), 0, suffix.empty() ? "no suffix" : "the suffix " + suffix.string(),
                        ".csv or .txt, which ranks write together, or .forest, of which copse merge makes labels of any format");
}

/// Writes the lines that io::write_labels writes. All ranks have the same labels and call it together; the file gets its name when it is
/// whole. Returns the text of the first failure, on all ranks; empty when there was none.
std::string write_labels_together(const communicator& world, const labelling& labels, const std::filesystem::path& path) {
  const std::filesystem::path temporary = path.string() + ".copse-mpi";
  const bool csv = path.extension() == ".csv";
  std::string fault;
  std::string text;
  try {
    if (world.rank == 0) io::output_file{path, false};  // refuses now what could not take the name at the end
    const auto ranks = static_cast<std::uint64_t>(world.size), rank = static_cast<std::uint64_t>(world.rank);
    const std::uint64_t slots = labels.slots(), share = slots / ranks + 1;
    text = lines_of(labels, std::min(slots, rank * share), std::min(slots, (rank + 1) * share), csv, path);
    if (world.rank == 0 && csv) text.insert(0, csv_header);
    if (world.rank == 0) {
      const int file = open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
      if (file < 0) throw input_error{temporary.string() + ": " + std::strerror(errno)};
      close(file);
    }
  } catch (const std::exception& problem) {
    fault = problem.what();
  }
  const std::uint64_t at = sum_below(world, text.size());
  if (const std::string first = first_text(world, fault); !first.empty()) {
    if (world.rank == 0) unlink(temporary.c_str());
    return first;
  }
  fault = write_at(temporary, text, at);
  std::string first = first_text(world, fault);
  if (world.rank == 0) {
    std::error_code refused;
    if (first.empty()) std::filesystem::rename(temporary, path, refused);
    if (refused) fault = path.string() + ": " + refused.message();
    if (!first.empty() || refused) unlink(temporary.c_str());
  }
  return first.empty() ? first_text(world, fault) : first;
}

/// What went wrong on a rank, and the exit code of that.
struct failure {
  std::string text;
  int code = cli::exit_code::done;
};

/// Runs `work`; what it throws becomes a failure.
template <class Work>
failure caught(Work work) {
  try {
    work();
    return {};
  } catch (const usage_error& problem) {
    return {fmt::format("copse-mpi: {}", problem.what()), cli::exit_code::misuse};
  } catch (const input_error& problem) {
    return {problem.what(), cli::exit_code::misuse};
  } catch (const error& problem) {
    return {fmt::format("copse-mpi: {}", problem.what()), cli::exit_code::out_of_resources};
  } catch (const std::bad_alloc&) {
    return {"copse-mpi: found no more memory", cli::exit_code::out_of_resources};
  }
}

/// The failure of the lowest rank that has one, told once. All ranks call it together, so that none waits for one that has given up.
int agree(const communicator& world, const failure& mine) {
  const std::string first = first_text(world, mine.text);
  if (first.empty()) return cli::exit_code::done;
  if (world.rank == 0) cli::complain(first);
  int code = mine.code;
  int worst = 0;
  MPI_Allreduce(&code, &worst, 1, MPI_INT, MPI_MAX, world.handle);
  return worst;
}

/// Between two ranks no agreement is possible: a rank without memory ends them all.
template <class Work>
void or_abort(const communicator& world, Work work) {
  if (const failure found = caught(work); !found.text.empty()) {
    cli::complain(found.text);
    MPI_Abort(world.handle, found.code);
  }
}

struct costs {
  double read_seconds = 0;
  double merge_seconds = 0;
  double write_seconds = 0;
  double total_seconds = 0;
  std::uint64_t sent_bytes = 0;
  std::uint64_t peak_bytes = 0;  ///< the largest of all ranks
};

class ranks_answer {
public:
  ranks_answer(const communicator& world, const job_options& options, cli::resources& context)
      : world_{world}, options_{options}, context_{context} {}

  /// Reduces this rank's part of the files to a forest.
  void read(const cli::input& graph) {
    const file_part part{static_cast<unsigned>(world_.rank), static_cast<unsigned>(world_.size)};
    parts_.push_back(components_of_part(graph.paths(), part, graph.read_options(), merging()));
    if (!options_.verify) return;
    const verdict proof = verify_part(graph.paths(), part, graph.uncounted_options(), parts_[0], context_.on());
    if (!proof) fault_ = proof.reason;
  }

  /// Merges the forests of all ranks up the tree: rank 0 then has the answer.
  void merge(costs& spent) {
    up_the_tree(
        world_, [&](int from) { or_abort(world_, [&] { take(from); }); },
        [&](int to) {
          or_abort(world_, [&] {
            const auto bytes = merged().bytes(&context_.memory);
            spent.sent_bytes += bytes.size();
            send_bytes(world_, to, bytes.span());
          });
        });
    if (world_.rank == 0) or_abort(world_, [&] { forest_ = merged(); });
  }

  /// Gives the answer of rank 0 to all ranks.
  void share() {
    if (world_.size == 1) return;
    or_abort(world_, [&] {
      const auto bytes =
          broadcast_bytes(world_, world_.rank == 0 ? forest_.bytes(&context_.memory) : buffer<std::byte>{}, &context_.memory);
      if (world_.rank != 0) forest_ = partial<labelling>::from_bytes(bytes.span(), "rank 0", &context_.memory);
    });
  }

  /// The answer: on rank 0 after merge(), on all ranks after share().
  [[nodiscard]] const partial<labelling>& forest() const noexcept { return forest_; }
  [[nodiscard]] const std::string& fault() const noexcept { return fault_; }

private:
  /// How this rank reads and merges: only rank 0 reports notes and progress.
  [[nodiscard]] execution merging() const {
    execution on = context_.on();
    if (world_.rank != 0) on.observer = nullptr;
    return on;
  }
  void take(int from) {
    const auto bytes = receive_bytes(world_, from, &context_.memory);
    partial<labelling> received = partial<labelling>::from_bytes(bytes.span(), fmt::format("rank {}", from), &context_.memory);
    if (options_.verify) {  // the proof of the merge needs all forests that were merged
      parts_.push_back(std::move(received));
      return;
    }
    if (!merger_) {
      merger_.emplace(merging());
      merger_->add(parts_[0]);
      parts_[0] = {};
    }
    merger_->add(received);
  }
  partial<labelling> merged() {
    if (merger_) return merger_->finish();
    if (parts_.size() == 1) return std::move(parts_[0]);
    partial<labelling> all = copse::merge(parts_, merging());
    std::size_t next = 0;
    const verdict proof = verify_merge(all, [&]() -> std::optional<partial<labelling>> {
      if (next == parts_.size()) return std::nullopt;
      return std::move(parts_[next++]);
    });
    if (!proof && fault_.empty()) fault_ = proof.reason;
    return all;
  }

  const communicator& world_;
  const job_options& options_;
  cli::resources& context_;
  std::vector<partial<labelling>> parts_;  ///< this rank's; with --verify also those that it received
  std::optional<merger<labelling>> merger_;
  partial<labelling> forest_;
  std::string fault_;
};

void report(const communicator& world, const job_options& options, const labelling& labels, const cli::resources& context,
            const costs& spent) {
  const component_summary summary = summarise(labels, 0, {.threads = context.threads});
  const auto& names = labels.names();
  if (options.as_json) {
    cli::print_json(
        {{"ranks", world.size},
         {"vertices", summary.vertices},
         {"components", summary.components},
         {"largest", cli::component_json(summary.largest, names)},
         {"isolated", summary.isolated},
         {"seconds",
          {{"read", spent.read_seconds}, {"merge", spent.merge_seconds}, {"write", spent.write_seconds}, {"total", spent.total_seconds}}},
         {"sent_bytes", spent.sent_bytes},
         {"peak_bytes", spent.peak_bytes},
         {"verified", options.verify},
         {"checksum", fmt::format("{:016x}", checksum(labels, {.threads = context.threads}))}});
    return;
  }
  cli::write_stdout(fmt::format(
      "ranks       {}\nvertices    {}\ncomponents  {}\nlargest     {}\nisolated    {}\nsent        {}\n"
      "seconds     {:.3f} (read {:.3f}, merge {:.3f}, write {:.3f})\n{}",
      world.size, summary.vertices, summary.components,
      summary.largest.size == 0 ? "0" : fmt::format("{} (label {})", summary.largest.size, cli::name_text(names, summary.largest.label)),
      summary.isolated, bytes_text(spent.sent_bytes), spent.total_seconds, spent.read_seconds, spent.merge_seconds, spent.write_seconds,
      options.verify ? "verified    yes\n" : ""));
}

int write(const communicator& world, const job_options& options, ranks_answer& answer) {
  if (options.output.empty()) return cli::exit_code::done;
  if (options.output.ends_with(".forest")) {
    return agree(world, world.rank != 0 ? failure{} : caught([&] { answer.forest().save(options.output); }));
  }
  answer.share();
  const std::string fault = write_labels_together(world, answer.forest().answer(), options.output);
  if (!fault.empty() && world.rank == 0) cli::complain(fault);
  return fault.empty() ? cli::exit_code::done : cli::exit_code::misuse;
}

}  // namespace

void add_options(CLI::App& app, job_options& options) {
  app.add_option("FILE", options.input.graphs, "Files that all ranks see; several files of edges are one graph")->type_name("")->required();
  app.add_option("-o,--output", options.output,
                 "Write the label of every vertex here, by all ranks at once: .csv .txt (id, component); or the forest: .forest")
      ->type_name("FILE");
  app.add_flag("--verify", options.verify, "Every rank proves its part and its merges; exit code 1 when one is wrong");
  app.add_flag("--json", options.as_json, "Print one JSON object");
  cli::add_input_options(app, options.input);
  cli::add_run_options(app, options.run);
}

int find_components(const communicator& world, const job_options& options) {
  const cli::stopwatch total;
  const int together = ranks_on_these_cores(world);
  cli::run_options run = options.run;
  if (run.threads == 0) run.threads = std::max(1u, usable_threads(0) / static_cast<unsigned>(together));
  cli::resources context{run};
  ranks_answer answer{world, options, context};
  costs spent;
  std::optional<cli::input> graph;
  const failure opening = caught([&] {
    if (!options.output.empty()) expect_lines(options.output);
    if (world.rank == 0) cli::require_outputs({options.output}, cli::files_of(options.input));
    graph.emplace(options.input, context);
    if (graph->generated()) throw usage_error{"copse-mpi takes files, not generator specs; write the graph by copse generate first"};
  });
  if (const int code = agree(world, opening); code != cli::exit_code::done) return code;
  const failure reading = caught([&] { answer.read(*graph); });
  if (const int code = agree(world, reading); code != cli::exit_code::done) return code;
  spent.read_seconds = largest_of_all(world, total.seconds());
  answer.merge(spent);
  spent.sent_bytes = sum_of_all(world, spent.sent_bytes);
  spent.merge_seconds = largest_of_all(world, total.seconds()) - spent.read_seconds;
  const failure proof{answer.fault().empty() ? "" : "copse-mpi: wrong labels, nothing written: " + answer.fault(),
                      cli::exit_code::check_failed};
  if (const int code = agree(world, proof); code != cli::exit_code::done) return cli::exit_code::check_failed;
  const cli::stopwatch writing;
  if (const int code = write(world, options, answer); code != cli::exit_code::done) return code;
  spent.write_seconds = largest_of_all(world, writing.seconds());
  spent.total_seconds = total.seconds();
  spent.peak_bytes = sum_of_all(world, context.memory.peak_bytes());
  if (world.rank == 0) report(world, options, answer.forest().answer(), context, spent);
  return cli::exit_code::done;
}

}  // namespace copse::mpi
