#include "drivers/merging/weighted_bytes.hpp"

#include <copse/errors.hpp>

#include <array>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "drivers/merging/names_bytes.hpp"
#include "drivers/refuser.hpp"

namespace copse::drivers {
namespace {

constexpr std::string_view weights_magic = "weight-1";

struct weights_header {
  std::array<char, 8> magic{};
  std::uint32_t goal = 0, precision = 0;
};
static_assert(sizeof(weights_header) == 16);

/// The bytes of the weights with their header.
std::string_view weights_of(const connectivity_bytes& held, const refuser& refuse) {
  if (!held.forest) refuse("weights without edges", "a weight for each edge");
  const std::uint64_t edges = held.forest->size() / (2 * held.id_bytes);
  if (held.beside.size() < sizeof(weights_header)) refuse("weights that are cut off", "what was saved");
  const std::size_t room = held.beside.size() - sizeof(weights_header);
  if (edges > room / sizeof(double)) refuse("weights that are cut off", std::to_string(edges) + ", one for each edge");
  weights_header head;
  std::memcpy(&head, held.beside.data(), sizeof head);
  if (head.goal != 1 && head.goal != 2) refuse("goal " + std::to_string(head.goal), "goal 1 or 2");
  if (head.precision > 2) refuse("precision " + std::to_string(head.precision), "precision 0, 1 or 2");
  return held.beside.substr(0, sizeof(weights_header) + edges * sizeof(double));
}

template <class Id>
weighted_forest_bytes weighted_forest_of(const connectivity_bytes& held, std::string_view name, std::pmr::memory_resource* memory) {
  const refuser refuse{name};
  weighted_forest_bytes found;
  const std::string_view column = weights_of(held, refuse);
  weights_header head;
  std::memcpy(&head, column.data(), sizeof head);
  found.maximum = head.goal == 2;
  const auto precision = static_cast<weight_precision>(head.precision);

  buffer<Id> labels = labels_in<Id>(held, name, memory);
  const auto slots = static_cast<Id>(labels.size());
  for (const Id label : labels) {
    if (label == no_vertex<Id>) refuse("a slot of no vertex", "vertices only");
  }
  buffer<edge<Id>> edges{held.forest->size() / sizeof(edge<Id>), memory};
  buffer<double> weights{edges.size(), memory};
  if (!edges.empty()) {
    std::memcpy(static_cast<void*>(edges.data()), held.forest->data(), held.forest->size());
    std::memcpy(weights.data(), column.data() + sizeof head, edges.size() * sizeof(double));
  }
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const auto [u, v] = edges[i];
    const bool ascends = i == 0 || edges[i - 1].u < u || (edges[i - 1].u == u && edges[i - 1].v < v);
    if (u >= v || v >= slots || !ascends) {
      refuse("the edge " + std::to_string(u) + " " + std::to_string(v), "edges in order, of " + std::to_string(slots) + " vertices");
    }
    if (weights[i] != weights[i]) refuse("a weight that is not a number", "numbers");
    if (rounded_threshold(weights[i], precision) != weights[i]) refuse("a weight of more digits than its precision has", "what was saved");
  }

  const std::string_view names = held.beside.substr(column.size());
  if (!names.empty() && !holds_names(std::as_bytes(std::span{names}))) refuse("other bytes behind the weights", "names of vertices");
  vertex_names called = names.empty() ? vertex_names::identity(slots) : names_in(names, slots, name, memory);
  found.forest.edges = graph{coo<Id>{slots, std::move(edges)}, called};
  found.forest.weights = weight_column{std::move(weights), precision};
  found.labels = labelling{std::move(labels), vertex_names::identity(slots)};
  return found;
}

}  // namespace

bool holds_weights(std::string_view beside) noexcept { return beside.starts_with(weights_magic); }

std::string_view behind_weights(const connectivity_bytes& held, std::string_view name) {
  return holds_weights(held.beside) ? held.beside.substr(weights_of(held, refuser{name}).size()) : held.beside;
}

template <class Id>
void put_weighted_forest(const byte_output& output, std::span<const Id> labels, std::span<const edge<Id>> edges,
                         std::span<const double> weights, weight_precision precision, bool maximum, const vertex_names& names,
                         std::pmr::memory_resource* memory) {
  weights_header head;
  std::memcpy(head.magic.data(), weights_magic.data(), weights_magic.size());
  head.goal = maximum ? 2 : 1;
  head.precision = static_cast<std::uint32_t>(precision);
  const auto put = [&](byte_pieces of_names) {
    std::vector<std::span<const std::byte>> beside{std::as_bytes(std::span{&head, 1}), std::as_bytes(weights)};
    beside.insert(beside.end(), of_names.begin(), of_names.end());
    put_labels<Id>(output, labels, beside, edges);
  };
  if (names.what() == vertex_names::kind::identity) return put({});
  with_pieces_of(names, memory, put);
}

weighted_forest_bytes weighted_forest_in(const connectivity_bytes& held, std::string_view name, std::pmr::memory_resource* memory) {
  if (!holds_weights(held.beside)) refuser{name}("a forest without weights", "one with weights");
  return held.id_bytes == 4 ? weighted_forest_of<std::uint32_t>(held, name, memory) : weighted_forest_of<std::uint64_t>(held, name, memory);
}

template void put_weighted_forest(const byte_output&, std::span<const std::uint32_t>, std::span<const edge<std::uint32_t>>,
                                  std::span<const double>, weight_precision, bool, const vertex_names&, std::pmr::memory_resource*);
template void put_weighted_forest(const byte_output&, std::span<const std::uint64_t>, std::span<const edge<std::uint64_t>>,
                                  std::span<const double>, weight_precision, bool, const vertex_names&, std::pmr::memory_resource*);

}  // namespace copse::drivers
