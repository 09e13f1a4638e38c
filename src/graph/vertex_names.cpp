#include <copse/graph.hpp>

#include <algorithm>

namespace copse {

vertex_names vertex_names::identity(std::uint64_t count) {
  vertex_names names;
  names.count_ = count;
  return names;
}

vertex_names vertex_names::consecutive(std::uint64_t first_id, std::uint64_t count) {
  vertex_names names = identity(count);
  if (first_id != 0) names.kind_ = kind::integers;
  names.first_id_ = first_id;
  return names;
}

vertex_names vertex_names::integers(buffer<std::uint64_t> ids, bool are_signed) {
  vertex_names names;
  names.kind_ = kind::integers;
  names.count_ = ids.size();
  names.signed_ = are_signed && !ids.empty() && has_sign_bit(ids[0]);
  names.held_ = std::make_shared<contents>(contents{.integers = std::move(ids), .bytes = {}, .offsets = {}});
  return names;
}

vertex_names vertex_names::strings(buffer<char> bytes, buffer<std::uint64_t> offsets) {
  vertex_names names;
  names.kind_ = kind::strings;
  names.count_ = offsets.empty() ? 0 : offsets.size() - 1;
  names.held_ = std::make_shared<contents>(contents{.integers = {}, .bytes = std::move(bytes), .offsets = std::move(offsets)});
  return names;
}

std::optional<std::uint64_t> vertex_names::find(std::uint64_t name) const noexcept {
  if (kind_ == kind::strings) return std::nullopt;
  if (!held_) return name >= first_id_ && name - first_id_ < count_ ? std::optional{name - first_id_} : std::nullopt;
  const auto ids = held_->integers.span();
  const auto at = std::ranges::lower_bound(ids, id_rank(name, signed_), {}, [this](std::uint64_t id) { return id_rank(id, signed_); });
  if (at == ids.end() || *at != name) return std::nullopt;
  return static_cast<std::uint64_t>(at - ids.begin());
}

std::optional<std::uint64_t> vertex_names::find(const vertex_names& others, std::uint64_t i) const noexcept {
  if (others.kind_ == kind::strings) return find(others.string(i));
  const std::uint64_t name = others.integer(i);
  return has_sign_bit(name) && signed_ != others.signed_ ? std::nullopt : find(name);
}

std::optional<std::uint64_t> vertex_names::find(std::string_view name) const noexcept {
  if (kind_ != kind::strings) return std::nullopt;
  std::uint64_t low = 0;
  std::uint64_t high = count_;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (string(middle) < name) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == count_ || string(low) != name) return std::nullopt;
  return low;
}

graph graph::renamed(vertex_names names) && { return {std::move(storage_), std::move(names)}; }

graph_view graph::view() const noexcept {
  return std::visit(
      [](const auto& shape) {
        auto view = shape.view();
        view.trusted = true;
        return graph_view{view};
      },
      storage_);
}

std::uint64_t graph::vertices() const noexcept {
  return std::visit([](const auto& shape) { return std::uint64_t{shape.view().vertices()}; }, storage_);
}

}  // namespace copse
