#include "weighted_stream.hpp"

#include <fmt/format.h>

#include <copse/errors.hpp>
#include <copse/hierarchy.hpp>
#include <copse/operations.hpp>
#include <copse/weighted_forest.hpp>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "console.hpp"
#include "io/written_suffix.hpp"
#include "output.hpp"

namespace copse::cli {
namespace {

/// Inserts edges into a maximum spanning forest, and answers the queries of a batch from the forest of all edges so far.
class weighted_stream {
public:
  explicit weighted_stream(resources& context)
      : context_{context}, sink_{weighted_forest_options{.goal = forest_goal::maximum}, context.on()} {}

  /// Applies a batch and returns the answers of its queries: for each a line of its number among all queries, a tab, and a weight or `no`.
  std::string apply(const io::operation_batch& batch) {
    if (batch.named()) {
      insert<std::string_view>(batch, [&](std::size_t i) { return batch.names(i); });
    } else if (batch.any_negative()) {
      insert<std::int64_t>(batch, [&](std::size_t i) { return batch.pairs()[i]; });
    } else {
      insert<std::uint64_t>(batch, [&](std::size_t i) { return batch.pairs()[i]; });
    }
    records_ += batch.size();
    const std::uint64_t queries = batch.size() - weights_.size();
    return queries == 0 ? std::string{} : answers(batch);
  }

  [[nodiscard]] const weighted_forest_result& forest() { return sink_.forest(); }
  [[nodiscard]] bool has_edges() const noexcept { return has_edges_; }
  [[nodiscard]] std::uint64_t records() const noexcept { return records_; }
  [[nodiscard]] std::string state_text() {
    return fmt::format("{} records, {} answers, {} vertices, {} components", records_, answered_, forest().edges.vertices(),
                       forest().count());
  }

private:
  template <class Id, class Pair>
  void insert(const io::operation_batch& batch, Pair pair) {
    std::vector<Id> sources, targets;
    weights_.clear();
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (batch.kinds()[i] != operation::insert) continue;
      const auto [u, v] = pair(i);
      sources.push_back(static_cast<Id>(u));
      targets.push_back(static_cast<Id>(v));
      weights_.push_back(batch.weights()[i]);
    }
    if (weights_.empty()) return;
    weakest_.reset();
    sink_.add({std::span<const Id>{sources}, std::span<const Id>{targets}}, std::span<const double>{weights_});
    has_edges_ = true;
  }

  std::string answers(const io::operation_batch& batch) {
    if (has_edges_ && !weakest_) weakest_.emplace(hierarchy{forest().edges, forest().weights.view(), &context_.memory}, &context_.memory);
    std::string text;
    const auto answer = [&](const auto& u, const auto& v) {
      fmt::format_to(std::back_inserter(text), "{}\t", ++answered_);
      const auto link = weakest_ ? weakest_link(*weakest_, u, v) : std::nullopt;
      if (u == v) {
        text += "inf\n";
      } else if (link) {
        fmt::format_to(std::back_inserter(text), "{}\n", forest().weights[*link]);
      } else {
        text += "no\n";
      }
    };
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (batch.kinds()[i] != operation::query) continue;
      if (batch.named()) {
        answer(batch.names(i).u, batch.names(i).v);
      } else {
        answer(batch.pairs()[i].u, batch.pairs()[i].v);
      }
    }
    return text;
  }

  /// Returns the index of the weakest edge between u and v in the forest; nothing if there is none, or if a vertex does not exist.
  template <class Id>
  std::optional<std::uint64_t> weakest_link(const bottlenecks& weakest, const Id& u, const Id& v) {
    const vertex_names& names = forest().edges.names();
    const auto first = names.find(u), second = names.find(v);
    return first && second ? weakest.between(*first, *second) : std::nullopt;
  }

  resources& context_;
  weighted_edge_sink sink_;
  std::vector<double> weights_;  // the weights of the inserts in the batch
  std::uint64_t records_ = 0, answered_ = 0;
  bool has_edges_ = false;              // true after the first edge, which decides the kind of ids
  std::optional<bottlenecks> weakest_;  // made by the first query after an insert
};

}  // namespace

std::string record_rate_text(std::uint64_t records, double seconds) {
  const double rate = seconds > 0 ? static_cast<double>(records) / seconds : 0;
  return rate >= 1e6 ? fmt::format("{:.1f} M records/s", rate * 1e-6) : fmt::format("{:.0f} records/s", rate);
}

int run_weighted_stream(const weighted_stream_command& options, resources& context) {
  if (!options.read.weight_column) throw usage_error{"--forest needs --weight C, which names the column of weights"};
  io::expect_weighted_suffix(options.output);
  require_outputs({options.output}, {options.stream});
  const stopwatch clock;
  io::stream_read_options read = options.read;
  read.weights = true;
  io::operation_reader reader{options.stream, read, context.on()};
  weighted_stream stream{context};
  io::operation_batch batch{&context.memory};
  std::optional<std::uint64_t> written_at;
  const auto write = [&] {
    const weighted_forest_result& found = stream.forest();
    io::write_weighted_edges(found.edges, found.weights.view(), options.output, {}, context.on());
    written_at = stream.records();
  };
  while (reader.next(batch, options.batch)) {
    const std::string text = stream.apply(batch);
    if (!text.empty()) write_stdout(text);
    if (stream.has_edges() && stream.records() - written_at.value_or(0) >= options.every) write();
    context.observer.status(fmt::format("stream: {} records", stream.records()));
  }
  if (written_at != stream.records()) write();
  context.observer.clear();
  context.note_new_ids(stream.forest().edges.names(), options.output, "");
  if (options.read.counts->missing_ends != 0)
    context.observer.note(fmt::format("{} records with a missing end were dropped", options.read.counts->missing_ends.load()));
  if (!options.quiet) {
    complain(fmt::format("copse: stream: {}; {} by {} in {:.3f} s", stream.state_text(),
                         record_rate_text(stream.records(), clock.seconds()), stream.forest().report.variant, clock.seconds()));
  }
  return exit_code::done;
}

}  // namespace copse::cli
