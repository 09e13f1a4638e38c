// Tables that come from Python: capsules of the Arrow C data interface, and lists of Python's own strings.
#pragma once
#include <nanobind/nanobind.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "io/arrow/rows.hpp"

namespace copse::python {

using namespace arrow;  // NOLINT: the room that reads tables

/// Takes what a capsule holds.
template <class T>
arrow_owner<T> held_by(nanobind::handle capsule, const char* name) {
  auto* held = static_cast<T*>(PyCapsule_GetPointer(capsule.ptr(), name));
  if (held == nullptr) throw nanobind::python_error{};
  return arrow_owner<T>::take(*held);
}

/// Python's own strings as views of the texts that the list holds. Throws usage_error for anything else, None included.
void strings_of(const nanobind::list& from, std::vector<std::string_view>& to, const char* what);

}  // namespace copse::python
