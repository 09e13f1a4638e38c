#include <drivers/merging/forest_bytes.hpp>

#include <copse/errors.hpp>
#include <drivers/incremental/connectivity_file.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace copse::drivers {
namespace {

constexpr std::array<char, 8> names_magic{'n', 'a', 'm', 'e', 's', '-', '1', '\0'};

enum class name_kind : std::uint64_t { narrow = 1, wide = 2, strings = 3, signed_wide = 4 };

struct names_header {
  std::array<char, 8> magic = names_magic;
  name_kind kind = name_kind::narrow;
  std::uint64_t count = 0;
  std::uint64_t string_bytes = 0;
};
static_assert(sizeof(names_header) == 32);

template <class T>
std::span<const std::byte> bytes_of(const T* first, std::size_t count) {
  return {reinterpret_cast<const std::byte*>(first), count * sizeof(T)};
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
    if (length > text.size() - offsets[i]) refuse("strings of more bytes than there are", "what was saved");
    offsets[i + 1] = offsets[i] + length;
    if (i > 0 && text.substr(offsets[i - 1], offsets[i] - offsets[i - 1]) >= text.substr(offsets[i], length)) {
      refuse("strings out of order", "ascending strings");
    }
  }
  if (offsets[count] != text.size()) refuse("strings of fewer bytes than there are", "what was saved");
  buffer<char> bytes{text.size(), memory};
  std::copy(text.begin(), text.end(), bytes.begin());
  return vertex_names::strings(std::move(bytes), std::move(offsets));
}

template <class Id>
labelling forest_of(const connectivity_bytes& held, std::string_view name, std::pmr::memory_resource* memory) {
  buffer<Id> labels = labels_in<Id>(held, name, memory);
  const std::uint64_t slots = labels.size();
  const std::string_view names = behind_weights(held, name);
  if (names.empty()) return {std::move(labels), vertex_names::identity(slots)};
  const auto refuse = [name](std::string_view found, std::string_view expected) { throw input_error::at(name, 0, found, expected); };
  if (!holds_names(std::as_bytes(std::span{names}))) refuse("other bytes beside the structure", "names of vertices");
  if (std::find(labels.begin(), labels.end(), no_vertex<Id>) != labels.end()) refuse("a name of no vertex", "a name for each vertex");
  return {std::move(labels), names_in(names, slots, name, memory)};
}

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

void with_pieces_of(const vertex_names& names, std::pmr::memory_resource* memory, const std::function<void(byte_pieces)>& put) {
  names_header head;
  const std::uint64_t count = head.count = names.size();
  const auto pass = [&put, &head](std::span<const std::byte> column, std::span<const std::byte> text) {
    const std::array<std::span<const std::byte>, 3> all{bytes_of(&head, 1), column, text};
    put(byte_pieces{all});
  };
  if (names.what() == vertex_names::kind::strings) {
    buffer<std::uint32_t> lengths{count, memory};
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::size_t length = names.string(i).size();
      if (length > UINT32_MAX) throw resource_error{"forest: found a string of " + std::to_string(length) + " bytes, expected below 2^32"};
      lengths[i] = static_cast<std::uint32_t>(length);
      head.string_bytes += length;
    }
    head.kind = name_kind::strings;  // strings lie side by side
    return pass(bytes_of(lengths.data(), count), bytes_of(names.string(0).data(), head.string_bytes));
  }
  const bool narrow = !names.is_signed() && names.integer(count - 1) <= UINT32_MAX;
  head.kind = names.is_signed() ? name_kind::signed_wide : narrow ? name_kind::narrow : name_kind::wide;
  const auto as = [&]<class Id>(Id) {
    buffer<Id> ids{count, memory};
    for (std::uint64_t i = 0; i < count; ++i) ids[i] = static_cast<Id>(names.integer(i));
    pass(bytes_of(ids.data(), count), {});
  };
  narrow ? as(std::uint32_t{}) : as(std::uint64_t{});
}

bool holds_names(std::span<const std::byte> bytes) noexcept {
  return bytes.size() >= names_magic.size() && std::memcmp(bytes.data(), names_magic.data(), names_magic.size()) == 0;
}

vertex_names names_in(std::string_view beside, std::uint64_t slots, std::string_view file, std::pmr::memory_resource* memory) {
  const refuser refuse{file};
  names_header head;
  if (beside.size() < sizeof head) refuse("names that are cut off", "what was saved");
  std::memcpy(static_cast<void*>(&head), beside.data(), sizeof head);
  beside.remove_prefix(sizeof head);
  const std::uint64_t width = head.kind == name_kind::wide || head.kind == name_kind::signed_wide ? 8 : 4;
  if (head.kind < name_kind::narrow || head.kind > name_kind::signed_wide) {
    refuse("names of kind " + std::to_string(static_cast<std::uint64_t>(head.kind)), "kind 1, 2, 3 or 4");
  }
  if (head.count != slots || beside.size() / width < slots || beside.size() - slots * width != head.string_bytes) {
    refuse(std::to_string(head.count) + " names in " + std::to_string(beside.size()) + " bytes",
           "one for each of " + std::to_string(slots) + " vertices");
  }
  const std::string_view column = beside.substr(0, slots * width), text = beside.substr(slots * width);
  if (head.kind == name_kind::strings) return strings_in(column, text, slots, refuse, memory);
  if (!text.empty()) refuse("bytes behind the ids", "what was saved");
  const bool are_signed = head.kind == name_kind::signed_wide;
  return width == 4 ? ids_in<std::uint32_t>(column, slots, false, refuse, memory)
                    : ids_in<std::uint64_t>(column, slots, are_signed, refuse, memory);
}

void put_forest(const labelling& forest, const byte_output& output, std::pmr::memory_resource* memory) {
  std::visit(
      [&]<class Id>(const buffer<Id>& labels) {
        if (forest.names().what() == vertex_names::kind::identity || forest.slots() == 0) {
          return put_labels<Id>(output, labels.span(), byte_pieces{});
        }
        with_pieces_of(forest.names(), memory, [&](byte_pieces names) { put_labels<Id>(output, labels.span(), names); });
      },
      forest.labels());
}

labelling forest_in(const connectivity_bytes& held, std::string_view name, std::pmr::memory_resource* memory) {
  return held.id_bytes == 4 ? forest_of<std::uint32_t>(held, name, memory) : forest_of<std::uint64_t>(held, name, memory);
}

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
