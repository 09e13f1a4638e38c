// The same edges, with weights or without, with ids of several kinds, and their answers in parts.
#pragma once
#include <gtest/gtest.h>
#include <copse/components_sink.hpp>
#include <copse/partial.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace copse::test {

using id_pairs = std::vector<edge<std::uint64_t>>;

/// What a vertex of 0 .. n - 1 is called.
enum class naming { dense, gaps, sparse, wide, negative, strings };
constexpr naming all_namings[] = {naming::dense, naming::gaps, naming::sparse, naming::wide, naming::negative, naming::strings};

inline std::uint64_t integer_name(std::uint64_t v, naming kind) {
  switch (kind) {
    case naming::gaps:
      return v + v / 3;  // every fourth slot is absent
    case naming::sparse:
      return 1000 * v + 17;
    case naming::wide:
      return (std::uint64_t{1} << 40) + 999999937 * v;
    case naming::negative:
      return v - 10;  // two's complement: some parts of a graph have negative ids, others have none
    default:
      return v;
  }
}

inline partial<labelling> forest_of(std::span<const edge<std::uint64_t>> edges, naming kind, unsigned threads = 1) {
  components_sink sink{{}, {.threads = threads}};
  if (kind != naming::strings) {
    id_pairs named;
    for (const auto [u, v] : edges) named.push_back({integer_name(u, kind), integer_name(v, kind)});
    sink.add({std::span<const edge<std::uint64_t>>{named}, kind == naming::negative});
  } else {
    std::vector<std::string> texts;
    for (const auto [u, v] : edges) {
      texts.push_back("v" + std::to_string(u));
      texts.push_back("v" + std::to_string(v));
    }
    std::vector<io::named_edge> named;
    for (std::size_t i = 0; i < texts.size(); i += 2) named.push_back({texts[i], texts[i + 1]});
    sink.add(std::span<const io::named_edge>{named});
  }
  return partial<labelling>{sink.finish().labels};
}

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
    sink.add({sources, targets}, weights);
  } else {
    std::vector<std::uint64_t> sources, targets;
    for (const auto& [u, v, weight] : pairs) {
      sources.push_back(integer_name(u, kind));
      targets.push_back(integer_name(v, kind));
    }
    if (kind == naming::negative) {
      sink.add({std::vector<std::int64_t>(sources.begin(), sources.end()), std::vector<std::int64_t>(targets.begin(), targets.end())},
               weights);
    } else {
      sink.add({sources, targets}, weights);
    }
  }
  return partial<weighted_forest_result>{sink.forest()};
}

/// The answer for edges whose weights count only where the answer has any.
template <class Answer>
partial<Answer> part_of(const scored_pairs& pairs, naming kind, forest_goal goal = forest_goal::maximum) {
  if constexpr (std::same_as<Answer, weighted_forest_result>) {
    return forest_of(pairs, kind, goal);
  } else {
    id_pairs edges;
    for (const auto& [u, v, weight] : pairs) edges.push_back({u, v});
    return forest_of(edges, kind);
  }
}

/// Part i of k takes every k-th edge, so that all parts see all components.
template <class Answer>
std::vector<partial<Answer>> answers_of_parts(const scored_pairs& pairs, unsigned parts, naming kind,
                                              forest_goal goal = forest_goal::maximum) {
  std::vector<partial<Answer>> answers;
  for (unsigned part = 0; part < parts; ++part) {
    scored_pairs own;
    for (std::size_t i = part; i < pairs.size(); i += parts) own.push_back(pairs[i]);
    answers.push_back(part_of<Answer>(own, kind, goal));
  }
  return answers;
}

using answers = ::testing::Types<labelling, weighted_forest_result>;

template <class Answer>
partial<Answer> merged(const std::vector<partial<Answer>>& parts, const std::vector<std::size_t>& order, unsigned threads = 1) {
  merger<Answer> all{{.threads = threads}};
  for (const std::size_t part : order) all.add(parts[part]);
  return all.finish();
}

template <class Answer>
std::vector<std::byte> bytes_of(const partial<Answer>& answer) {
  const auto all = answer.bytes();
  return {all.begin(), all.end()};
}

/// Proves an answer against the first `count` parts.
template <class Answer>
verdict proof_of(const partial<Answer>& answer, const std::vector<partial<Answer>>& parts, std::size_t count) {
  std::size_t next = 0;
  return verify_merge(answer, [&]() -> std::optional<partial<Answer>> {
    if (next == count) return std::nullopt;
    return partial<Answer>::from_bytes(bytes_of(parts[next++]));
  });
}

/// Small components, one large one, loops.
inline id_pairs random_edges(std::uint64_t vertices, std::size_t count, unsigned seed) {
  std::mt19937_64 random{seed};
  id_pairs edges;
  for (std::size_t i = 0; i < count; ++i) edges.push_back({random() % vertices, random() % vertices});
  edges.push_back({vertices + 5, vertices + 5});
  return edges;
}

}  // namespace copse::test
