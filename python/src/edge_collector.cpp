#include "edge_collector.hpp"

#include <copse/errors.hpp>
#include <copse/types.hpp>

#include <algorithm>
#include <numeric>

namespace copse::python {
namespace {

std::uint32_t next_number(std::size_t size) {
  if (size >= no_vertex<std::uint32_t>) throw resource_error{"table: found more than 2^32 - 1 ids, expected fewer"};
  return static_cast<std::uint32_t>(size);
}

template <class Element>
buffer<Element> copy_of(const std::pmr::vector<Element>& from, std::pmr::memory_resource* memory) {
  buffer<Element> to{from.size(), memory};
  std::copy(from.begin(), from.end(), to.begin());
  return to;
}

}  // namespace

std::uint32_t edge_collector::number_of(std::uint64_t id) {
  const auto [at, fresh] = numbers_.try_emplace(id, next_number(ids_.size()));
  if (fresh) ids_.push_back(id);
  return at->second;
}

std::uint32_t edge_collector::number_of(std::string_view text) {
  if (const auto known = text_numbers_.find(text); known != text_numbers_.end()) return known->second;
  const std::uint32_t number = next_number(texts_.size());
  texts_.emplace_back(text);
  text_numbers_.emplace(texts_.back(), number);
  return number;
}

template <class Id>
void edge_collector::take(std::span<const Id> sources, std::span<const Id> targets, const row_facts& facts) {
  for (std::size_t i = 0; i < sources.size(); ++i) edges_.push_back({number_of(sources[i]), number_of(targets[i])});
  weights_.insert(weights_.end(), facts.scores.begin(), facts.scores.end());
  rows_.insert(rows_.end(), facts.rows.begin(), facts.rows.end());
}

void edge_collector::add(std::span<const std::uint64_t> sources, std::span<const std::uint64_t> targets, const row_facts& facts) {
  if (!texts_.empty()) throw usage_error{"found ids that are integers after strings"};
  take(sources, targets, facts);
}

void edge_collector::add(std::span<const std::string_view> sources, std::span<const std::string_view> targets, const row_facts& facts) {
  if (!ids_.empty()) throw usage_error{"found ids that are strings after integers"};
  take(sources, targets, facts);
}

vertex_names edge_collector::sorted_names(std::vector<std::uint32_t>& places) const {
  const std::size_t count = ids_.size() + texts_.size();
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  if (texts_.empty()) {
    std::sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) { return ids_[a] < ids_[b]; });
  } else {
    std::sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) { return texts_[a] < texts_[b]; });
  }
  places.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) places[order[i]] = i;
  if (texts_.empty()) {
    buffer<std::uint64_t> ids{count, memory_};
    for (std::size_t i = 0; i < count; ++i) ids[i] = ids_[order[i]];
    return count == 0 || ids[count - 1] == count - 1 ? vertex_names::identity(count) : vertex_names::integers(std::move(ids));
  }
  buffer<std::uint64_t> offsets{count + 1, memory_};
  offsets[0] = 0;
  for (std::size_t i = 0; i < count; ++i) offsets[i + 1] = offsets[i] + texts_[order[i]].size();
  buffer<char> bytes{offsets[count], memory_};
  for (std::size_t i = 0; i < count; ++i) std::copy(texts_[order[i]].begin(), texts_[order[i]].end(), bytes.data() + offsets[i]);
  return vertex_names::strings(std::move(bytes), std::move(offsets));
}

edge_collector::collected edge_collector::finish() {
  std::vector<std::uint32_t> places;
  vertex_names names = sorted_names(places);
  coo<std::uint32_t> list{static_cast<std::uint32_t>(places.size()), buffer<edge<std::uint32_t>>{edges_.size(), memory_}};
  for (std::size_t i = 0; i < edges_.size(); ++i) list.edges[i] = {places[edges_[i].u], places[edges_[i].v]};
  collected all{graph{std::move(list), std::move(names)}, copy_of(weights_, memory_), copy_of(rows_, memory_)};
  *this = edge_collector{memory_};
  return all;
}

}  // namespace copse::python
