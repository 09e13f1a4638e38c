// Feeds a sink as a reader would: batches of any size, several workers at once. And the reference that every answer is compared with:
// the smallest name of each component, from a std::map and repeated relabelling, with no union-find in it.
#pragma once
#include <copse/io.hpp>
#include <copse/labels.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "core/team.hpp"
#include "drivers/streaming/streaming_sink.hpp"

namespace copse::test {

using id_edges = std::vector<edge<std::uint64_t>>;
using string_edges = std::vector<std::pair<std::string, std::string>>;

/// From each name to the smallest name of its component.
template <class Name, class Edges>
std::map<Name, Name> smallest_names(const Edges& edges) {
  std::map<Name, std::vector<Name>> neighbours;
  for (const auto& [u, v] : edges) {
    neighbours[u].push_back(v);
    neighbours[v].push_back(u);
  }
  std::map<Name, Name> smallest;
  for (const auto& [start, ignored] : neighbours) {  // ascending, so a name met first from `start` has no smaller one
    if (smallest.contains(start)) continue;
    std::vector<Name> todo{start};
    smallest.emplace(start, start);
    while (!todo.empty()) {
      const Name at = todo.back();
      todo.pop_back();
      for (const Name& next : neighbours[at]) {
        if (smallest.emplace(next, start).second) todo.push_back(next);
      }
    }
  }
  return smallest;
}

inline void feed(streaming::streaming_sink& sink, const id_edges& edges, unsigned workers, std::size_t batch,
                 std::optional<std::uint64_t> vertices = std::nullopt) {
  sink.begin({.vertices = vertices, .edges = std::nullopt, .workers = workers, .named = false});
  std::atomic<std::size_t> next{0};
  on_workers(workers, [&](unsigned worker) {
    for (std::size_t at = next.fetch_add(batch); at < edges.size(); at = next.fetch_add(batch)) {
      sink.edges(worker, {.ids = std::span{edges}.subspan(at, std::min(batch, edges.size() - at))});
    }
  });
  sink.finish();
}

inline void feed(streaming::streaming_sink& sink, const string_edges& edges, unsigned workers, std::size_t batch) {
  sink.begin({.vertices = std::nullopt, .edges = std::nullopt, .workers = workers, .named = true});
  std::atomic<std::size_t> next{0};
  on_workers(workers, [&](unsigned worker) {
    std::vector<io::named_edge> views;
    for (std::size_t at = next.fetch_add(batch); at < edges.size(); at = next.fetch_add(batch)) {
      views.clear();
      for (std::size_t i = at; i < std::min(at + batch, edges.size()); ++i) views.push_back({edges[i].first, edges[i].second});
      sink.edges(worker, {.names = views});
    }
  });
  sink.finish();
}

inline std::map<std::uint64_t, std::uint64_t> integer_answer(const labelling& labels) {
  std::map<std::uint64_t, std::uint64_t> answer;
  for (std::uint64_t i = 0; i < labels.slots(); ++i) {
    if (labels.present(i)) answer.emplace(labels.names().integer(i), labels.names().integer(labels.label(i)));
  }
  return answer;
}

inline std::map<std::string, std::string> string_answer(const labelling& labels) {
  std::map<std::string, std::string> answer;
  for (std::uint64_t i = 0; i < labels.slots(); ++i) {
    answer.emplace(labels.names().string(i), labels.names().string(labels.label(i)));
  }
  return answer;
}

/// `count` edges between ids that `draw(random)` makes.
template <class Draw>
id_edges random_edges(std::size_t count, std::uint64_t seed, Draw draw) {
  std::mt19937_64 random{seed};
  id_edges edges;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t u = draw(random);
    edges.push_back({u, draw(random)});
  }
  return edges;
}

}  // namespace copse::test
