#include "components.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <copse/errors.hpp>
#include <copse/mergeable_forest.hpp>
#include <copse/options.hpp>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <new>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "../cli/exit_code.hpp"
#include "../cli/input.hpp"
#include "../cli/json.hpp"
#include "../cli/output.hpp"
#include "host_forest.hpp"
#include "host_sink.hpp"
#include "label_file.hpp"

namespace copse::mpi {
namespace {

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

/// Between two ranks there is nobody to agree with: a rank without memory ends them all.
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
  std::uint64_t peak_bytes = 0;  ///< of all ranks
};

/// Enough for dense ids: each is written somewhere in the files, with what ends it, which takes four bytes at least but for the first few.
std::uint64_t slots_for(const cli::input& graph) {
  constexpr std::uint64_t least = std::uint64_t{1} << 20, packed = 4;
  const io::read_options& reading = graph.read_options();
  std::uint64_t bytes = 0;
  const auto count = [&bytes](const std::filesystem::path& path) {
    std::error_code unknown;
    const std::uint64_t size = std::filesystem::file_size(path, unknown);
    const bool compressed = path.extension() == ".gz" || path.extension() == ".zst";
    if (!unknown) bytes += compressed ? packed * size : size;
  };
  for (const auto& path : graph.paths()) count(path);
  for (const auto& table : reading.vertex_tables) count(table.path);
  const std::uint64_t declared = reading.vertices ? reading.first_vertex + *reading.vertices : 0;
  return std::clamp<std::uint64_t>(std::max(bytes / sizeof(std::uint32_t), declared), least, no_vertex<std::uint32_t>);
}

class ranks_answer {
public:
  ranks_answer(const communicator& world, const communicator& host, const job_options& options, cli::resources& context)
      : world_{world}, host_{host}, options_{options}, context_{context} {}

  /// An array of parents for the ranks of each host. Without one, and for a proof, which wants the forests that were merged, every rank has
  /// a forest of its own. All ranks call it together.
  void open(const cli::input& graph) {
    if (options_.verify) return;
    std::string reason;
    if (host_.size > 1) {
      const std::uint64_t slots = largest_of_all(host_, slots_for(graph));
      or_abort(world_, [&] { on_host_ = host_forest::of(host_, slots, &context_.memory, reason); });
    }
    if (reason = first_text(world_, reason); !reason.empty() && world_.rank == 0) {
      context_.observer.note("the processes of a host share no memory, so each has parents of its own: " + reason);
    }
  }

  void read(const cli::input& graph) {
    const file_part part{static_cast<unsigned>(world_.rank), static_cast<unsigned>(world_.size)};
    io::read_options reading = graph.read_options();
    reading.observer = listener();
    if (on_host_) {
      reading.threads = context_.threads;
      host_sink sink{*on_host_, context_.threads, &context_.memory};
      parse_part(graph.paths(), part, reading, sink);
      add(sink.take_own());
      return;
    }
    add(forest_of_part(graph.paths(), part, reading, merging()));
    if (!options_.verify) return;
    if (const verdict proof = verify_part(graph.paths(), part, graph.uncounted_options(), parts_[0]); !proof) fault_ = proof.reason;
  }

  void merge(costs& spent) {
    bool from_first = host_.rank == 0;  // or has this rank something of its own to merge?
    if (on_host_) {
      or_abort(world_, [&] { on_host_->close(host_, context_.threads); });
      from_first = parts_[0].vertices() == 0;
      if (host_.size == world_.size && on_host_->dense() && largest_of_all(world_, parts_[0].vertices()) == 0) {
        or_abort(world_, [&] { labels_ = on_host_->take_labels(); });
        shared_ = true;
        return;
      }
      if (host_.rank == 0) or_abort(world_, [&] { add(mergeable_forest{on_host_->take_labels(), &context_.memory}); });
      from_first |= host_.rank == 0;
    }
    const bool all_from_first = largest_of_all(world_, std::uint64_t{from_first ? 0u : 1u}) == 0;
    merge(all_from_first ? world_.of_first(host_) : world_, spent);
  }

  /// The answer of rank 0 to all.
  void share() {
    if (shared_) return;
    or_abort(world_, [&] {
      const auto bytes =
          broadcast_bytes(world_, world_.rank == 0 ? forest_.bytes(&context_.memory) : buffer<std::byte>{}, &context_.memory);
      if (world_.rank != 0) labels_ = mergeable_forest::from_bytes(bytes.span(), "rank 0", &context_.memory).take_labels();
    });
  }

  /// On rank 0.
  [[nodiscard]] const mergeable_forest& forest() {
    if (labels_.slots() != 0) forest_ = mergeable_forest{std::exchange(labels_, {}), &context_.memory};
    return forest_;
  }
  /// On rank 0, and after share() on all.
  [[nodiscard]] const labelling& labels() const noexcept { return labels_.slots() != 0 ? labels_ : forest_.labels(); }
  [[nodiscard]] const std::string& fault() const noexcept { return fault_; }

private:
  /// Up a tree of these ranks.
  void merge(const communicator& ranks, costs& spent) {
    up_the_tree(
        ranks, [&](int from) { or_abort(world_, [&] { take(ranks, from); }); },
        [&](int to) {
          or_abort(world_, [&] {
            const auto bytes = merged().bytes(&context_.memory);
            spent.sent_bytes += bytes.size();
            send_bytes(ranks, to, bytes.span());
          });
        });
    if (world_.rank == 0) or_abort(world_, [&] { forest_ = merged(); });
  }

