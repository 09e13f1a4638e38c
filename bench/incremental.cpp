// copse_bench_incremental SPEC [--threads N] [--trials N] [--variants A,B] [--quick yes|no] [--json OUT]
// How fast edges are inserted, against the size of the batches (1000 .. all) and against the ratio of inserts to queries (1, .1, .01), as
// in Figures 8 and 10 of the GConn paper; beside sequential Rem and the static solve over the same list. That one gives
// labels of all vertices, so one batch is also measured with labels. Each edge of the generated graph once, in either direction and
// shuffled at random. Trials are interleaved (every incremental_contender once, then again), every sample is kept; one thread is charged
// its processor time, more threads the wall clock. Seconds go from an empty structure to the number of components.
#include <fmt/format.h>
#include <copse/copse.hpp>
#include <core/random.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "benchmark.hpp"
#include "shuffled_edges.hpp"

namespace {

using copse::bench::json;
using copse::bench::median;

using id = std::uint32_t;
using edges = std::vector<copse::edge<id>>;

struct incremental_contender {
  std::string name;
  std::size_t batch;  ///< operations in one; 0: no batches
  double ratio;       ///< inserts a query; 0: no queries
  std::uint64_t operations;
  std::function<std::uint64_t()> run;  ///< gives the number of components
  std::vector<double> samples = {};
};

class incremental_bench {
public:
  incremental_bench(unsigned threads, const copse::bench::edge_stream& edges_in_order) : threads_{threads}, stream_{edges_in_order} {}

  void add_solve(const std::string& variant) {
    add({variant, 0, 0, stream_.list.size(), [this, variant] {
           const copse::coo_view<id> list{stream_.vertices, stream_.list};
           return copse::components(copse::graph_view{list}, {.variant = variant}, {.threads = threads_}).count();
         }});
  }
  void add_inserts(const std::string& variant, std::size_t batch) {
    add({variant, batch, 0, stream_.list.size(), [this, variant, batch] { return inserted(variant, batch).count(); }});
  }
  /// All in one batch, and labels, which are counted as those of a static solve are.
  void add_inserts_and_labels(const std::string& variant) {
    add({variant + "_and_labels", stream_.list.size(), 0, stream_.list.size(), [this, variant] {
           return copse::components_result{inserted(variant, stream_.list.size()).labels(), {}}.count();
         }});
  }
  /// 1 / `ratio` random pairs are asked for each insert, all shuffled; the mix is made once and shared.
  void add_mixed(const std::string& variant, std::size_t batch, double ratio, copse::mixing mode) {
    if (copse::incremental_refusal(live_name(variant), mode)) return;
    const mix& m = mix_of(ratio);
    add({variant + (mode == copse::mixing::phased ? " phased" : " concurrent"), batch, ratio, m.pairs.size(),
         [this, variant, batch, mode, &m] {
           copse::incremental live(stream_.vertices, {.variant = variant}, {.threads = threads_});
           for (std::size_t at = 0; at < m.pairs.size(); at += batch) {
             const std::size_t size = std::min(batch, m.pairs.size() - at);
             static_cast<void>(live.apply(std::span{m.pairs}.subspan(at, size), std::span{m.kinds}.subspan(at, size), mode));
           }
           return m.whole ? live.count() : answer_;
         }});
  }

  void run(unsigned trials) {
    for (unsigned trial = 0; trial <= trials; ++trial) {
      for (auto& c : contenders_) {
        std::uint64_t components = 0;
        const double took = copse::bench::seconds_of(threads_, [&] { components = c.run(); });
        if (answer_ == 0) answer_ = components;
        if (components != answer_) throw copse::error{fmt::format("{} finds {} components, not {}", c.name, components, answer_)};
        if (trial > 0) c.samples.push_back(took);  // the first round warms caches and pages
      }
    }
  }

  [[nodiscard]] json report() const {
    json results = json::array();
    for (const auto& c : contenders_) {
      const double seconds = median(c.samples), rate = static_cast<double>(c.operations) / seconds;
      results.push_back({{"name", c.name},
                         {"batch", c.batch},
                         {"inserts_per_query", c.ratio},
                         {"operations", c.operations},
                         {"median_seconds", seconds},
                         {"operations_per_second", rate},
                         {"seconds_all", c.samples}});
      fmt::print(stderr, "{:10.3f} ms {:9.1f} M/s  batch {:>9}  ratio {:<5} {}\n", seconds * 1e3, rate * 1e-6, c.batch, c.ratio, c.name);
    }
    return results;
  }
  [[nodiscard]] std::uint64_t answer() const noexcept { return answer_; }

private:
  struct mix {
    edges pairs;
    std::vector<copse::operation> kinds;
    bool whole = true;  ///< all edges of the stream are in it
  };

