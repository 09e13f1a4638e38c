// Clusters by their definition: every rule and constraint as it is stated, with sorted pairs and sets; and random small cases.
#pragma once
#include <copse/cluster.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace copse::test {

struct scored_edge {
  std::uint64_t u, v;
  double score;
};

struct cluster_case {
  std::uint64_t vertices = 0;
  std::vector<scored_edge> pairs;
  cluster_rules rules;
  std::vector<std::vector<std::uint64_t>> values;  // for each limit of each vertex
  std::vector<std::uint64_t> most;                 // for each limit
  std::vector<edge<std::uint64_t>> apart;

  [[nodiscard]] cluster_options options() const {
    cluster_options all{rules, {}, apart};
    for (std::size_t i = 0; i < most.size(); ++i) all.one_per.push_back({values[i], most[i]});
    return all;
  }
};

struct reference_clusters {
  std::vector<std::uint64_t> labels;
  std::vector<refused_pair> refused;
  std::uint64_t cut_bridges = 0;
};

namespace by_definition {

using ends = std::pair<std::uint64_t, std::uint64_t>;
using scores = std::map<ends, double>;

inline scores without_bad_links(const scores& pairs, link_rule links) {
  if (links == link_rule::all) return pairs;
  std::map<std::uint64_t, std::tuple<double, std::uint64_t>> best;  // for each record: the negative score, the other record
  for (const auto& [e, score] : pairs) {
    for (const auto& [v, other] : {std::pair{e.first, e.second}, std::pair{e.second, e.first}}) {
      const std::tuple<double, std::uint64_t> offer{-score, other};
      if (const auto [at, fresh] = best.try_emplace(v, offer); !fresh) at->second = std::min(at->second, offer);
    }
  }
  scores kept;
  for (const auto& [e, score] : pairs) {
    const bool of_first = std::get<1>(best[e.first]) == e.second, of_second = std::get<1>(best[e.second]) == e.first;
    if (links == link_rule::mutual ? of_first && of_second : of_first || of_second) kept[e] = score;
  }
  return kept;
}

inline std::set<std::uint64_t> reached(const scores& pairs, std::uint64_t from, const ends& without) {
  std::set<std::uint64_t> all{from};
  for (bool grows = true; grows;) {
    grows = false;
    for (const auto& [e, score] : pairs) {
      if (e == without || all.contains(e.first) == all.contains(e.second)) continue;
      all.insert(e.first);
      all.insert(e.second);
      grows = true;
    }
  }
  return all;
}

inline scores without_weak_bridges(const scores& pairs, double weakest) {
  scores kept = pairs;
  for (const auto& [e, score] : pairs) {
    if (score >= weakest) continue;
    const auto side = reached(pairs, e.first, e);
    if (!side.contains(e.second) && side.size() >= 2 && reached(pairs, e.second, e).size() >= 2) kept.erase(e);
  }
  return kept;
}

/// The first constraint that a cluster breaks.
inline std::optional<std::pair<cluster_constraint, std::uint32_t>> broken(const cluster_case& of, const std::set<std::uint64_t>& cluster) {
  if (cluster.size() > of.rules.max_records) return std::pair{cluster_constraint::max_records, 0u};
  for (const auto& [u, v] : of.apart) {
    if (cluster.contains(u) && cluster.contains(v)) return std::pair{cluster_constraint::cannot_link, 0u};
  }
  for (std::uint32_t i = 0; i < of.most.size(); ++i) {
    std::map<std::uint64_t, std::uint64_t> counts;
    for (const std::uint64_t v : cluster) {
      if (of.values[i][v] != value_limit::no_value && ++counts[of.values[i][v]] > of.most[i])
        return std::pair{cluster_constraint::one_per, i};
    }
  }
  return std::nullopt;
}

}  // namespace by_definition

