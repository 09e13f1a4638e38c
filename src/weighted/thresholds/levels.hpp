// The distinct values of a column by their ranks, without a sort of the whole: values of a sample split the others into buckets that fit
// into caches; each bucket is put in order and its repeats go, so that ranks are known. A value that splits is
// known, so its repeats are dropped at once: however often some values come, no bucket is large for that.
#pragma once
#include <copse/weighted_graph.hpp>
#include <core/random.hpp>
#include <weighted/thresholds/buckets.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace copse::weighted {

/// A weight as levels have it: zero and minus zero are one, and an integer reaches its level.
template <class Weight>
double level_of(Weight weight) noexcept {
  return largest_double_up_to(weight) + 0.0;
}

/// Puts the values of one bucket after another in order: dealt into cells of equal width, a few in each, they nearly are.
class value_sorter {
public:
  /// Moves the distinct values of [first, last) to the front, ascending. Returns how many. Most are between `low` and `high`.
  std::size_t unite(double* first, double* last, double low, double high) {
    const auto count = static_cast<std::size_t>(last - first);
    if (count == 0) return 0;
    const std::size_t cells = std::min(std::bit_ceil(count), most_cells);
    const even_cells cell_of{low, high, cells};
    ends_.assign(cells, 0);
    dealt_.resize(count);
    for (const double* x = first; x != last; ++x) ++ends_[cell_of(*x)];
    std::exclusive_scan(ends_.begin(), ends_.end(), ends_.begin(), std::size_t{0});
    for (const double* x = first; x != last; ++x) dealt_[ends_[cell_of(*x)]++] = *x;
    std::size_t begin = 0;
    for (const std::size_t end : ends_) {
      if (end - begin > few) std::sort(dealt_.data() + begin, dealt_.data() + end);
      begin = end;
    }
    double* to = first;  // behind the largest
    *to++ = dealt_.front();
    for (std::size_t i = 1; i < count; ++i) {
      const double x = dealt_[i];
      if (x >= to[-1]) {  // repeats take no branch of their own
        const bool larger = x > to[-1];
        *to = x;
        to += larger ? 1 : 0;
        continue;
      }
      double* at = to;
      while (at != first && at[-1] > x) --at;  // not far: within the cell
      if (at != first && at[-1] == x) continue;
      std::copy_backward(at, to, to + 1);
      *at = x;
      ++to;
    }
    return static_cast<std::size_t>(to - first);
  }

private:
  static constexpr std::size_t most_cells = std::size_t{1} << 13, few = 16;

  std::vector<std::size_t> ends_;
  std::vector<double> dealt_;
};

template <class Backend, class Weight>
class distinct_levels {
public:
  distinct_levels(const Backend& loops, std::span<const Weight> column, std::pmr::memory_resource* memory)
      : split_{sample_of(column)}, ranks_(split_.size() + 2) {
    const auto bucket_of = [this, column](std::size_t i) {
      const double x = level_of(column[i]);
      const std::size_t at = split_.at_most(x);
      return at != 0 && split_[at - 1] == x ? no_bucket : static_cast<bucket>(at);
    };
    dealing deals{loops, column.size(), split_.size() + 1, bucket_of, memory};
    begins_ = deals.begins();
    values_ = deals.template room<double>(loops, memory);
    deals.deal(loops, [this, column](std::size_t i, std::size_t place) { values_[place] = level_of(column[i]); });
    std::vector<value_sorter> sorters(loops.threads());
    std::vector<std::size_t> sizes(split_.size() + 1);
    loops.for_chunks(sizes.size(), 1, [this, &sorters, &sizes](std::size_t b, std::size_t) {
      double *const first = values_.begin() + begins_[b], *const last = values_.begin() + begins_[b + 1];
      if (first == last) return;
      const double low = b == 0 ? *std::min_element(first, last) : split_[b - 1];
      const double high = b == split_.size() ? *std::max_element(first, last) : split_[b];
      sizes[b] = sorters[Backend::thread()].unite(first, last, low, high);
    });
    for (std::size_t b = 0; b < sizes.size(); ++b) ranks_[b + 1] = ranks_[b] + sizes[b] + (b < split_.size() ? 1 : 0);
  }

  [[nodiscard]] std::size_t size() const noexcept { return ranks_.back(); }

  /// The level of this rank: that of the smallest level is 0.
  [[nodiscard]] double at(std::size_t rank) const {
    const auto b = static_cast<std::size_t>(std::ranges::upper_bound(ranks_, rank) - ranks_.begin()) - 1;
    const std::size_t within = rank - ranks_[b], values = ranks_[b + 1] - ranks_[b] - (b < split_.size() ? 1 : 0);
    return within < values ? values_[begins_[b] + within] : split_[b];
  }

private:
  /// Few buckets are dealt into faster; values of one are to fit into a cache.
  static constexpr std::size_t few_buckets = 1023, values_a_bucket = 4096, most_values_a_bucket = 32768, samples_a_bucket = 8;

  static splitters sample_of(std::span<const Weight> column) {
    const std::size_t wanted =
        std::clamp(column.size() / most_values_a_bucket, std::min(few_buckets, column.size() / values_a_bucket), splitters::most);
    const random_stream random{2, 0};
    std::vector<double> sample(wanted * samples_a_bucket), split;
    for (std::size_t i = 0; i < sample.size(); ++i) sample[i] = level_of(column[random.below(i, column.size())]);
    std::sort(sample.begin(), sample.end());
    for (std::size_t i = 0; i < sample.size(); i += samples_a_bucket) split.push_back(sample[i]);
    split.erase(std::unique(split.begin(), split.end()), split.end());
    return splitters{split};
  }

  splitters split_;
  buffer<double> values_;
  std::vector<std::size_t> begins_;  ///< of each bucket: where its values begin
  std::vector<std::size_t> ranks_;   ///< of each bucket: the rank of its smallest value; behind its largest comes the splitter
};

}  // namespace copse::weighted