  [[nodiscard]] merge_options merging() const { return {.threads = context_.threads, .observer = listener(), .memory = &context_.memory}; }
  /// Notes and progress are told once.
  [[nodiscard]] observer* listener() const noexcept { return world_.rank == 0 ? &context_.observer : nullptr; }
  void take(const communicator& ranks, int from) {
    const auto bytes = receive_bytes(ranks, from, &context_.memory);
    add(mergeable_forest::from_bytes(bytes.span(), fmt::format("rank {}", from), &context_.memory));
  }
  void add(mergeable_forest part) {
    if (parts_.empty() || options_.verify) {  // the proof of the merge wants all that went in
      parts_.push_back(std::move(part));
    } else if (!merger_ && parts_[0].vertices() == 0) {
      parts_[0] = std::move(part);
    } else {
      if (!merger_) {
        merger_.emplace(merging());
        merger_->add(parts_[0]);
        parts_[0] = {};
      }
      merger_->add(part);
    }
  }
  mergeable_forest merged() {
    if (merger_) return merger_->finish();
    if (parts_.size() == 1) return std::move(parts_[0]);
    forest_merger merger{merging()};
    for (const mergeable_forest& part : parts_) merger.add(part);
    mergeable_forest all = merger.finish();
    std::size_t next = 0;
    const verdict proof = verify_merge(all, [&]() -> std::optional<mergeable_forest> {
      if (next == parts_.size()) return std::nullopt;
      return std::move(parts_[next++]);
    });
    if (!proof && fault_.empty()) fault_ = proof.reason;
    return all;
  }

  const communicator& world_;
  const communicator& host_;
  const job_options& options_;
  cli::resources& context_;
  std::vector<mergeable_forest> parts_;  ///< this rank's; with --verify those that it received, too
  std::optional<forest_merger> merger_;
  std::unique_ptr<host_forest> on_host_;
  bool shared_ = false;      ///< all ranks have the labels: on_host_ had them
  mergeable_forest forest_;  ///< of rank 0, unless they are shared
  labelling labels_;
  std::string fault_;
};

void report(const communicator& world, const job_options& options, const labelling& labels, const cli::resources& context,
            const costs& spent) {
  const component_summary summary = summarise(labels, 0);
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
         {"checksum", fmt::format("{:016x}", checksum(labels, context.threads))}});
    return;
  }
  cli::write_stdout(fmt::format(
      "ranks       {}\nvertices    {}\ncomponents  {}\nlargest     {}\nisolated    {}\nsent        {}\n"
      "seconds     {:.3f} (read {:.3f}, merge {:.3f}, write {:.3f})\n{}",
      world.size, summary.vertices, summary.components,
      summary.largest.size == 0 ? "0" : fmt::format("{} (label {})", summary.largest.size, cli::name_text(names, summary.largest.label)),
      summary.isolated, cli::bytes_text(spent.sent_bytes), spent.total_seconds, spent.read_seconds, spent.merge_seconds,
      spent.write_seconds, options.verify ? "verified    yes\n" : ""));
}

int write(const communicator& world, const job_options& options, ranks_answer& answer) {
  if (options.output.empty()) return cli::exit_code::done;
  if (options.output.ends_with(".forest")) {
    return agree(world, world.rank != 0 ? failure{} : caught([&] { answer.forest().save(options.output); }));
  }
  answer.share();
  const std::string fault = write_labels_together(world, answer.labels(), options.output);
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
  cli::add_number(app, "--ranks-per-host", options.ranks_per_host, 1, 1000000,
                  "Ranks of a host that share one array of parents (default: all); 1: each has its own");
  app.add_flag("--json", options.as_json, "Print one JSON object");
  cli::add_input_options(app, options.input);
  cli::add_run_options(app, options.run);
}

int find_components(const communicator& world, const job_options& options) {
  const cli::stopwatch total;
  const communicator machine = world.of_host(), host = machine.of_each(options.ranks_per_host);
  const int together = ranks_on_these_cores(machine);
  cli::run_options run = options.run;
  if (run.threads == 0) run.threads = std::max(1u, usable_threads(0) / static_cast<unsigned>(together));
  cli::resources context{run};
  ranks_answer answer{world, host, options, context};
  costs spent;
  std::optional<cli::input> graph;
  const failure opening = caught([&] {
    if (!options.output.empty()) expect_lines(options.output);
    if (world.rank == 0) cli::require_outputs({options.output}, cli::files_of(options.input));
    graph.emplace(options.input, context);
    if (graph->generated()) throw usage_error{"found a generator spec, expected files"};
  });
  if (const int code = agree(world, opening); code != cli::exit_code::done) return code;
  answer.open(*graph);
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
  if (world.rank == 0) report(world, options, answer.labels(), context, spent);
  return cli::exit_code::done;
}

}  // namespace copse::mpi
