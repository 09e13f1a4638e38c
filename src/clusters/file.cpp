// clusters_of_file(): one pass over the file finds the maximum forest of all pairs; more passes follow only if rules or constraints need
// pairs that are not in it.
#include <api/forest_sink.hpp>
#include <clusters/constraints.hpp>
#include <clusters/held.hpp>
#include <clusters/known_vertices.hpp>
#include <clusters/pair_set.hpp>
#include <clusters/solve.hpp>
#include <clusters/vertex_values.hpp>
#include <copse/errors.hpp>
#include <copse/weighted_forest.hpp>
#include <core/without_notes.hpp>
#include <io/readers.hpp>
#include <io/request.hpp>
#include <plan/files.hpp>

#include <chrono>
#include <optional>
#include <string>

namespace copse {
namespace {

using namespace clusters;

/// A sink that keeps the pairs that `wants` accepts.
template <unsigned_index Id>
class wanted_pairs_sink final : public io::edge_sink {
public:
  wanted_pairs_sink(known_vertices& known, const std::function<bool(const scored_pair<Id>&)>& wants, std::pmr::memory_resource* memory)
      : known_{known}, wants_{wants}, memory_{memory} {}

  [[nodiscard]] io::sink_wishes wishes() const noexcept override { return {.weights = true}; }
  void begin(const io::source_facts& facts) override {
    declared_ = facts.vertices.has_value();
    found_ = pairs_of_workers<Id>(facts.workers, memory_);
  }
  void edges(unsigned worker, const io::edge_batch& batch) override {
    each_numbered_pair<Id>(known_, declared_, worker, batch, [&](const scored_pair<Id>& p) {
      if (wants_(p)) found_[worker].push_back(p);
    });
  }
  void vertices(unsigned, const io::vertex_batch&) override {}
  void ids_are_signed() override {}

  [[nodiscard]] std::vector<pairs_of<Id>> take() && { return std::move(found_); }

private:
  known_vertices& known_;
  const std::function<bool(const scored_pair<Id>&)>& wants_;
  std::pmr::memory_resource* memory_;
  bool declared_ = false;
  std::vector<pairs_of<Id>> found_;
};

/// Passes the pairs that are not in `first`, a maximum spanning forest of all pairs, on to another sink, which finds the forest of the
/// others. Ids are replaced by vertices.
template <unsigned_index Id>
class second_forest_sink final : public io::edge_sink {
public:
  second_forest_sink(known_vertices& known, const pair_set& first, api::forest_sink& behind)
      : known_{known}, first_{first}, behind_{behind} {}

  [[nodiscard]] io::sink_wishes wishes() const noexcept override { return behind_.wishes(); }
  void begin(const io::source_facts& facts) override {
    declared_ = facts.vertices.has_value();
    io::source_facts numbered;
    numbered.vertices = known_.names().size();
    numbered.workers = facts.workers;
    behind_.begin(numbered);
  }
  void begin_block(unsigned worker, std::uint64_t block) override { behind_.begin_block(worker, block); }
  void edges(unsigned worker, const io::edge_batch& batch) override {
    std::vector<edge<std::uint64_t>> ends;
    std::vector<double> scores;
    each_numbered_pair<Id>(known_, declared_, worker, batch, [&](const scored_pair<Id>& p) {
      if (first_.has(p.u, p.v)) return;
      ends.push_back({p.u, p.v});
      scores.push_back(score_of(p.key));
    });
    if (ends.empty()) return;
    io::edge_batch rest;
    rest.ids = ends;
    rest.weights = scores;
    behind_.edges(worker, rest);
  }
  void vertices(unsigned, const io::vertex_batch&) override {}
  void ids_are_signed() override {}
  [[nodiscard]] bool wants_pause() const noexcept override { return behind_.wants_pause(); }
  void pause() override { behind_.pause(); }
  void finish() override { behind_.finish(); }

private:
  known_vertices& known_;
  const pair_set& first_;
  api::forest_sink& behind_;
  bool declared_ = false;
};

void expect_again(const std::filesystem::path& path, const std::string& why) {
  if (!plan::is_read_once({&path, 1})) return;
  throw usage_error{(path == "-" ? std::string{"standard input"} : path.string()) + ": cannot be a pipe, because " + why +
                    "; write the pairs to a file first"};
}

/// The constraints of cluster_file_options for the vertices of a graph, and the values and pairs that were read from tables for them.
struct file_constraints {
  file_constraints(known_vertices& known, const io::read_options& input, const cluster_file_options& from, const execution& on)
      : values{values_of_vertices(known, input, from.one_per, on)} {
    cluster_options options;
    options.max_records = from.max_records;
    for (std::size_t i = 0; i < values.size(); ++i) options.one_per.push_back({std::as_const(values[i]).span(), from.one_per[i].most});
    if (!from.cannot_link.empty()) apart = read_pairs_apart(from.cannot_link, known.names(), input, on);
    options.cannot_link = apart.pairs;
    limits.emplace(options, known.names().size(), on);
  }

