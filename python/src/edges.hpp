// Checks of edges in arrays of callers.
#pragma once
#include <copse/errors.hpp>

#include <concepts>
#include <cstddef>
#include <span>
#include <string>

#include "arrays.hpp"

namespace copse::python {

inline void expect_pairs(const input_array& edges) {
  if (edges.ndim() == 2 && edges.shape(1) == 2) return;
  std::string shape;
  for (std::size_t i = 0; i < edges.ndim(); ++i) shape += (i == 0 ? "" : ", ") + std::to_string(edges.shape(i));
  throw usage_error{"edges: found an array of shape (" + shape + "), expected (m, 2)"};
}

/// Signed ids are read as unsigned ones; a negative id would be a large one. `width`: elements per edge, for the place in the text.
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