  [[nodiscard]] std::string live_name(const std::string& variant) const {
    return variant == "auto" ? copse::incremental(0, {}, {.threads = threads_}).variant().name : variant;
  }
  void add(incremental_contender c) { contenders_.push_back(std::move(c)); }
  [[nodiscard]] copse::incremental inserted(const std::string& variant, std::size_t batch) const {
    copse::incremental live(stream_.vertices, {.variant = variant}, {.threads = threads_});
    for (std::size_t at = 0; at < stream_.list.size(); at += batch) {
      live.insert(std::span{stream_.list}.subspan(at, std::min(batch, stream_.list.size() - at)));
    }
    return live;
  }

  /// Of as many edges as keep the whole at 64 million operations.
  const mix& mix_of(double ratio) {
    for (const auto& [known, m] : mixes_) {
      if (known == ratio) return *m;
    }
    auto shuffled = std::make_unique<mix>();
    const auto queries_each = static_cast<std::size_t>(1 / ratio + .5);
    const std::size_t inserts = std::min(stream_.list.size(), (std::size_t{1} << 26) / (1 + queries_each));
    const std::size_t total = inserts * (1 + queries_each);
    shuffled->whole = inserts == stream_.list.size();
    shuffled->pairs.resize(total);
    shuffled->kinds.resize(total);
    const copse::random_stream ends{7, 3};
    const copse::permutation place{total, copse::random_stream{7, 4}};
    for (std::size_t i = 0; i < total; ++i) {
      const bool insert = i < inserts;
      const std::size_t at = place(i);
      shuffled->kinds[at] = insert ? copse::operation::insert : copse::operation::query;
      shuffled->pairs[at] = insert ? stream_.list[i]
                                   : copse::edge<id>{static_cast<id>(ends.below(2 * i, stream_.vertices)),
                                                     static_cast<id>(ends.below(2 * i + 1, stream_.vertices))};
    }
    mixes_.emplace_back(ratio, std::move(shuffled));
    return *mixes_.back().second;
  }

  unsigned threads_;
  const copse::bench::edge_stream& stream_;
  std::vector<incremental_contender> contenders_;
  std::vector<std::pair<double, std::unique_ptr<mix>>> mixes_;
  std::uint64_t answer_ = 0;
};

/// The variants of Figures 8 and 10: one of each family.
std::vector<std::string> families(unsigned threads) {
  const std::string backend = threads == 1 ? "serial.none." : "threads.none.";
  std::vector<std::string> names;
  for (const char* rule :
       {"async.halve", "hooks.halve", "early.naive", "jtb.two_try_split", "rem_cas.naive.halve_one", "rem_cas.naive.split_one",
        "rem_cas.halve.splice_atomic", "rem_lock.naive.halve_one", "shiloach_vishkin", "liu_tarjan.PRF", "liu_tarjan.CRFA"}) {
    names.push_back(backend + rule);
  }
  return names;
}

void run(const copse::bench::benchmark_arguments& asked) {
  const std::string& spec = asked.graphs().front();
  const unsigned threads = asked.number("threads");
  const bool quick = asked["quick"] == "yes";
  const auto edges_in_order = copse::bench::shuffled_edges_of(spec);
  const std::size_t all = edges_in_order.list.size();
  incremental_bench b{threads, edges_in_order};
  b.add_solve("serial.none.rem");
  if (threads > 1) b.add_solve("threads.none.rem_cas.naive.halve_one");
  for (std::size_t batch = 1000; batch < all; batch *= 10) b.add_inserts("auto", batch);
  b.add_inserts("auto", all);
  b.add_solve("auto");
  b.add_inserts_and_labels("auto");
  auto variants = asked.words("variants");
  if (variants.empty() && !quick) variants = families(threads);
  for (const auto& variant : variants) {
    for (std::size_t batch = quick ? 1000000 : 10000; batch < all; batch *= 100) b.add_inserts(variant, batch);
    b.add_inserts(variant, all);
  }
  if (!quick) {
    for (const double ratio : {1., .1, .01}) {
      for (const auto mode : {copse::mixing::phased, copse::mixing::concurrent}) b.add_mixed("auto", 1000000, ratio, mode);
    }
  }
  b.run(asked.number("trials"));
  json result = copse::bench::result_of("incremental", threads);
  result["graph"] = spec;
  result["vertices"] = edges_in_order.vertices;
  result["edges"] = all;
  result["components"] = b.answer();
  result["rows"] = b.report();
  asked.write(result);
}

}  // namespace

int main(int argc, char** argv) {
  return copse::bench::run_benchmark(argc, argv, "copse_bench_incremental", "GRAPH",
                                     {{"threads", "1"}, {"trials", "5"}, {"variants", ""}, {"quick", "no"}, {"json", ""}}, run);
}
