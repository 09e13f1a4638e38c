#include "drivers/merging/forest_bytes.hpp"

#include <copse/errors.hpp>

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "drivers/merging/names_bytes.hpp"
#include "drivers/merging/weighted_bytes.hpp"

namespace copse::drivers {
namespace {

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

}  // namespace

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

}  // namespace copse::drivers
