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
        for (std::size_t label = 0; label < counts.size(); ++label) {
          if (counts[label] != 0) look_at({label, counts[label]});
        }
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
        for (std::size_t label = 0; label < counts.size(); ++label) {
          if (counts[label] != 0) sizes.push_back({label, counts[label]});
        }
      },
      labels.labels());
  return sizes;
}

}  // namespace copse
