// Labels as Python holds them: the library's labelling, and what is asked of it as arrays.
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

/// What a solve did, and what the library noted of its input.
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
  call_memory memory_;  // goes last
  std::shared_ptr<const labelling> labels_;
  call_report report_;
};

/// For every vertex that is present, in ascending order, the number of its component; components are numbered 0 .. k - 1 by their smallest
/// vertices. O(slots).
template <unsigned_index Id>
buffer<Id> component_numbers(const labelling& labels, std::uint64_t& count);

/// Does so in place, for canonical labels without absent ones; returns how many components there are.
template <unsigned_index Id>
std::uint64_t number_in_place(std::span<Id> labels) noexcept;

/// A string as str, or as bytes.
nb::object python_text(std::string_view text, bool binary);
/// Names that are strings: all as bytes, or all as str.
nb::list texts_of(const vertex_names& names, bool binary);
/// None where vertices are called by their numbers, else an array of integers or a list of strings as texts_of() gives it.
nb::object names_array(const vertex_names& names, bool binary);

/// A copy of labels, of vertices that are called as `names` says.
labelling renamed_copy(const labelling& labels, const vertex_names& names, const call_memory& memory);

/// Vertices that are present. O(slots).
std::uint64_t present_count(const labelling& labels) noexcept;

}  // namespace copse::python
