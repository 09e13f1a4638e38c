#include <copse/execution.hpp>
#include <copse/labels.hpp>
#include <core/parallel.hpp>
#include <graph/labels/counts.hpp>

#include <algorithm>
#include <bit>
#include <mutex>
#include <utility>
#include <variant>

namespace copse {
namespace {

// Orders components by size, larger ones first, then by label.
bool ranks_before(const component& a, const component& b) noexcept { return a.size != b.size ? a.size > b.size : a.label < b.label; }

/// The summary of some components. Summaries can be added in any order: each thread makes one for each block of labels.
class tally {
public:
  explicit tally(std::size_t top_count) : top_count_{top_count} {}

  void add(const component& c) {
    ++summary_.components;
    summary_.vertices += c.size;
    summary_.isolated += c.size == 1 ? 1 : 0;
    count_in(static_cast<std::size_t>(std::bit_width(c.size) - 1), 1);
    rank(c);
  }
  void add(const tally& other) {
    summary_.components += other.summary_.components;
    summary_.vertices += other.summary_.vertices;
    summary_.isolated += other.summary_.isolated;
    for (std::size_t bucket = other.summary_.histogram.size(); bucket-- > 0;) count_in(bucket, other.summary_.histogram[bucket]);
    if (ranks_before(other.summary_.largest, summary_.largest)) summary_.largest = other.summary_.largest;
    for (const component& c : other.summary_.top) rank(c);
  }
  component_summary take() && {
    std::ranges::sort_heap(summary_.top, ranks_before);
    return std::move(summary_);
  }

private:
  void count_in(std::size_t bucket, std::uint64_t components) {
    if (summary_.histogram.size() <= bucket) summary_.histogram.resize(bucket + 1);
    summary_.histogram[bucket] += components;
  }
  // Updates the largest component and `top`, a heap whose front is the component that ranks last in it.
  void rank(const component& c) {
    if (ranks_before(c, summary_.largest)) summary_.largest = c;
    if (top_count_ == 0) return;
    auto& top = summary_.top;
    if (top.size() == top_count_) {
      if (!ranks_before(c, top.front())) return;
      std::ranges::pop_heap(top, ranks_before);
      top.pop_back();
    }
    top.push_back(c);
    std::ranges::push_heap(top, ranks_before);
  }

  std::size_t top_count_;
  component_summary summary_;
};

}  // namespace

component_summary summarise(const labelling& labels, std::size_t top_count, const execution& on) {
  const unsigned threads = usable_threads(on.threads);
  tally all{top_count};
  std::mutex guard;
  std::visit(
      [&](const auto& values) {
        const auto counts = count_labels(values, on.memory, threads);
        parallel_blocks(threads, counts.size(), labels_per_block, [&](std::size_t begin, std::size_t end) {
          tally block{top_count};
          for_each_count(counts, begin, end, [&block](std::uint64_t label, std::uint64_t size) { block.add(component{label, size}); });
          const std::lock_guard lock{guard};
          all.add(block);
        });
      },
      labels.labels());
  return std::move(all).take();
}

std::vector<component> component_sizes(const labelling& labels, const execution& on) {
  std::vector<component> sizes;
  std::visit(
      [&](const auto& values) {
        const auto counts = count_labels(values, on.memory, usable_threads(on.threads));
        sizes.reserve(counts.size() - static_cast<std::size_t>(std::ranges::count(counts, 0u)));
        for_each_count(counts, 0, counts.size(), [&sizes](std::uint64_t label, std::uint64_t size) { sizes.push_back({label, size}); });
      },
      labels.labels());
  return sizes;
}

}  // namespace copse
