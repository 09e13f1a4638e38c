// Labels as Python holds them: the library's labelling, and what is asked of it as arrays.
#pragma once
#include <nanobind/nanobind.h>
#include <copse/components.hpp>
#include <copse/labels.hpp>

#include <cstdint>
#include <memory>
#include <utility>

#include "arrays.hpp"

namespace copse::python {

class held_labels {
public:
  held_labels(components_result result, call_memory memory)
      : memory_{std::move(memory)},
        labels_{std::make_shared<const labelling>(std::move(result.labels))},
        report_{std::move(result.report)} {}
  held_labels(labelling labels, call_memory memory)
      : memory_{std::move(memory)}, labels_{std::make_shared<const labelling>(std::move(labels))} {}

  [[nodiscard]] const labelling& labels() const noexcept { return *labels_; }
  [[nodiscard]] const std::shared_ptr<const labelling>& shared() const noexcept { return labels_; }
  [[nodiscard]] const call_memory& memory() const noexcept { return memory_; }
  [[nodiscard]] const solve_report& report() const noexcept { return report_; }

private:
  call_memory memory_;  // goes last
  std::shared_ptr<const labelling> labels_;
  solve_report report_;
};

/// The number of its component, 0 .. k - 1 by smallest vertices, for every vertex that is present, in ascending order. O(slots).
template <unsigned_index Id>
buffer<Id> component_numbers(const labelling& labels, std::uint64_t& count);

/// The same in place, of canonical labels without absent ones; returns how many components there are.
template <unsigned_index Id>
std::uint64_t number_in_place(std::span<Id> labels) noexcept;

/// Names that are strings, as str, or bytes where they are not UTF-8.
nb::list texts_of(const vertex_names& names);
/// None where vertices are called by their numbers, else an array of integers or a list of strings.
nb::object names_array(const vertex_names& names);

/// Vertices that are present. O(slots).
std::uint64_t present_count(const labelling& labels) noexcept;

}  // namespace copse::python
