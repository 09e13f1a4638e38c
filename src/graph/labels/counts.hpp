// Counts how many vertices have each label, which answers all questions about sizes.
#pragma once
#include <copse/labels.hpp>
#include <core/parallel.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace copse {

inline constexpr std::size_t labels_per_block = std::size_t{1} << 18;

namespace detail {

/// Calls add(label, count) for the labels in [begin, end), possibly several times per label. Neighbouring vertices often share a label or
/// are absent, so a group of vertices that all have the current label or are absent is counted at once, without a branch for each.
template <unsigned_index Id, class Add>
void count_runs(const buffer<Id>& labels, std::size_t begin, std::size_t end, Add add) {
  constexpr std::size_t together = 32;
  Id common = 0, of_common = 0;
  std::size_t i = begin;
  const auto count_until = [&](std::size_t stop) {
    for (; i < stop; ++i) {
      if (labels[i] == no_vertex<Id>) continue;
      if (labels[i] != common) {
        if (of_common != 0) add(common, std::exchange(of_common, Id{0}));
        common = labels[i];
      }
      ++of_common;
    }
  };
  while (i + together <= end) {
    Id same = 0, absent = 0;
    for (std::size_t k = i; k < i + together; ++k) {
      same += static_cast<Id>(labels[k] == common);
      absent += static_cast<Id>(labels[k] == no_vertex<Id>);
    }
    if (same + absent == together) {
      of_common += same;
      i += together;
    } else {
      count_until(i + together);
    }
  }
  count_until(end);
  if (of_common != 0) add(common, of_common);
}

/// Counts that all threads add to. A thread keeps its count of a label to itself until another label needs the same place in its small
/// cache; otherwise threads would wait for each other at every vertex of a large component.
template <unsigned_index Id>
class shared_counts {
public:
  explicit shared_counts(Id* counts) noexcept : counts_{counts} {}
  shared_counts(const shared_counts&) = delete;
  ~shared_counts() {
    for (const auto& [label, count] : places_) put(label, count);
  }
  void add(Id label, Id count) noexcept {
    place& here = places_[label % places_.size()];
    if (here.label != label) put(std::exchange(here.label, label), std::exchange(here.count, Id{0}));
    here.count += count;
  }

private:
  struct place {
    Id label = 0, count = 0;
  };
  void put(Id label, Id count) const noexcept {
    if (count != 0) std::atomic_ref<Id>{counts_[label]}.fetch_add(count, std::memory_order_relaxed);
  }

  Id* counts_;
  std::array<place, 61> places_;  // a prime size, because labels are often a power of two apart
};

}  // namespace detail

/// Returns counts[l], the number of vertices with label l. Threads take blocks of vertices, and add to the counts atomically.
template <unsigned_index Id>
buffer<Id> count_labels(const buffer<Id>& labels, std::pmr::memory_resource* memory, unsigned threads) {
  // counts per page of 2 MiB: if several threads were the first to write to a page, the system would clear a page for each of them
  constexpr std::size_t page = (std::size_t{2} << 20) / sizeof(Id);
  buffer<Id> counts(labels.size(), memory);
  parallel_blocks(threads, counts.size(), page,
                  [&counts](std::size_t begin, std::size_t end) { std::fill(counts.data() + begin, counts.data() + end, Id{0}); });
  if (threads <= 1 || labels.size() <= labels_per_block) {
    detail::count_runs(labels, 0, labels.size(), [&counts](Id label, Id count) { counts[label] += count; });
    return counts;
  }
  parallel_blocks(threads, labels.size(), labels_per_block, [&](std::size_t begin, std::size_t end) {
    detail::shared_counts<Id> mine{counts.data()};
    detail::count_runs(labels, begin, end, [&mine](Id label, Id count) { mine.add(label, count); });
  });
  return counts;
}

/// Calls visit(label, count) for every label in [first, last) with vertices, in ascending order. If there are few components, most counts
/// are 0, and groups of zeros are skipped at once.
template <unsigned_index Id, class Visit>
void for_each_count(const buffer<Id>& counts, std::size_t first, std::size_t last, Visit visit) {
  constexpr std::size_t together = 32;
  for (std::size_t begin = first; begin < last; begin += together) {
    const std::size_t end = std::min(begin + together, last);
    Id any = 0;
    for (std::size_t label = begin; label < end; ++label) any |= counts[label];
    if (any == 0) continue;
    for (std::size_t label = begin; label < end; ++label) {
      if (counts[label] != 0) visit(label, counts[label]);
    }
  }
}

}  // namespace copse
