// Clusters of pairs that a caller reads: rules are applied to forests of all pairs; the pairs of components that break a constraint are
// read again if there are any.
#pragma once
#include <clusters/constraints.hpp>
#include <clusters/level.hpp>
#include <clusters/scored_pair.hpp>
#include <clusters/unions.hpp>
#include <copse/cluster.hpp>
#include <copse/weighted_forest.hpp>
#include <core/parallel.hpp>
#include <core/phase_times.hpp>
#include <core/team.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace copse::clusters {

/// Throws usage_error if a rule has a number that is NaN.
void check_rules(const cluster_rules& rules);
/// Returns the lowest threshold; minus infinity if there is none.
double lowest_threshold(const cluster_rules& rules);

/// Returns the edges of a forest with their scores.
template <unsigned_index Id>
pair_buffer<Id> pairs_of_forest(const weighted_forest_result& forest, const execution& on) {
  return std::visit(
      [&](const auto& shape) {
        if constexpr (requires { shape.edges; }) {
          return made<scored_pair<Id>>(
              shape.edges.size(),
              [&](std::size_t i) {
                return pair_of(static_cast<Id>(shape.edges[i].u), static_cast<Id>(shape.edges[i].v), forest.weights[i]);
              },
              usable_threads(on.threads), on.memory);
        } else {
          return pair_buffer<Id>{};
        }
      },
      forest.edges.shape());
}

/// Functions of the caller that read all pairs again. Each is called at most once.
template <unsigned_index Id>
struct pair_reader {
  /// Returns a maximum spanning forest of the pairs that are not in `first`; (u, v) and (v, u) are the same pair.
  std::function<pair_buffer<Id>(std::span<const scored_pair<Id>> first)> second_forest;
  /// Returns the pairs for which `wants` is true, in any number of lists; other pairs may be among them. Several threads may call `wants`
  /// at the same time. `broken`: the number of components that break a constraint, for the text of errors.
  std::function<std::vector<pairs_of<Id>>(const std::function<bool(const scored_pair<Id>&)>& wants, std::uint64_t broken)> pairs;
};

/// Computes the clusters by the rules and the limits and writes them to `result`; the caller sets passes, exempt, unknown_pairs and report.
/// `first`: a maximum spanning forest of all pairs, with doubles as weights.
template <unsigned_index Id>
void solve(const weighted_forest_result& first, const cluster_rules& rules, const constraints& limits, const pair_reader<Id>& read,
           cluster_result& result, phase_times& times, const execution& on) {
  const vertex_names& names = first.edges.names();
  const auto vertices = static_cast<Id>(first.edges.vertices());
  const weight_precision precision = first.weights.precision();
  const auto key_at = [precision](double threshold) { return key_of(rounded_threshold(threshold, precision)); };
  const auto thresholds = rules.thresholds.empty() ? std::vector<double>{lowest_threshold(rules)} : rules.thresholds;

  std::vector<level<Id>> levels;
  {
    const phase_timer timing{times, "rules"};
    pair_buffer<Id> all = pairs_of_forest<Id>(first, on);
    pair_buffer<Id> second;
    const bool all_links = rules.links == link_rule::all;
    const auto may_be_cut = [&](const scored_pair<Id>& p) { return p.key > key_at(*rules.cut_bridges); };
    if (rules.cut_bridges && all_links && std::ranges::any_of(all.span(), may_be_cut)) second = read.second_forest(all.span());
    // If no bridges are cut, the pairs need be taken only once, down to the lowest threshold: as they are taken by descending score, the
    // clusters at a higher threshold are those after the last pair that reaches it.
    const auto own = rules.cut_bridges ? thresholds : std::vector<double>{lowest_threshold(rules)};
    for (const double threshold : own) {
      level<Id> at{.last_key = key_at(threshold), .forest = {}, .components = {}, .broken = {}};
      at.forest = own.size() == 1 && threshold == -std::numeric_limits<double>::infinity() ? std::move(all)
                                                                                           : reaching<Id>(all.span(), at.last_key, on);
      keep_best(vertices, at.forest, rules.links, on);
      if (rules.cut_bridges) {
        const pair_buffer<Id> others = reaching<Id>(second.span(), at.last_key, on);
        at.cut_bridges = cut_weak_bridges<Id>(vertices, at.forest, others.span(), key_at(*rules.cut_bridges), on);
      }
      at.components = labels_of<Id>(vertices, at.forest.span(), on);
      at.broken = broken_components<Id>(std::as_const(at.components).span(), limits, on);
      levels.push_back(std::move(at));
    }
  }

  std::vector<pairs_of<Id>> careful;
  const bool any_broken = std::ranges::any_of(levels, &level<Id>::any_broken);
  if (any_broken && rules.links == link_rule::all) {
    const phase_timer timing{times, "pairs"};
    std::uint64_t broken = 0;
    for (const auto& at : levels) broken = std::max(broken, static_cast<std::uint64_t>(std::ranges::count(at.broken.span(), 1)));
    careful = read.pairs([&](const scored_pair<Id>& p) { return std::ranges::any_of(levels, [&](const auto& at) { return at.wants(p); }); },
                         broken);
  }

  result.answers.clear();
  result.careful_pairs = 0;
  const auto answer_of = [&](double threshold, const level<Id>& at, const unions<Id>& done) {
    const phase_timer timing{times, "labels"};
    clusters_at_threshold answer{.threshold = threshold, .labels = {}, .cut_bridges = at.cut_bridges, .refused = {}};
    const std::uint64_t last = key_at(threshold);
    const pair_buffer<Id> joined = reaching<Id>(done.forest.span(), last, on);
    answer.labels = labelling{labels_of<Id>(vertices, joined.span(), on), names};
    const auto end = std::ranges::upper_bound(done.refused, last, {}, &refused_union<Id>::key);
    answer.refused.resize(static_cast<std::size_t>(end - done.refused.begin()));
    parallel_blocks(usable_threads(on.threads), answer.refused.size(), items_per_block, [&](std::size_t begin, std::size_t stop) {
      for (std::size_t i = begin; i < stop; ++i) {
        const refused_union<Id>& why = done.refused[i];
        answer.refused[i] = {why.u, why.v, score_of(why.key), constraint_of(why.outcome), limit_of(why.outcome)};
      }
    });
    return answer;
  };
  std::size_t next = 0;
  for (level<Id>& at : levels) {
    unions<Id> done;
    {
      const phase_timer timing{times, "unions"};
      if (at.any_broken()) {
        std::vector<std::span<const scored_pair<Id>>> pairs(careful.begin(), careful.end());
        if (rules.links != link_rule::all) pairs = {std::as_const(at.forest).span()};
        done = unite_one_by_one<Id>(at, limits, pairs, on);
        result.careful_pairs += done.careful;
      } else {
        done.forest = std::move(at.forest);
      }
    }
    const std::size_t end = rules.cut_bridges ? next + 1 : thresholds.size();
    for (; next < end; ++next) result.answers.push_back(answer_of(thresholds[next], at, done));
    at = {};
  }
}

}  // namespace copse::clusters
