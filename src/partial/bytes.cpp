#include <partial/bytes.hpp>

#include <api/saved_structure.hpp>
#include <copse/errors.hpp>
#include <partial/normal_form.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace copse::merging {
namespace {

using drivers::refuser;

enum class name_kind : std::uint64_t { narrow = 1, wide = 2, strings = 3, signed_wide = 4 };

struct names_header {
  std::array<char, 8> magic{};
  name_kind kind = name_kind::narrow;
  std::uint64_t count = 0;
  std::uint64_t string_bytes = 0;
};
static_assert(sizeof(names_header) == 32);

struct weights_header {
  std::array<char, 8> magic{};
  std::uint32_t goal = 0, precision = 0;
};
static_assert(sizeof(weights_header) == 16);

using pieces = std::vector<std::span<const std::byte>>;

/// Calls put(pieces) with the bytes that are saved in addition to the labels: those in `beside`, such as weights, and then the names of the
/// vertices, unless vertices are named by their own numbers.
template <class Put>
void with_names_behind(pieces beside, const vertex_names& names, std::pmr::memory_resource* memory, Put put) {
  const std::uint64_t count = names.size();
  if (names.what() == vertex_names::kind::identity) return put(beside);
  names_header head;
  std::memcpy(head.magic.data(), api::names_magic.data(), head.magic.size());
  head.count = count;
  const auto pass = [&](std::span<const std::byte> column, std::span<const std::byte> text) {
    beside.insert(beside.end(), {std::as_bytes(std::span{&head, 1}), column, text});
    put(beside);
  };
  if (names.what() == vertex_names::kind::strings) {
    buffer<std::uint32_t> lengths{count, memory};
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::size_t length = names.string(i).size();
      if (length > UINT32_MAX) throw resource_error{"forest: a string must have less than 2^32 bytes, not " + std::to_string(length)};
      lengths[i] = static_cast<std::uint32_t>(length);
      head.string_bytes += length;
    }
    head.kind = name_kind::strings;
    // the bytes of all strings follow those of string 0 without gaps
    return pass(std::as_bytes(lengths.span()), std::as_bytes(std::span{names.string(0).data(), head.string_bytes}));
  }
  const bool narrow = !names.is_signed() && names.integer(count - 1) <= UINT32_MAX;
  head.kind = names.is_signed() ? name_kind::signed_wide : narrow ? name_kind::narrow : name_kind::wide;
  const auto as = [&]<class Id>(Id) {
    buffer<Id> ids{count, memory};
    for (std::uint64_t i = 0; i < count; ++i) ids[i] = static_cast<Id>(names.integer(i));
    pass(std::as_bytes(ids.span()), {});
  };
  narrow ? as(std::uint32_t{}) : as(std::uint64_t{});
}

template <class Id>
vertex_names ids_in(std::string_view column, std::uint64_t count, bool are_signed, const refuser& refuse,
                    std::pmr::memory_resource* memory) {
  buffer<std::uint64_t> ids{count, memory};
  for (std::uint64_t i = 0; i < count; ++i) {
    Id id = 0;
    std::memcpy(&id, column.data() + i * sizeof(Id), sizeof id);
    if (i > 0 && id_rank(id, are_signed) <= id_rank(ids[i - 1], are_signed)) refuse("the id " + id_text(id, are_signed), "ascending ids");
    ids[i] = id;
  }
  return vertex_names::integers(std::move(ids), are_signed);
}

vertex_names strings_in(std::string_view column, std::string_view text, std::uint64_t count, const refuser& refuse,
                        std::pmr::memory_resource* memory) {
  buffer<std::uint64_t> offsets{count + 1, memory};
  offsets[0] = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint32_t length = 0;
    std::memcpy(&length, column.data() + i * sizeof length, sizeof length);
    if (length > text.size() - offsets[i]) refuse("strings of more bytes than there are", "an undamaged file");
    offsets[i + 1] = offsets[i] + length;
    if (i > 0 && text.substr(offsets[i - 1], offsets[i] - offsets[i - 1]) >= text.substr(offsets[i], length)) {
      refuse("strings out of order", "ascending strings");
    }
  }
  if (offsets[count] != text.size()) refuse("strings of fewer bytes than there are", "an undamaged file");
  buffer<char> bytes{text.size(), memory};
  std::copy(text.begin(), text.end(), bytes.begin());
  return vertex_names::strings(std::move(bytes), std::move(offsets));
}

