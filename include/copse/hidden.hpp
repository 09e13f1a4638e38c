// Objects that a public class owns and whose type only the library knows.
#pragma once
#include <memory>

namespace copse {

/// A class that holds one moves, and ends, by what the compiler writes.
template <class T>
using hidden = std::unique_ptr<T, void (*)(T*)>;

}  // namespace copse
