// Tables from Python: capsules of the Arrow C data interface, and lists of Python strings.
#pragma once
#include <nanobind/nanobind.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "io/arrow/rows.hpp"

namespace copse::python {

using namespace arrow;  // NOLINT: this code uses most names of the namespace that reads tables

/// Moves the Arrow structure out of a capsule.
template <class T>
arrow_owner<T> held_by(nanobind::handle capsule, const char* name) {
  auto* held = static_cast<T*>(PyCapsule_GetPointer(capsule.ptr(), name));
  if (held == nullptr) throw nanobind::python_error{};
  return arrow_owner<T>::take(*held);
}

/// Stores views of the Python strings in a list in `to`. Throws usage_error if an element, which `what` names, is no string, such as None.
void strings_of(const nanobind::list& from, std::vector<std::string_view>& to, const char* what);

}  // namespace copse::python
