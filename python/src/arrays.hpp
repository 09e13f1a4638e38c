// Converts arrays between Python and C++: arrays of callers are borrowed and checked, arrays of copse are handed over without a copy.
#pragma once
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <copse/errors.hpp>
#include <copse/views.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "call.hpp"

namespace copse::python {

/// A caller's contiguous array in host memory, which is only read.
using input_array = nb::ndarray<nb::ro, nb::device::cpu, nb::c_contig>;

template <class T>
bool holds(const input_array& a) {
  return a.dtype() == nb::dtype<T>();
}
/// True if the elements have type T or its signed counterpart.
template <unsigned_index T>
bool holds_ids(const input_array& a) {
  return holds<T>(a) || holds<std::make_signed_t<T>>(a);
}

/// The elements of the array, read as T.
template <class T>
std::span<const T> elements(const input_array& a) {
  return {static_cast<const T*>(a.data()), a.size()};
}

/// The name of the element type in NumPy, such as `int32` or `uint64`.
std::string dtype_name(const input_array& a);
std::string dtype_name(nb::dlpack::dtype type);

/// Throws usage_error with the message that `what` must be `expected`, not `given`.
[[noreturn]] void refuse(const std::string& what, const std::string& expected, const std::string& given);
[[noreturn]] void refuse_array(const char* what, const input_array& a, const char* expected);

void expect_one_dimension(const char* what, const input_array& a);

/// Calls body(T{}) for the integer type of 32 or 64 bits that the arrays share; throws usage_error for another.
template <class Body>
decltype(auto) with_integer_type(const char* what, const input_array& a, Body&& body) {
  if (holds<std::int32_t>(a)) return body(std::int32_t{});
  if (holds<std::int64_t>(a)) return body(std::int64_t{});
  if (holds<std::uint32_t>(a)) return body(std::uint32_t{});
  if (holds<std::uint64_t>(a)) return body(std::uint64_t{});
  refuse_array(what, a, "integers of 32 or 64 bits");
}

/// A view of `data` as a NumPy array that keeps `owner`; ids are signed where they fit, because NumPy mixes uint64 with int64 to float64.
template <class T>
nb::object numpy_view(const T* data, std::size_t size, nb::handle owner) {
  return nb::cast(nb::ndarray<nb::numpy, const T, nb::ndim<1>, nb::c_contig>(data, {size}, owner));
}
template <class T>
nb::object numpy_view(const T* data, std::size_t rows, std::size_t columns, nb::handle owner) {
  return nb::cast(nb::ndarray<nb::numpy, const T, nb::ndim<2>, nb::c_contig>(data, {rows, columns}, owner));
}

/// Hands an array over to Python, with its memory.
template <class T, class Element = T>
nb::object numpy_array(buffer<Element> array, const call_memory& memory = {}) {
  static_assert(sizeof(T) == sizeof(Element));
  struct holder {
    call_memory memory;
    buffer<Element> array;
  };
  auto held = std::make_unique<holder>(holder{memory, std::move(array)});
  Element* data = held->array.data();
  const std::size_t size = held->array.size();
  const nb::capsule owner{held.get(), [](void* p) noexcept { delete static_cast<holder*>(p); }};
  static_cast<void>(held.release());
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>, nb::c_contig>(reinterpret_cast<T*>(data), {size}, owner));
}

/// Hands over ids that are not negative: as signed integers, unless one is too large for these.
template <unsigned_index Id>
nb::object numpy_ids(buffer<Id> ids, std::uint64_t largest, const call_memory& memory = {}) {
  using twin = std::make_signed_t<Id>;
  if (largest <= static_cast<std::uint64_t>(std::numeric_limits<twin>::max())) return numpy_array<twin>(std::move(ids), memory);
  return numpy_array<Id>(std::move(ids), memory);
}

/// Returns the numbers of `edges` edges in their file, counted from 0; None if edge i has number i for all edges.
inline nb::object numbers_in_file(const io::edge_numbers& numbers, std::uint64_t edges, const call_memory& memory) {
  if (!numbers.differ()) return nb::none();
  buffer<std::uint64_t> all{edges, memory.get()};
  for (std::uint64_t i = 0; i < edges; ++i) all[i] = numbers[i];
  return numpy_array<std::int64_t>(std::move(all), memory);
}

inline void expect_pairs(const input_array& edges) {
  if (edges.ndim() == 2 && edges.shape(1) == 2) return;
  std::string shape;
  for (std::size_t i = 0; i < edges.ndim(); ++i) shape += (i == 0 ? "" : ", ") + std::to_string(edges.shape(i));
  throw usage_error{"edges must have the shape (m, 2), not (" + shape + ")"};
}

/// Throws usage_error if one of the ids, which are indices into an array, is negative. `width` is the number of elements per edge, for the
/// place in the message.
template <class T>
void expect_no_negative(const char* what, std::span<const T> ids, std::size_t width = 1) {
  if constexpr (std::signed_integral<T>) {
    T smallest = 0;
    for (const T id : ids) smallest = id < smallest ? id : smallest;
    if (smallest >= 0) return;
    std::size_t i = 0;
    while (ids[i] >= 0) ++i;
    std::string place = std::to_string(i / width);
    if (width > 1) place += ", " + std::to_string(i % width);
    throw input_error{std::string{what} + "[" + place + "]: found " + std::to_string(ids[i]) + ", expected ids of 0 or more"};
  }
}

}  // namespace copse::python
