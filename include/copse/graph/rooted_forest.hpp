// A forest as parents and depths.
#pragma once
#include <copse/core/memory.hpp>
#include <copse/core/types.hpp>
#include <copse/graph/vertex_names.hpp>

#include <cstdint>
#include <utility>
#include <variant>

namespace copse {

/// Trees that know their roots: the smallest vertex of each tree, which is its own parent and has depth 0.
class rooted_forest {
public:
  template <unsigned_index Id>
  struct arrays {
    buffer<Id> parents;  ///< n ids
    buffer<Id> depths;   ///< n numbers of edges up to the root
  };
  using storage = std::variant<arrays<std::uint32_t>, arrays<std::uint64_t>>;

  rooted_forest() = default;
  template <unsigned_index Id>
  rooted_forest(arrays<Id> held, vertex_names names) : arrays_{std::move(held)}, names_{std::move(names)} {}

  [[nodiscard]] std::uint64_t vertices() const noexcept {
    return std::visit([](const auto& held) { return std::uint64_t{held.parents.size()}; }, arrays_);
  }
  [[nodiscard]] std::uint64_t parent(std::uint64_t v) const noexcept {
    return std::visit([v](const auto& held) { return std::uint64_t{held.parents[v]}; }, arrays_);
  }
  [[nodiscard]] std::uint64_t depth(std::uint64_t v) const noexcept {
    return std::visit([v](const auto& held) { return std::uint64_t{held.depths[v]}; }, arrays_);
  }
  /// For loops over all vertices.
  [[nodiscard]] const storage& held() const noexcept { return arrays_; }
  [[nodiscard]] const vertex_names& names() const noexcept { return names_; }

private:
  storage arrays_;
  vertex_names names_;
};

}  // namespace copse
