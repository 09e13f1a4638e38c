#include <copse/labels.hpp>
#include <graph/labels/counts.hpp>

#include <algorithm>
#include <bit>
#include <variant>

namespace copse {
namespace {

// Larger first; equal sizes by label.
bool ranks_before(const component& a, const component& b) noexcept { return a.size != b.size ? a.size > b.size : a.label < b.label; }

}  // namespace

component_summary summarise(const labelling& labels, std::size_t top_count, std::pmr::memory_resource* memory) {
  component_summary summary;
  const auto look_at = [&](const component& c) {
    ++summary.components;
    summary.vertices += c.size;
    summary.isolated += c.size == 1 ? 1 : 0;
    const auto bucket = static_cast<std::size_t>(std::bit_width(c.size) - 1);
    if (summary.histogram.size() <= bucket) summary.histogram.resize(bucket + 1);
    ++summary.histogram[bucket];
    if (ranks_before(c, summary.largest)) summary.largest = c;
    // A heap whose front is the last of the best so far.
    if (top_count == 0) return;
    if (summary.top.size() == top_count) {
      if (!ranks_before(c, summary.top.front())) return;
      std::ranges::pop_heap(summary.top, ranks_before);
      summary.top.pop_back();
    }
    summary.top.push_back(c);
    std::ranges::push_heap(summary.top, ranks_before);
  };
  std::visit(
      [&](const auto& values) {
        const auto counts = count_labels(values, memory);
        for_each_count(counts, [&look_at](std::uint64_t label, std::uint64_t size) { look_at({label, size}); });
      },
      labels.labels());
  std::ranges::sort_heap(summary.top, ranks_before);
  return summary;
}

std::vector<component> component_sizes(const labelling& labels, std::pmr::memory_resource* memory) {
  std::vector<component> sizes;
  std::visit(
      [&](const auto& values) {
        const auto counts = count_labels(values, memory);
        sizes.reserve(counts.size() - static_cast<std::size_t>(std::ranges::count(counts, 0u)));
        for_each_count(counts, [&sizes](std::uint64_t label, std::uint64_t size) { sizes.push_back({label, size}); });
      },
      labels.labels());
  return sizes;
}

}  // namespace copse
