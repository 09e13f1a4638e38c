// Labels 0 .. k - 1 in order of the smallest vertex, turned back into the smallest vertices.
#pragma once
#include <copse/labels.hpp>
#include <verify/proof.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace copse {

template <unsigned_index Id>
struct canonical_labels {
  buffer<Id> labels;
  std::optional<std::string> fault;  ///< set: the numbers do not count up in order of the smallest vertices
};

template <unsigned_index Id>
canonical_labels<Id> from_numbers(const buffer<Id>& numbers, const vertex_names& names) {
  canonical_labels<Id> result{buffer<Id>(numbers.size()), std::nullopt};
  buffer<Id> first(numbers.size());  // first[number] = the first vertex that has it
  Id next = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const Id number = numbers[i];
    if (number == no_vertex<Id>) {
      result.labels[i] = number;
      continue;
    }
    if (number > next) {
      result.fault = "vertex " + name_in_message(names, i) + " has number " + std::to_string(number) + ", but the next new number is " +
                     std::to_string(next);
      return result;
    }
    if (number == next) first[next++] = static_cast<Id>(i);
    result.labels[i] = first[number];
  }
  return result;
}

}  // namespace copse
