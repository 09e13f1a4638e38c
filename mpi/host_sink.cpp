#include "host_sink.hpp"

#include <algorithm>
#include <array>
#include <copse/errors.hpp>
#include <cstddef>
#include <string>

namespace copse::mpi {
namespace {

constexpr std::size_t part_edges = 2048;
using id_edge = edge<std::uint64_t>;

std::uint64_t largest_of(std::span<const id_edge> part) {
  std::uint64_t largest = 0;
  for (const auto [u, v] : part) largest = std::max({largest, u, v});
  return largest;
}

}  // namespace

void host_sink::begin(const io::source_facts& facts) {
  facts_ = facts;
  const std::uint64_t slots = host_.slots();
  all_own_ = facts.named || (facts.vertices && (*facts.vertices > slots || facts.first_id > slots - *facts.vertices));
  if (all_own_) {
    begin_own();
  } else if (facts.vertices) {
    host_.add(facts.first_id, facts.first_id + *facts.vertices);
  }
}

void host_sink::edges(unsigned worker, std::span<const id_edge> batch) {
  if (all_own_) return own_.edges(worker, batch);
  for (; !batch.empty(); batch = batch.subspan(std::min(part_edges, batch.size()))) {
    const auto part = batch.first(std::min(part_edges, batch.size()));
    const std::uint64_t largest = largest_of(part);
    if (facts_.vertices) {
      unite_declared(part, largest);
    } else if (largest < host_.slots()) {
      host_.unite(part, largest);
    } else {
      split(worker, part);
    }
  }
}

// They are counted from the first.
void host_sink::unite_declared(std::span<const id_edge> part, std::uint64_t largest) {
  if (largest >= *facts_.vertices) {  // readers name the line of one
    throw input_error{"found id " + std::to_string(largest) + ", expected ids below " + std::to_string(*facts_.vertices)};
  }
  std::array<id_edge, part_edges> named;
  const std::uint64_t first = facts_.first_id;
  std::transform(part.begin(), part.end(), named.begin(), [first](id_edge e) { return id_edge{e.u + first, e.v + first}; });
  host_.unite(std::span{named}.first(part.size()), largest + first);
}

void host_sink::split(unsigned worker, std::span<const id_edge> part) {
  std::array<id_edge, part_edges> room;
  std::copy(part.begin(), part.end(), room.begin());
  const auto all = std::span{room}.first(part.size());
  const std::uint64_t slots = host_.slots();
  const auto above = std::partition(all.begin(), all.end(), [slots](id_edge e) { return std::max(e.u, e.v) < slots; });
  const auto fit = all.first(static_cast<std::size_t>(above - all.begin()));
  host_.unite(fit, largest_of(fit));
  begin_own();
  own_.edges(worker, all.subspan(fit.size()));
}

void host_sink::named_edges(unsigned worker, std::span<const io::named_edge> batch) { own_.named_edges(worker, batch); }
void host_sink::named_vertices(unsigned worker, std::span<const std::string_view> names) { own_.named_vertices(worker, names); }

mergeable_forest host_sink::take_own() { return mergeable_forest{own_.take_labelling(), memory_}; }

}  // namespace copse::mpi
