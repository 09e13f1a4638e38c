#include "edge_collector.hpp"

#include <copse/errors.hpp>
#include <copse/types.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>

namespace copse::python {
namespace {

void expect_few(std::size_t vertices) {
  if (vertices >= no_vertex<std::uint32_t>) throw resource_error{"table: found more than 2^32 - 1 ids, expected fewer"};
}

template <class Element>
buffer<Element> copy_of(const std::pmr::vector<Element>& from, std::pmr::memory_resource* memory) {
  buffer<Element> to{from.size(), memory};
  std::copy(from.begin(), from.end(), to.begin());
  return to;
}

/// A list of edges whose ends are place(end).
template <class Pairs, class Place>
graph list_of(const Pairs& pairs, vertex_names names, std::pmr::memory_resource* memory, Place place) {
  coo<std::uint32_t> list{static_cast<std::uint32_t>(names.size()), buffer<edge<std::uint32_t>>{pairs.size(), memory}};
  for (std::size_t i = 0; i < pairs.size(); ++i) list.edges[i] = {place(pairs[i].u), place(pairs[i].v)};
  return graph{std::move(list), std::move(names)};
}

}  // namespace

void edge_collector::keep(const taken_facts& facts) {
  weights_.insert(weights_.end(), facts.scores.begin(), facts.scores.end());
  rows_.insert(rows_.end(), facts.rows.begin(), facts.rows.end());
}

void edge_collector::add(std::span<const std::uint64_t> sources, std::span<const std::uint64_t> targets, const taken_facts& facts) {
  if (!texts_.empty()) throw usage_error{"found ids that are integers after strings"};
  for (std::size_t i = 0; i < sources.size(); ++i) pairs_.push_back({sources[i], targets[i]});
  keep(facts);
}

void edge_collector::add(std::span<const std::string_view> sources, std::span<const std::string_view> targets, const taken_facts& facts) {
  if (!pairs_.empty()) throw usage_error{"found ids that are strings after integers"};
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const std::uint32_t first = number_of(sources[i]);
    edges_.push_back({first, number_of(targets[i])});
  }
  keep(facts);
}

std::uint32_t edge_collector::number_of(std::string_view text) {
  if (const auto known = text_numbers_.find(text); known != text_numbers_.end()) return known->second;
  expect_few(texts_.size());
  const auto number = static_cast<std::uint32_t>(texts_.size());
  texts_.emplace_back(text);
  text_numbers_.emplace(texts_.back(), number);
  return number;
}

/// Ids that are about as many as the edges are marked in an array; others are sorted and looked up.
graph edge_collector::graph_of_integers() const {
  std::uint64_t largest = 0;
  for (const auto& [u, v] : pairs_) largest = std::max({largest, u, v});
  if (pairs_.empty()) return list_of(pairs_, vertex_names::identity(0), memory_, [](std::uint64_t) { return std::uint32_t{0}; });
  if (largest / 4 <= pairs_.size() + (std::size_t{1} << 16)) {
    std::pmr::vector<std::uint32_t> places(largest + 1, 0, memory_);
    for (const auto& [u, v] : pairs_) places[u] = places[v] = 1;
    const auto count = static_cast<std::uint64_t>(std::count(places.begin(), places.end(), 1U));
    expect_few(count);
    buffer<std::uint64_t> ids{count, memory_};
    std::uint32_t next = 0;
    for (std::uint64_t id = 0; id <= largest; ++id) {
      if (places[id] == 0) continue;
      ids[next] = id;
      places[id] = next++;
    }
    auto names = count == largest + 1 ? vertex_names::identity(count) : vertex_names::integers(std::move(ids));
    return list_of(pairs_, std::move(names), memory_, [&](std::uint64_t id) { return places[id]; });
  }
  std::pmr::vector<std::uint64_t> all{memory_};
  all.reserve(2 * pairs_.size());
  for (const auto& [u, v] : pairs_) all.insert(all.end(), {u, v});
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  expect_few(all.size());
  return list_of(pairs_, vertex_names::integers(copy_of(all, memory_)), memory_,
                 [&](std::uint64_t id) { return static_cast<std::uint32_t>(std::lower_bound(all.begin(), all.end(), id) - all.begin()); });
}

graph edge_collector::graph_of_texts() const {
  const std::size_t count = texts_.size();
  std::pmr::vector<std::uint32_t> order(count, memory_), places(count, memory_);
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) { return texts_[a] < texts_[b]; });
  for (std::uint32_t i = 0; i < count; ++i) places[order[i]] = i;
  buffer<std::uint64_t> offsets{count + 1, memory_};
  offsets[0] = 0;
  for (std::size_t i = 0; i < count; ++i) offsets[i + 1] = offsets[i] + texts_[order[i]].size();
  buffer<char> bytes{offsets[count], memory_};
  for (std::size_t i = 0; i < count; ++i) std::copy(texts_[order[i]].begin(), texts_[order[i]].end(), bytes.data() + offsets[i]);
  return list_of(edges_, vertex_names::strings(std::move(bytes), std::move(offsets)), memory_, [&](std::uint32_t v) { return places[v]; });
}

edge_collector::collected edge_collector::finish() {
  collected all{texts_.empty() ? graph_of_integers() : graph_of_texts(), copy_of(weights_, memory_), copy_of(rows_, memory_)};
  *this = edge_collector{memory_};
  return all;
}

}  // namespace copse::python
