// Private members of public classes: objects whose type is defined only inside the library.
#pragma once
#include <memory>

namespace copse {

/// Owns an object of an incomplete type T. A class with a member of this type needs no move operations or destructor of its own.
template <class T>
using hidden = std::unique_ptr<T, void (*)(T*)>;

}  // namespace copse
