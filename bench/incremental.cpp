// copse_bench_incremental SPEC [--threads N] [--trials N] [--variants A,B] [--json OUT] [--quick]
// How fast edges are inserted, against the size of the batches (1000 .. all) and against the ratio of inserts to queries (1, .1, .01), as
// in Figures 8 and 10 of the GConn paper; beside sequential Rem and the static solve over the same list. Each edge of the generated graph
// once, in either direction and shuffled at random. Trials are interleaved (every contender once, then again), every sample is kept; one
// thread is charged its processor time, more threads the wall clock. Seconds go from an empty structure to the number of components.
#include <fmt/format.h>
#include <copse/copse.hpp>
#include <core/permutation.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "../cli/machine.hpp"
#include "samples.hpp"
#include "shuffled_edges.hpp"

namespace {

using copse::bench::median;
using copse::bench::now;

using id = std::uint32_t;
using edges = std::vector<copse::edge<id>>;
using json = nlohmann::ordered_json;

struct settings {
  std::string spec;
  unsigned threads = 1;
  int trials = 5;
  bool quick = false;
  std::string output;
  std::vector<std::string> variants;
};

struct contender {
  std::string name;
  std::size_t batch;  ///< operations in one; 0: no batches
  double ratio;       ///< inserts a query; 0: no queries
  std::uint64_t operations;
  std::function<std::uint64_t()> run;  ///< gives the number of components
  std::vector<double> samples = {};
};

class bench {
public:
  bench(const settings& asked, const copse::bench::edge_stream& edges_in_order) : asked_{asked}, stream_{edges_in_order} {}

  void add_solve(const std::string& variant) {
    add({variant, 0, 0, stream_.list.size(), [this, variant] {
           const copse::coo_view<id> list{stream_.vertices, stream_.list};
           return copse::components(copse::graph_view{list}, {.variant = variant, .threads = asked_.threads}).count();
         }});
  }
  void add_inserts(const std::string& variant, std::size_t batch) {
    add({variant, batch, 0, stream_.list.size(), [this, variant, batch] {
           copse::incremental live(stream_.vertices, {.variant = variant, .threads = asked_.threads});
           for (std::size_t at = 0; at < stream_.list.size(); at += batch) {
             live.insert(std::span{stream_.list}.subspan(at, std::min(batch, stream_.list.size() - at)));
           }
           return live.count();
         }});
  }
  /// 1 / `ratio` random pairs are asked for each insert, all shuffled; the mix is made once and shared.
  void add_mixed(const std::string& variant, std::size_t batch, double ratio, copse::mixing mode) {
    if (copse::incremental_refusal(live_name(variant), mode)) return;
    const mix& m = mix_of(ratio);
    add({variant + (mode == copse::mixing::phased ? " phased" : " concurrent"), batch, ratio, m.pairs.size(),
         [this, variant, batch, mode, &m] {
           copse::incremental live(stream_.vertices, {.variant = variant, .threads = asked_.threads});
           for (std::size_t at = 0; at < m.pairs.size(); at += batch) {
             const std::size_t size = std::min(batch, m.pairs.size() - at);
             static_cast<void>(live.apply(std::span{m.pairs}.subspan(at, size), std::span{m.kinds}.subspan(at, size), mode));
           }
           return m.whole ? live.count() : answer_;
         }});
  }