inline reference_clusters clusters_by_definition(const cluster_case& of, double threshold) {
  using namespace by_definition;
  scores pairs;
  for (const auto& [u, v, score] : of.pairs) {
    if (u == v || !(score >= threshold)) continue;
    const ends e{std::min(u, v), std::max(u, v)};
    if (const auto [at, fresh] = pairs.try_emplace(e, score); !fresh) at->second = std::max(at->second, score);
  }
  pairs = without_bad_links(pairs, of.rules.links);
  reference_clusters found;
  if (of.rules.cut_bridges) {
    const std::size_t before = pairs.size();
    pairs = without_weak_bridges(pairs, *of.rules.cut_bridges);
    found.cut_bridges = before - pairs.size();
  }
  std::vector<std::tuple<double, std::uint64_t, std::uint64_t>> order;
  for (const auto& [e, score] : pairs) order.emplace_back(-score, e.first, e.second);
  std::ranges::sort(order);
  std::vector<std::set<std::uint64_t>> clusters(of.vertices);
  for (std::uint64_t v = 0; v < of.vertices; ++v) {
    clusters[v] = {v};
    found.labels.push_back(v);
  }
  for (const auto& [negative, u, v] : order) {
    const std::uint64_t a = std::min(found.labels[u], found.labels[v]), b = std::max(found.labels[u], found.labels[v]);
    if (a == b) continue;
    std::set<std::uint64_t> both = clusters[a];
    both.insert(clusters[b].begin(), clusters[b].end());
    if (const auto why = broken(of, both)) {
      found.refused.push_back({u, v, -negative, why->first, why->second});
      continue;
    }
    for (const std::uint64_t w : clusters[b]) found.labels[w] = a;
    clusters[a] = both;
  }
  return found;
}

/// Every combination of rules and constraints, over few vertices, with many ties, repeated pairs and loops. `number` chooses the
/// combination.
inline cluster_case random_case(std::uint64_t number, std::mt19937_64& random) {
  const auto below = [&](std::uint64_t bound) { return random() % bound; };
  cluster_case made;
  made.vertices = 1 + below(number % 5 == 0 ? 30 : 12);
  const std::uint64_t kinds = 1 + below(9);
  const auto score = [&]() -> double {
    switch (below(40)) {
      case 0:
        return std::numeric_limits<double>::infinity();
      case 1:
        return -std::numeric_limits<double>::infinity();
      case 2:
        return -0.0;
      default:
        return (static_cast<double>(below(kinds)) - 2) / 4;
    }
  };
  const std::uint64_t pairs = below(3 * made.vertices + 2);
  for (std::uint64_t i = 0; i < pairs; ++i) made.pairs.push_back({below(made.vertices), below(made.vertices), score()});
  const std::uint64_t thresholds = below(4);
  for (std::uint64_t i = 0; i < thresholds; ++i) made.rules.thresholds.push_back(score());
  made.rules.links = static_cast<link_rule>(number % 3);
  number /= 3;
  if (number % 2 != 0) made.rules.cut_bridges = score();
  number /= 2;
  if (number % 2 != 0) made.rules.max_records = 1 + below(5);
  number /= 2;
  if (number % 2 != 0) {
    const std::uint64_t count = 1 + below(6);
    for (std::uint64_t i = 0; i < count && made.vertices > 1; ++i) {
      const std::uint64_t u = below(made.vertices), v = below(made.vertices);
      if (u != v) made.apart.push_back({u, v});
    }
  }
  number /= 2;
  for (std::uint64_t limit = 0; limit < number % 3; ++limit) {
    made.most.push_back(1 + below(2));
    std::vector<std::uint64_t>& values = made.values.emplace_back();
    const std::uint64_t different = 1 + below(5);
    for (std::uint64_t v = 0; v < made.vertices; ++v) values.push_back(below(6) == 0 ? value_limit::no_value : below(different));
  }
  return made;
}

/// For what a test says of a case.
inline std::string text_of(const cluster_case& of) {
  std::string text = "vertices " + std::to_string(of.vertices) + ", links " + std::to_string(static_cast<int>(of.rules.links));
  if (of.rules.cut_bridges) text += ", cut " + std::to_string(*of.rules.cut_bridges);
  text += ", max " + std::to_string(of.rules.max_records) + "\n";
  for (const auto& [u, v, score] : of.pairs) text += std::to_string(u) + " " + std::to_string(v) + " " + std::to_string(score) + "\n";
  for (const auto& [u, v] : of.apart) text += "apart " + std::to_string(u) + " " + std::to_string(v) + "\n";
  for (std::size_t i = 0; i < of.most.size(); ++i) {
    text += "at most " + std::to_string(of.most[i]) + ":";
    for (const std::uint64_t value : of.values[i]) text += value == value_limit::no_value ? " -" : " " + std::to_string(value);
    text += "\n";
  }
  return text;
}

inline std::vector<std::uint64_t> labels_of(const labelling& labels) {
  std::vector<std::uint64_t> all;
  for (std::uint64_t v = 0; v < labels.slots(); ++v) all.push_back(labels.label(v));
  return all;
}

}  // namespace copse::test
