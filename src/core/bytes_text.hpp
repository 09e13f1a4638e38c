// Numbers of bytes for people.
#pragma once
#include <cstdint>
#include <string>

namespace copse {

/// `800.0 MB`: in powers of 1000, with one digit behind the point.
std::string bytes_text(std::uint64_t bytes);

}  // namespace copse