/// Reads the names of `slots` vertices from `beside`, the bytes that follow the labels; if it is empty, the names are 0, 1, 2, ...
vertex_names names_in(std::string_view beside, std::uint64_t slots, const refuser& refuse, std::pmr::memory_resource* memory) {
  if (beside.empty()) return vertex_names::identity(slots);
  if (!beside.starts_with(api::names_magic))
    refuse("unknown bytes behind the labels and weights", "names of the vertices, or the end of the file");
  names_header head;
  if (beside.size() < sizeof head) refuse("names that are cut off", "an undamaged file");
  std::memcpy(static_cast<void*>(&head), beside.data(), sizeof head);
  beside.remove_prefix(sizeof head);
  const std::uint64_t width = head.kind == name_kind::wide || head.kind == name_kind::signed_wide ? 8 : 4;
  if (head.kind < name_kind::narrow || head.kind > name_kind::signed_wide) {
    refuse("the code " + std::to_string(static_cast<std::uint64_t>(head.kind)) + " for the kind of the names", "1, 2, 3 or 4");
  }
  if (head.count != slots || beside.size() / width < slots || beside.size() - slots * width != head.string_bytes) {
    refuse(std::to_string(head.count) + " names in " + std::to_string(beside.size()) + " bytes",
           "one for each of " + std::to_string(slots) + " vertices");
  }
  const std::string_view column = beside.substr(0, slots * width), text = beside.substr(slots * width);
  if (head.kind == name_kind::strings) return strings_in(column, text, slots, refuse, memory);
  if (!text.empty()) refuse("bytes behind the ids", "an undamaged file");
  if (width == 4) return ids_in<std::uint32_t>(column, slots, false, refuse, memory);
  return ids_in<std::uint64_t>(column, slots, head.kind == name_kind::signed_wide, refuse, memory);
}

/// The bytes of the weights, including their header.
std::string_view weights_of(const drivers::connectivity_bytes& held, const refuser& refuse) {
  if (!held.forest) refuse("weights of edges, but no edges", "a forest of edges with a weight for each");
  const std::uint64_t edges = held.forest->size() / (2 * held.id_bytes);
  if (held.beside.size() < sizeof(weights_header)) refuse("weights that are cut off", "an undamaged file");
  const std::size_t room = held.beside.size() - sizeof(weights_header);
  if (edges > room / sizeof(double)) refuse("weights that are cut off", std::to_string(edges) + ", one for each edge");
  weights_header head;
  std::memcpy(&head, held.beside.data(), sizeof head);
  if (head.goal != 1 && head.goal != 2)
    refuse("the code " + std::to_string(head.goal) + " for the goal", "1, a minimum forest, or 2, a maximum one");
  if (head.precision > 2) refuse("the code " + std::to_string(head.precision) + " for the type of the weights", "0, 1 or 2");
  return held.beside.substr(0, sizeof(weights_header) + edges * sizeof(double));
}

/// Reads the labels and the names of their vertices.
template <class Id>
labelling labelling_of(const drivers::connectivity_bytes& held, std::string_view name, std::pmr::memory_resource* memory) {
  const refuser refuse{name};
  buffer<Id> labels = drivers::labels_in<Id>(held, name, memory);
  const std::uint64_t slots = labels.size();
  const bool weighted = api::kind_of(held.beside) == api::saved_kind::weights;
  vertex_names names = names_in(weighted ? held.beside.substr(weights_of(held, refuse).size()) : held.beside, slots, refuse, memory);
  const bool all_are_vertices = weighted || names.what() != vertex_names::kind::identity;
  if (all_are_vertices && std::find(labels.begin(), labels.end(), no_vertex<Id>) != labels.end()) {
    refuse("a name of no vertex", "a name for each vertex");
  }
  return {std::move(labels), std::move(names)};
}

