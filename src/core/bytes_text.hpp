// Formats numbers of bytes for people to read.
#pragma once
#include <cstdint>
#include <string>

namespace copse {

/// The number of bytes in powers of 1000, with one digit after the point, such as `800.0 MB`.
std::string bytes_text(std::uint64_t bytes);

}  // namespace copse