  void run() {
    for (int trial = 0; trial <= asked_.trials; ++trial) {
      for (auto& c : contenders_) {
        const double start = now(asked_.threads);
        const std::uint64_t components = c.run();
        const double took = now(asked_.threads) - start;
        if (answer_ == 0) answer_ = components;
        if (components != answer_) {
          fmt::print(stderr, "copse_bench_incremental: {} finds {} components, not {}\n", c.name, components, answer_);
          std::exit(1);
        }
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
    return variant == "auto" ? copse::incremental(0, {.threads = asked_.threads}).variant().name : variant;
  }
  void add(contender c) { contenders_.push_back(std::move(c)); }

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

  const settings& asked_;
  const copse::bench::edge_stream& stream_;
  std::vector<contender> contenders_;
  std::vector<std::pair<double, std::unique_ptr<mix>>> mixes_;
  std::uint64_t answer_ = 0;
};

settings read(int count, char** arguments) {
  settings asked;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = arguments[i];
    const bool has_value = i + 1 < count;
    if (word == "--threads" && has_value) {
      asked.threads = static_cast<unsigned>(std::atoi(arguments[++i]));
    } else if (word == "--trials" && has_value) {
      asked.trials = std::max(1, std::atoi(arguments[++i]));
    } else if (word == "--json" && has_value) {
      asked.output = arguments[++i];
    } else if (word == "--variants" && has_value) {
      std::string_view names = arguments[++i];
      while (!names.empty()) {
        const auto end = std::min(names.find(','), names.size());
        asked.variants.emplace_back(names.substr(0, end));
        names.remove_prefix(std::min(end + 1, names.size()));
      }
    } else if (word == "--quick") {
      asked.quick = true;
    } else if (asked.spec.empty() && !word.starts_with("-")) {
      asked.spec = word;
    } else {
      asked.spec.clear();
      break;
    }
  }
  return asked;
}

/// The variants of Figures 8 and 10: one of each family.
std::vector<std::string> families(unsigned threads) {
  const std::string backend = threads == 1 ? "serial.none." : "omp.none.";
  std::vector<std::string> names;
  for (const char* rule :
       {"async.halve", "hooks.halve", "early.naive", "jtb.two_try_split", "rem_cas.naive.halve_one", "rem_cas.naive.split_one",
        "rem_cas.halve.splice_atomic", "rem_lock.naive.halve_one", "shiloach_vishkin", "liu_tarjan.PRF", "liu_tarjan.CRFA"}) {
    names.push_back(backend + rule);
  }
  return names;
}

int run(const settings& asked) {
  const auto edges_in_order = copse::bench::shuffled_edges_of(asked.spec);
  const std::size_t all = edges_in_order.list.size();
  bench b{asked, edges_in_order};
  b.add_solve("serial.none.rem");
  if (asked.threads > 1) b.add_solve("omp.none.rem_cas.naive.halve_one");
  for (std::size_t batch = 1000; batch < all; batch *= 10) b.add_inserts("auto", batch);
  b.add_inserts("auto", all);
  for (const auto& variant : asked.variants.empty() && !asked.quick ? families(asked.threads) : asked.variants) {
    for (std::size_t batch = asked.quick ? 1000000 : 10000; batch < all; batch *= 100) b.add_inserts(variant, batch);
    b.add_inserts(variant, all);
  }
  if (!asked.quick) {
    for (const double ratio : {1., .1, .01}) {
      for (const auto mode : {copse::mixing::phased, copse::mixing::concurrent}) b.add_mixed("auto", 1000000, ratio, mode);
    }
  }
  b.run();
  const json result{{"benchmark", "incremental"},
                    {"machine", copse::cli::machine_facts()},
                    {"graph", asked.spec},
                    {"vertices", edges_in_order.vertices},
                    {"edges", all},
                    {"threads", asked.threads},
                    {"clock", asked.threads == 1 ? "thread" : "wall"},
                    {"components", b.answer()},
                    {"rows", b.report()}};
  if (asked.output.empty()) {
    fmt::print("{}\n", result.dump(1));
  } else {
    copse::bench::write_result(asked.output, result.dump(1));
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (!copse::cli::unfit_to_measure.empty()) {
    fmt::print(stderr, "copse_bench_incremental: refuses to measure {}\n", copse::cli::unfit_to_measure);
    return 2;
  }
  const settings asked = read(count, arguments);
  if (asked.spec.empty()) {
    fmt::print(stderr, "usage: copse_bench_incremental SPEC [--threads N] [--trials N] [--variants A,B] [--json OUT] [--quick]\n");
    return 2;
  }
  try {
    return run(asked);
  } catch (const std::exception& failure) {
    fmt::print(stderr, "copse_bench_incremental: {}\n", failure.what());
    return 2;
  }
}