/// Reads the edges and their weights; `names` are those of the vertices.
template <class Id>
weighted_forest_result forest_of(const drivers::connectivity_bytes& held, const vertex_names& names, const refuser& refuse,
                                 std::pmr::memory_resource* memory) {
  const std::string_view column = weights_of(held, refuse);
  weights_header head;
  std::memcpy(&head, column.data(), sizeof head);
  const auto precision = static_cast<weight_precision>(head.precision);
  const auto vertices = static_cast<Id>(names.size());
  buffer<edge<Id>> edges{held.forest->size() / sizeof(edge<Id>), memory};
  buffer<double> weights{edges.size(), memory};
  if (!edges.empty()) {
    std::memcpy(static_cast<void*>(edges.data()), held.forest->data(), held.forest->size());
    std::memcpy(weights.data(), column.data() + sizeof head, edges.size() * sizeof(double));
  }
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const auto [u, v] = edges[i];
    const bool ascends = i == 0 || edges[i - 1].u < u || (edges[i - 1].u == u && edges[i - 1].v < v);
    if (u >= v || v >= vertices || !ascends) {
      refuse("the edge " + std::to_string(u) + " " + std::to_string(v),
             "edges in ascending order with ends below " + std::to_string(vertices));
    }
    if (weights[i] != weights[i]) refuse("a weight that is not a number", "numbers");
    if (rounded_threshold(weights[i], precision) != weights[i])
      refuse("a weight of more digits than its precision has", "an undamaged file");
  }
  weighted_forest_result found;
  found.edges = graph{coo<Id>{vertices, std::move(edges)}, names};
  found.weights = weight_column{std::move(weights), precision};
  found.goal = head.goal == 2 ? forest_goal::maximum : forest_goal::minimum;
  return found;
}

}  // namespace

void put(const labelling& labels, const drivers::byte_output& output, std::pmr::memory_resource* memory) {
  std::visit(
      [&]<class Id>(const buffer<Id>& held) {
        with_names_behind({}, labels.names(), memory, [&](const pieces& beside) { drivers::put_labels<Id>(output, held.span(), beside); });
      },
      labels.labels());
}

void put(const weighted_forest_result& forest, const drivers::byte_output& output, std::pmr::memory_resource* memory) {
  const labelling labels = labels_of(forest.edges, memory).labels;
  weights_header head;
  std::memcpy(head.magic.data(), api::weights_magic.data(), head.magic.size());
  head.goal = forest.goal == forest_goal::maximum ? 2 : 1;
  head.precision = static_cast<std::uint32_t>(forest.weights.precision());
  const auto weights = std::as_bytes(std::get<buffer<double>>(forest.weights.held()).span());
  std::visit(
      [&]<class Shape>(const Shape& shape) {
        if constexpr (requires { shape.edges; }) {
          using id = typename Shape::id_type;
          with_names_behind({std::as_bytes(std::span{&head, 1}), weights}, forest.edges.names(), memory, [&](const pieces& beside) {
            drivers::put_labels<id>(output, std::get<buffer<id>>(labels.labels()).span(), beside, shape.edges.span());
          });
        }
      },
      forest.edges.shape());
}

template <>
labelling answer_in(const drivers::connectivity_bytes& held, std::string_view name, std::pmr::memory_resource* memory) {
  return held.id_bytes == 4 ? labelling_of<std::uint32_t>(held, name, memory) : labelling_of<std::uint64_t>(held, name, memory);
}

template <>
weighted_forest_result answer_in(const drivers::connectivity_bytes& held, std::string_view name, std::pmr::memory_resource* memory) {
  const refuser refuse{name};
  if (api::kind_of(held.beside) != api::saved_kind::weights) refuse("a forest without weights", "one with weights");
  const auto saved = answer_in<labelling>(held, name, memory);
  weighted_forest_result found = held.id_bytes == 4 ? forest_of<std::uint32_t>(held, saved.names(), refuse, memory)
                                                    : forest_of<std::uint64_t>(held, saved.names(), refuse, memory);
  const forest_labels own = labels_of(found.edges, memory);
  for (std::uint64_t v = 0; v < saved.slots(); ++v) {
    if (own.labels.label(v) != saved.label(v))
      refuse("edges whose components are not those of the labels in the file", "an undamaged file");
  }
  if (!own.is_forest) refuse("edges that close a cycle", "an undamaged file");
  return found;
}

}  // namespace copse::merging
