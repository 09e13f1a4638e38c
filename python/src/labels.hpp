// The labels class of the Python module: a labelling of the library, and its contents as arrays.
#pragma once
#include <nanobind/nanobind.h>
#include <copse/components.hpp>
#include <copse/labels.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrays.hpp"

namespace copse::python {

/// The report of a solve with the notes of the library on its input.
struct call_report : solve_report {
  call_report() = default;
  call_report(solve_report report, std::vector<std::string> about) : solve_report{std::move(report)}, notes{std::move(about)} {}
  std::vector<std::string> notes;
};

class held_labels {
public:
  held_labels(components_result result, call_memory memory, std::vector<std::string> notes = {})
      : memory_{std::move(memory)},
        labels_{std::make_shared<const labelling>(std::move(result.labels))},
        report_{std::move(result.report), std::move(notes)} {}
  held_labels(labelling labels, call_memory memory)
      : memory_{std::move(memory)}, labels_{std::make_shared<const labelling>(std::move(labels))} {}

  [[nodiscard]] const labelling& labels() const noexcept { return *labels_; }
  [[nodiscard]] const std::shared_ptr<const labelling>& shared() const noexcept { return labels_; }
  [[nodiscard]] const call_memory& memory() const noexcept { return memory_; }
  [[nodiscard]] const call_report& report() const noexcept { return report_; }
  void set_report(call_report report) { report_ = std::move(report); }

private:
  call_memory memory_;  // first, so that it is destroyed last
  std::shared_ptr<const labelling> labels_;
  call_report report_;
};

/// For every vertex that is present, in ascending order, the number of its component; components are numbered 0 .. k - 1 by their smallest
/// vertices. O(labels.slots()).
template <unsigned_index Id>
buffer<Id> component_numbers(const labelling& labels, std::uint64_t& count);

/// Replaces canonical labels, of which none is absent, by component numbers in place. Returns the number of components.
template <unsigned_index Id>
std::uint64_t number_in_place(std::span<Id> labels) noexcept;

/// Returns a string as str, or as bytes if `binary`.
nb::object python_text(std::string_view text, bool binary);
/// Returns the names, which are strings, as a list of str, or of bytes if `binary`.
nb::list texts_of(const vertex_names& names, bool binary);
/// Returns the names: None if vertices are called by their numbers, an array of integers, or a list as from texts_of().
nb::object names_array(const vertex_names& names, bool binary);

/// Returns a copy of the labels with these names of vertices.
labelling renamed_copy(const labelling& labels, const vertex_names& names, const call_memory& memory);

/// Returns the number of vertices that are present. O(labels.slots()).
std::uint64_t present_count(const labelling& labels) noexcept;

}  // namespace copse::python
