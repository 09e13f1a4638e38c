// From the name of a vertex in a file to its slot, in constant time. Names that count up need no table; otherwise open addressing over slot
// numbers, 5 to 11 bytes per vertex for 32-bit slots (the names themselves stay where they are).
#pragma once
#include <copse/labels.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace copse {

template <unsigned_index Id>
class name_index {
public:
  /// Keeps a reference to `names`.
  name_index(const vertex_names& names, std::pmr::memory_resource* memory) : names_{names} {
    if (names.first_id()) return;
    slots_ = buffer<Id>(std::bit_ceil(names.size() + names.size() / 3 + 2), memory);
    std::ranges::fill(slots_, no_vertex<Id>);
    for (std::uint64_t i = 0; i < names.size(); ++i) {
      std::size_t at = names.what() == vertex_names::kind::strings ? start(names.string(i)) : start(names.integer(i));
      while (slots_[at] != no_vertex<Id>) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = static_cast<Id>(i);
    }
  }

  [[nodiscard]] std::optional<std::uint64_t> find(std::uint64_t name) const noexcept {
    if (names_.first_id()) return names_.find(name);
    if (names_.what() == vertex_names::kind::strings) return std::nullopt;
    return probe(start(name), [&](std::uint64_t slot) { return names_.integer(slot) == name; });
  }
  [[nodiscard]] std::optional<std::uint64_t> find(std::string_view name) const noexcept {
    if (names_.what() != vertex_names::kind::strings) return std::nullopt;
    return probe(start(name), [&](std::uint64_t slot) { return names_.string(slot) == name; });
  }

private:
  [[nodiscard]] std::size_t start(std::uint64_t name) const noexcept {
    const std::uint64_t spread = name * 0x9E3779B97F4A7C15u;
    return static_cast<std::size_t>((spread ^ (spread >> 32)) & (slots_.size() - 1));
  }
  [[nodiscard]] std::size_t start(std::string_view name) const noexcept {
    return std::hash<std::string_view>{}(name) & (slots_.size() - 1);
  }

  template <class Same>
  [[nodiscard]] std::optional<std::uint64_t> probe(std::size_t at, Same same) const noexcept {
    for (; slots_[at] != no_vertex<Id>; at = (at + 1) & (slots_.size() - 1)) {
      if (same(slots_[at])) return slots_[at];
    }
    return std::nullopt;
  }

  const vertex_names& names_;
  buffer<Id> slots_;
};

}  // namespace copse
