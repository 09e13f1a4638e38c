// Lists as files and generators give them: an array of successors, of the narrowest ids.
#pragma once
#include <copse/core/memory.hpp>

#include <cstdint>
#include <variant>

namespace copse {

/// successors[i] is the element after i; a list ends where it is i itself or all ones.
using successor_list = std::variant<buffer<std::uint32_t>, buffer<std::uint64_t>>;

}  // namespace copse
