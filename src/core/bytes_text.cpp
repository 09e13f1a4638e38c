#include <core/bytes_text.hpp>

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <string_view>

namespace copse {

std::string bytes_text(std::uint64_t bytes) {
  static constexpr std::array<std::string_view, 6> units{"B", "kB", "MB", "GB", "TB", "PB"};
  auto amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; amount >= 1000 && unit + 1 < units.size(); ++unit) amount /= 1000;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", amount, units[unit]);
}

}  // namespace copse
