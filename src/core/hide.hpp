// Creates the hidden implementation objects that public classes own.
#pragma once
#include <copse/hidden.hpp>

#include <memory>

namespace copse {

template <class T>
[[nodiscard]] hidden<T> hide(std::unique_ptr<T> made) noexcept {
  return {made.release(), [](T* owned) { delete owned; }};
}

}  // namespace copse
