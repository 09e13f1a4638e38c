// The same edges with ids of several kinds, and their forests in parts.
#pragma once
#include <copse/edge_batch_sink.hpp>
#include <copse/partial.hpp>

#include <random>
#include <span>
#include <string>
#include <vector>

namespace copse::test {

using id_pairs = std::vector<edge<std::uint64_t>>;

/// What a vertex of 0 .. n - 1 is called.
enum class naming { dense, gaps, sparse, wide, strings };
constexpr naming all_namings[] = {naming::dense, naming::gaps, naming::sparse, naming::wide, naming::strings};

inline std::uint64_t integer_name(std::uint64_t v, naming kind) {
  switch (kind) {
    case naming::gaps:
      return v + v / 3;  // every fourth slot is absent
    case naming::sparse:
      return 1000 * v + 17;
    case naming::wide:
      return (std::uint64_t{1} << 40) + 999999937 * v;
    default:
      return v;
  }
}

inline partial<labelling> forest_of(std::span<const edge<std::uint64_t>> edges, naming kind, unsigned threads = 1) {
  edge_batch_sink sink{{}, {.threads = threads}};
  if (kind != naming::strings) {
    id_pairs named;
    for (const auto [u, v] : edges) named.push_back({integer_name(u, kind), integer_name(v, kind)});
    sink.add(std::span<const edge<std::uint64_t>>{named});
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

/// Part i of k takes every k-th edge, so that all parts see all components.
inline std::vector<partial<labelling>> forests_of_parts(const id_pairs& edges, unsigned parts, naming kind) {
  std::vector<partial<labelling>> forests;
  for (unsigned part = 0; part < parts; ++part) {
    id_pairs own;
    for (std::size_t i = part; i < edges.size(); i += parts) own.push_back(edges[i]);
    forests.push_back(forest_of(own, kind));
  }
  return forests;
}

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

/// Small components, one large one, loops.
inline id_pairs random_edges(std::uint64_t vertices, std::size_t count, unsigned seed) {
  std::mt19937_64 random{seed};
  id_pairs edges;
  for (std::size_t i = 0; i < count; ++i) edges.push_back({random() % vertices, random() % vertices});
  edges.push_back({vertices + 5, vertices + 5});
  return edges;
}

}  // namespace copse::test