  std::vector<buffer<std::uint64_t>> values;
  known_pairs apart;
  std::optional<constraints> limits;
};

void check_options(const io::read_options& input, const cluster_file_options& options) {
  check_rules(options);
  if (options.max_records == 0) throw usage_error{"max_records must be 1 or more, not 0"};
  for (const column_limit& limit : options.one_per) {
    if (limit.most == 0) throw usage_error{"one_per must allow at least 1 record of a value per cluster, not 0"};
  }
  if (!options.one_per.empty() && input.vertex_tables.empty()) {
    throw usage_error{"one_per needs a table of vertices that has the column " + options.one_per.front().column.text()};
  }
}

template <unsigned_index Id>
pair_reader<Id> file_reader(const std::filesystem::path& path, const io::read_request& again, known_vertices& known,
                            cluster_result& result) {
  return {[&](std::span<const scored_pair<Id>> in_first) {
            expect_again(path, "cutting bridges takes a second look at the pairs");
            ++result.passes;
            const pair_set first{in_first, usable_threads(again.threads), again.memory};
            const request<weighted_forest_options> solving{{.goal = forest_goal::maximum}, again.on()};
            const io::read_request numbered{{}, again.on()};
            api::forest_sink forest{numbered, solving};
            second_forest_sink<Id> sink{known, first, forest};
            io::parse(path, again.options(), sink, again.on());
            return pairs_of_forest<Id>(std::move(forest).take(), again.on());
          },
          [&](const std::function<bool(const scored_pair<Id>&)>& wants, std::uint64_t broken) {
            expect_again(path, std::to_string(broken) + (broken == 1 ? " component breaks" : " components break") +
                                   " a constraint and its pairs are needed again");
            ++result.passes;
            wanted_pairs_sink<Id> sink{known, wants, again.memory};
            io::parse(path, again.options(), sink, again.on());
            return std::move(sink).take();
          }};
}

}  // namespace

cluster_result clusters_of_file(const std::filesystem::path& path, const io::read_options& input, const cluster_file_options& options,
                                const execution& asked) {
  const auto start = std::chrono::steady_clock::now();
  check_options(input, options);
  execution on = asked;
  on.device = "cpu";
  io::read_options reading = input;
  reading.min_weight = std::max(reading.min_weight.value_or(lowest_threshold(options)), lowest_threshold(options));
  std::optional<without_notes> quiet;
  if (on.observer != nullptr) quiet.emplace(*on.observer);
  if (!io::streams_weights(path, reading)) {
    const weighted_graph held = io::read_weighted_graph(path, reading, on);
    known_vertices known{held.edges.names(), usable_threads(on.threads), on.memory};
    const file_constraints from{known, input, options, on};
    cluster_result result = clusters_of_held(held.edges.view(), held.weights.view(), held.edges.names(), options, *from.limits, on);
    result.unknown_pairs = from.apart.unknown;
    return result;
  }
  phase_times times;
  const weighted_forest_result first = [&] {
    const phase_timer timing{times, "forest"};
    return weighted_forest(path, reading, {.goal = forest_goal::maximum}, on);
  }();
  io::read_request again{reading, on};
  again.counts = nullptr;
  again.numbers = nullptr;
  again.vertex_tables.clear();
  again.observer = quiet ? &*quiet : nullptr;
  cluster_result result;
  std::optional<known_vertices> known;
  std::optional<file_constraints> from;
  {
    const phase_timer timing{times, "rules"};
    known.emplace(first.edges.names(), usable_threads(on.threads), on.memory);
    from.emplace(*known, input, options, again.on());
  }
  result.exempt = exempt_vertices(*from->limits);
  result.unknown_pairs = from->apart.unknown;
  std::visit(
      [&]<class Shape>(const Shape&) {
        using id = typename Shape::id_type;
        solve<id>(first, options, *from->limits, file_reader<id>(path, again, *known, result), result, times, on);
      },
      first.edges.shape());
  result.report = first.report;
  result.report.phases = times.all();
  result.report.solve_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace copse
