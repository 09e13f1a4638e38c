// A list that is two columns, read as edges.
#pragma once
#include <copse/views.hpp>

#include <cstddef>
#include <span>

namespace copse::fast {

template <class Id>
class column_edges {
public:
  explicit column_edges(edge_columns_view<Id> columns) noexcept : sources_{columns.sources}, targets_{columns.targets} {}
  [[nodiscard]] std::size_t size() const noexcept { return sources_.size(); }
  edge<Id> operator[](std::size_t i) const noexcept { return {sources_[i], targets_[i]}; }
  [[nodiscard]] const Id* sources() const noexcept { return sources_.data(); }
  [[nodiscard]] const Id* targets() const noexcept { return targets_.data(); }

private:
  std::span<const Id> sources_, targets_;
};

}  // namespace copse::fast
