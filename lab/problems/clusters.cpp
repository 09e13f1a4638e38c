// Clusters that keep a constraint, compared with the thresholds of the same pairs, and clusters compared with the truth.
#include <algorithm>
#include <copse/cluster.hpp>
#include <copse/compare.hpp>
#include <copse/copse.hpp>
#include <copse/hierarchy.hpp>
#include <cstdio>

#include "inputs.hpp"
#include "kit.hpp"

namespace copse::lab {
namespace {

using id = std::uint32_t;
constexpr id sources = 16;  ///< a group of records that are alike has one of each

/// Records have shuffled ids, and each of them a source. Pairs are random ones of a group of records.
struct scored_pairs {
  coo<id> list;
  buffer<double> scores;
  buffer<std::uint64_t> source_of;
};

/// In `small:` all pairs are within groups of 16 records, and one group in 100 has two records of one source. In `giant:` half of the pairs
/// are of the first half of the records, without groups.
scored_pairs pairs_of(const std::string& spec) {
  unsigned records = 0;
  unsigned long long count = 0;
  char shape[6] = "";
  if (std::sscanf(spec.c_str(), "%5[a-z]:n=%u,m=%llu", shape, &records, &count) != 3 || records < 4 * sources ||
      (std::string_view{shape} != "small" && std::string_view{shape} != "giant")) {
    throw std::invalid_argument{fmt::format("found {}, expected small:n=RECORDS,m=PAIRS or giant:n=RECORDS,m=PAIRS", spec)};
  }
  const bool has_giant = shape[0] == 'g';
  const id groups = records / sources, in_giant = has_giant ? groups / 2 * sources : 0;
  const permutation id_of{records, random_stream{11, 1}};
  const random_stream words{11, 2};
  scored_pairs made{{records, buffer<edge<id>>{count}}, buffer<double>{count}, buffer<std::uint64_t>{records}};
  parallel_blocks(usable_threads(0), count, std::size_t{1} << 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      std::uint64_t u = 0, v = 0;
      if (has_giant && i % 2 == 0) {
        u = words.below(4 * i, in_giant), v = words.below(4 * i + 1, in_giant);
      } else {
        const std::uint64_t first = in_giant + sources * words.below(4 * i, groups - in_giant / sources),
                            one = words.below(4 * i + 1, sources);
        u = first + one, v = first + (one + 1 + words.below(4 * i + 2, sources - 1)) % sources;
      }
      made.list.edges[i] = {static_cast<id>(id_of(u)), static_cast<id>(id_of(v))};
      made.scores[i] = static_cast<double>(words.word(4 * i + 3) >> 40) / 16777216;
    }
  });
  parallel_blocks(usable_threads(0), records, std::size_t{1} << 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const bool repeats = !has_giant && v % sources == 1 && mix(v) % 100 == 0;
      made.source_of[id_of(v)] = v % sources - (repeats ? 1 : 0);
    }
  });
  return made;
}

/// How many clusters there are. Throws if one has two records of a source.
std::uint64_t checked_count(const labelling& clusters, const buffer<std::uint64_t>& source_of) {
  std::vector<std::uint16_t> found(source_of.size());
  for (std::uint64_t v = 0; v < source_of.size(); ++v) {
    auto& sources_of_cluster = found[clusters.label(v)];
    const auto bit = static_cast<std::uint16_t>(1u << source_of[v]);
    if ((sources_of_cluster & bit) != 0) throw error{fmt::format("found two records of source {} in a cluster", source_of[v])};
    sources_of_cluster = static_cast<std::uint16_t>(sources_of_cluster | bit);
  }
  return found.size() - static_cast<std::size_t>(std::ranges::count(found, std::uint16_t{0}));
}

void run_clusters(const arguments& asked, recorder& out) {
  const unsigned threads = asked.threads();
  const execution on{.threads = threads};
  for (const std::string& spec : asked.operands()) {
    const scored_pairs pairs = pairs_of(spec);
    const weights_view scores{pairs.scores.span()};
    agreement components{spec}, clusters{spec};
    const std::vector<contestant> ways{
        {"thresholds",
         {},
         [&]() -> std::vector<reading> {
           const double start = now(threads);
           const auto forest = weighted_forest(pairs.list.view(), scores, {.goal = forest_goal::maximum}, on);
           const auto curve = threshold_curve(forest.edges, forest.weights.view(), threshold_levels(forest.weights.view(), on), on);
           const double seconds = now(threads) - start;
           components.expect(curve.back().components, "thresholds");
           return {milliseconds("solve", seconds)};
         }},
        {"one_per", {}, [&]() -> std::vector<reading> {
           cluster_options options;
           options.one_per.push_back({pairs.source_of.span(), 1});
           const double start = now(threads);
           const cluster_result found = cluster(pairs.list.view(), scores, options, on);
           std::vector<reading> readings{milliseconds("solve", now(threads) - start)};
           clusters.expect(checked_count(found.answers.front().labels, pairs.source_of), "one_per");
           readings.push_back({"careful_pairs", "count", static_cast<double>(found.careful_pairs)});
           readings.push_back({"refused", "count", static_cast<double>(found.answers.front().refused.size())});
           add_phases(found.report.phases, readings);
           return readings;
         }}};
    out.write(spec, threads, in_turns(ways, asked.trials()));
  }
}

/// Groups of up to 19 records in the truth, of which one in ten is split in two clusters, and one in ten is merged with the next.
void run_compare(const arguments& asked, recorder& out) {
  const unsigned threads = asked.threads();
  for (const std::string& spec : asked.operands()) {
    unsigned long long records = 0;
    if (std::sscanf(spec.c_str(), "labels:n=%llu", &records) != 1) {
      throw std::invalid_argument{fmt::format("found {}, expected labels:n=RECORDS", spec)};
    }
    buffer<std::uint64_t> clusters{records}, truth{records};
    const permutation place_of{records, random_stream{12, 1}};
    const random_stream turns{12, 2};
    parallel_blocks(usable_threads(0), records, std::size_t{1} << 16, [&](std::size_t begin, std::size_t end) {
      for (std::size_t v = begin; v < end; ++v) {
        const std::uint64_t group = v / 10, turn = turns.below(group, 10);
        const std::uint64_t at = place_of(v);
        truth[at] = group;
        clusters[at] = turn == 0 ? 2 * group + v % 2 : turn == 1 ? 2 * (group + 1) : 2 * group;
      }
    });
    agreement pairs{spec};
    const std::vector<contestant> ways{{"compare", {}, [&]() -> std::vector<reading> {
                                          const double start = now(threads);
                                          const auto found = compare(clusters.span(), truth.span(), {}, {.threads = threads});
                                          const double seconds = now(threads) - start;
                                          if (found.records != records) throw error{"found records that were left out"};
                                          pairs.expect(found.common_pairs, "compare");
                                          return {milliseconds("solve", seconds)};
                                        }}};
    out.write(spec, threads, in_turns(ways, asked.trials()));
  }
}

}  // namespace

extern const problem clusters{"clusters",
                              "Clusters with at most one record per source, and the thresholds of the same pairs.",
                              "small:n=RECORDS,m=PAIRS or giant:n=RECORDS,m=PAIRS...",
                              {},
                              run_clusters};
extern const problem compare_clusters{"compare", "Clusters compared with the truth.", "labels:n=RECORDS...", {}, run_compare};

}  // namespace copse::lab
