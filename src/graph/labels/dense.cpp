#include <copse/labels.hpp>

#include <algorithm>
#include <variant>

namespace copse {
namespace {

vertex_names copy_of(const vertex_names& names, std::pmr::memory_resource* memory) {
  const std::uint64_t count = names.size();
  if (const auto first_id = names.first_id()) return vertex_names::consecutive(*first_id, count);
  if (names.what() == vertex_names::kind::integers) {
    buffer<std::uint64_t> ids(count, memory);
    for (std::uint64_t i = 0; i < count; ++i) ids[i] = names.integer(i);
    return vertex_names::integers(std::move(ids));
  }
  buffer<std::uint64_t> offsets(count + 1, memory);
  offsets[0] = 0;
  for (std::uint64_t i = 0; i < count; ++i) offsets[i + 1] = offsets[i] + names.string(i).size();
  buffer<char> bytes(offsets[count], memory);
  for (std::uint64_t i = 0; i < count; ++i) std::ranges::copy(names.string(i), bytes.begin() + offsets[i]);
  return vertex_names::strings(std::move(bytes), std::move(offsets));
}

}  // namespace

// A label is never larger than its vertex, so the number of a component is known before its second vertex comes.
labelling dense(const labelling& labels, std::pmr::memory_resource* memory) {
  return std::visit(
      [&]<class Id>(const buffer<Id>& values) {
        buffer<Id> numbers(values.size(), memory);
        Id next = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
          if (values[i] == no_vertex<Id>) {
            numbers[i] = no_vertex<Id>;
          } else {
            numbers[i] = values[i] == i ? next++ : numbers[values[i]];
          }
        }
        return labelling::numbered(std::move(numbers), copy_of(labels.names(), memory));
      },
      labels.labels());
}

}  // namespace copse
