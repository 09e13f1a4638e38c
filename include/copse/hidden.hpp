// Objects that a public class owns and whose type only the library knows.
#pragma once
#include <memory>

namespace copse {

/// A class with a member of this type needs no move operations or destructor of its own.
template <class T>
using hidden = std::unique_ptr<T, void (*)(T*)>;

}  // namespace copse
