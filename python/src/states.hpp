// States of answers and graphs for pickle and copy. They consist of numbers, texts and NumPy arrays, so that any build of the module can
// read them.
#pragma once
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <copse/errors.hpp>
#include <copse/graph.hpp>
#include <copse/memory.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include "arrays.hpp"
#include "labels.hpp"

namespace copse::python {

/// Returns a copy as a NumPy array.
template <class T>
nb::object state_of(std::span<const T> from) {
  buffer<T> copy{from.size()};
  std::copy(from.begin(), from.end(), copy.begin());
  return numpy_array<T>(std::move(copy));
}
template <class T>
nb::object state_of(const buffer<T>& from) {
  return state_of(from.span());
}
template <unsigned_index Id>
nb::object state_of(std::span<const edge<Id>> from) {
  return state_of(std::span<const Id>{reinterpret_cast<const Id*>(from.data()), 2 * from.size()});
}

/// Returns the elements of an array in a state. Throws input_error if their type is not T.
template <class T>
std::span<const T> span_of(const input_array& array) {
  if (!holds<T>(array)) throw input_error{"pickle: found an array of " + dtype_name(array) + ", expected " + dtype_name(nb::dtype<T>())};
  return elements<T>(array);
}
template <class T>
buffer<T> buffer_of(nb::handle state) {
  const auto array = nb::cast<input_array>(state);
  const std::span<const T> from = span_of<T>(array);
  buffer<T> copy{from.size()};
  std::copy(from.begin(), from.end(), copy.begin());
  return copy;
}
template <unsigned_index Id>
buffer<edge<Id>> edge_buffer_of(nb::handle state) {
  const auto array = nb::cast<input_array>(state);
  const std::span<const Id> from = span_of<Id>(array);
  buffer<edge<Id>> copy{from.size() / 2};
  for (std::size_t i = 0; i < copy.size(); ++i) copy[i] = {from[2 * i], from[2 * i + 1]};
  return copy;
}
/// Calls body(Id{}) for the type of the ids in a state.
template <class Body>
decltype(auto) with_ids_of(nb::handle state, Body&& body) {
  if (holds<std::uint32_t>(nb::cast<input_array>(state))) return body(std::uint32_t{});
  return body(std::uint64_t{});
}

nb::object state_of(const vertex_names& names);
vertex_names names_of_state(nb::handle state);
nb::tuple state_of(const call_report& report);
call_report report_of_state(const nb::tuple& state);
nb::tuple state_of(const labelling& labels);
labelling labelling_of_state(const nb::tuple& state);
nb::tuple state_of(const graph& g);
graph graph_of_state(const nb::tuple& state);

}  // namespace copse::python
