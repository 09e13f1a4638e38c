// Random edges with weights, and their forests.
#pragma once
#include <copse/partial.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "partial/pieces.hpp"

namespace copse::test {

using bytes = std::vector<std::byte>;

struct scored_pair {
  std::uint64_t u, v;
  double weight;
};
using scored_pairs = std::vector<scored_pair>;

/// Few weights, so that ends decide; both zeros, negative ones, and the same pair again with other weights.
inline scored_pairs random_pairs(std::uint64_t vertices, std::size_t count, unsigned seed) {
  std::mt19937_64 random{seed};
  constexpr std::array weights{-2.5, -0.0, 0.0, 0.25, 0.5, 0.75, 1.0};
  scored_pairs pairs;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t u = random() % vertices;
    pairs.push_back({u, random() % vertices, weights[random() % weights.size()]});
    if (i % 5 == 0) pairs.push_back({pairs.back().v, u, weights[random() % weights.size()]});
  }
  pairs.push_back({vertices + 5, vertices + 5, 1});  // a vertex that is alone
  return pairs;
}

inline partial<weighted_forest_result> forest_of(const scored_pairs& pairs, naming kind, forest_goal goal = forest_goal::maximum) {
  weighted_edge_sink sink{{.goal = goal}, {.threads = 1}};
  std::vector<double> weights;
  for (const auto& [u, v, weight] : pairs) weights.push_back(weight);
  if (kind == naming::strings) {
    std::vector<std::string> left, right;
    for (const auto& [u, v, weight] : pairs) {
      left.push_back("v" + std::to_string(u));
      right.push_back("v" + std::to_string(v));
    }
    const std::vector<std::string_view> sources(left.begin(), left.end()), targets(right.begin(), right.end());
    sink.add(sources, targets, weights);
  } else {
    std::vector<std::uint64_t> sources, targets;
    for (const auto& [u, v, weight] : pairs) {
      sources.push_back(integer_name(u, kind));
      targets.push_back(integer_name(v, kind));
    }
    sink.add(sources, targets, weights);
  }
  return partial<weighted_forest_result>{sink.forest()};
}

inline std::vector<partial<weighted_forest_result>> forests_of_parts(const scored_pairs& pairs, unsigned parts, naming kind,
                                                                     forest_goal goal = forest_goal::maximum) {
  std::vector<partial<weighted_forest_result>> forests;
  for (unsigned part = 0; part < parts; ++part) {
    scored_pairs own;
    for (std::size_t i = part; i < pairs.size(); i += parts) own.push_back(pairs[i]);
    forests.push_back(forest_of(own, kind, goal));
  }
  return forests;
}

}  // namespace copse::test
