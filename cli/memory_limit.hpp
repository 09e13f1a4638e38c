// How many bytes this process may have: the machine's memory or the container's, whichever is less.
#pragma once
#include <cstdint>

namespace copse::cli {

/// UINT64_MAX when nothing says.
std::uint64_t memory_of_this_machine();

}  // namespace copse::cli
