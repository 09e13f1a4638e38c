// The distinct values of a column by their ranks, without sorting the whole column: splitters from a sample distribute the values to
// buckets that fit into caches; each bucket is sorted and its repeats are removed, so that ranks are known. Values equal to a splitter are
// dropped at once, so even if some values are very frequent, no bucket is large because of them.
#pragma once
#include <copse/memory.hpp>
#include <copse/weighted_graph.hpp>
#include <core/new_pages.hpp>
#include <core/random.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace copse::weighted {

// Items are distributed to buckets, each of which is contiguous: a first pass over the items, by several threads, counts those of each
// bucket in every chunk of the input, and a second pass puts every item at its position.

/// Cells of equal width from `low` to `high`. A larger number is never in an earlier cell, whatever `low` and `high` are; numbers outside
/// are in the first or the last cell. If the width is not finite, all numbers may be in one cell.
class even_cells {
public:
  even_cells() = default;
  // Adding 0.0 turns minus zero, the difference of zeros of different sign, into zero.
  even_cells(double low, double high, std::size_t count) noexcept
      : low_{low}, cells_per_unit_{static_cast<double>(count) / (high - low + 0.0)}, last_{static_cast<double>(count - 1)} {}
  [[nodiscard]] std::size_t operator()(double x) const noexcept {
    const double at = (x - low_) * cells_per_unit_;
    return at > 0 ? static_cast<std::size_t>(static_cast<std::int64_t>(at < last_ ? at : last_)) : 0;  // 0 also if `at` is NaN
  }

private:
  double low_ = 0, cells_per_unit_ = 0, last_ = 0;
};

/// Finds the position of a number x among a few thousand ascending ones, the splitters. Their range is cut into cells of equal width, and a
/// binary search begins at the first splitter in the cell of x; it always makes as many steps as the fullest cell needs.
class splitters {
public:
  static constexpr std::size_t most = 4095;

  explicit splitters(const std::vector<double>& ascending) : count_{ascending.size()}, starts_(cells + 1) {
    const auto finite = [](double x) { return std::isfinite(x); };
    if (const auto low = std::ranges::find_if(ascending, finite); low != ascending.end()) {
      cell_of_ = {*low, *std::find_if(ascending.rbegin(), ascending.rend(), finite), cells};
    }
    for (const double x : ascending) ++starts_[cell_of_(x) + 1];
    first_step_ = std::bit_floor(std::size_t{*std::ranges::max_element(starts_)});
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    all_ = ascending;
    // comparisons with NaN are false, so a binary search does not go beyond the last splitter
    all_.resize(count_ + 2 * first_step_, std::numeric_limits<double>::quiet_NaN());
  }

  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] double operator[](std::size_t i) const noexcept { return all_[i]; }
  /// Returns how many splitters are at most x. No branch depends on x, so that a processor works on several searches at the same time.
  [[nodiscard]] std::size_t at_most(double x) const noexcept {
    std::size_t k = starts_[cell_of_(x)];
    for (std::size_t step = first_step_; step != 0; step /= 2) k += all_[k + step - 1] <= x ? step : 0;
    return k;
  }

private:
  static constexpr std::size_t cells = 4096;

  std::size_t count_, first_step_ = 0;
  even_cells cell_of_;
  std::vector<double> all_;
  std::vector<std::uint16_t> starts_;  ///< for each cell, the number of splitters in the cells before it
};

/// The bucket of an item; items of no_bucket are dropped.
using bucket = std::uint16_t;
inline constexpr bucket no_bucket = std::numeric_limits<bucket>::max();
static_assert(splitters::most < no_bucket);

/// Distributes `count` items to buckets: the constructor counts the items of each, and deal() gives every item its position. begins()[b] is
/// the position of the first item of bucket b, and begins().back() the number of items whose bucket is not no_bucket.
class dealing {
public:
  template <class Backend, class BucketOf>
  dealing(const Backend& loops, std::size_t count, std::size_t buckets, BucketOf bucket_of, std::pmr::memory_resource* memory)
      : buckets_{buckets}, of_{count, memory}, begins_(buckets + 1) {
    touch_pages(loops.threads(), of_.span());
    const std::size_t pieces = loops.threads() == 1 ? 1 : std::min<std::size_t>(std::size_t{4} * loops.threads(), count / least_piece + 1);
    piece_ = count / pieces + 1;
    places_.assign(pieces * buckets, 0);
    loops.for_chunks(count, piece_, [this, bucket_of](std::size_t begin, std::size_t end) {
      std::size_t* const mine = places_.data() + begin / piece_ * buckets_;
      for (std::size_t i = begin; i < end; ++i) {
        of_[i] = bucket_of(i);
        if (of_[i] != no_bucket) ++mine[of_[i]];
      }
    });
    std::size_t sum = 0;
    for (std::size_t b = 0; b < buckets; ++b) {
      begins_[b] = sum;
      for (std::size_t p = 0; p < pieces; ++p) sum += std::exchange(places_[p * buckets + b], sum);
    }
    begins_[buckets] = sum;
  }

  /// Returns an array for all items that have a bucket.
  template <class T, class Backend>
  [[nodiscard]] buffer<T> room(const Backend& loops, std::pmr::memory_resource* memory) const {
    buffer<T> all{size(), memory};
    touch_pages(loops.threads(), all.span());
    return all;
  }

  /// Calls put(item, position) for every item that has a bucket. May be called once.
  template <class Backend, class Put>
  void deal(const Backend& loops, Put put) {
    loops.for_chunks(of_.size(), piece_, [this, put](std::size_t begin, std::size_t end) {
      std::size_t* const mine = places_.data() + begin / piece_ * buckets_;
      for (std::size_t i = begin; i < end; ++i) {
        if (of_[i] != no_bucket) put(i, mine[of_[i]]++);
      }
    });
  }

  [[nodiscard]] const std::vector<std::size_t>& begins() const noexcept { return begins_; }
  [[nodiscard]] std::size_t size() const noexcept { return begins_.back(); }

private:
  static constexpr std::size_t least_piece = std::size_t{1} << 14;

  std::size_t buckets_, piece_ = 1;
  buffer<bucket> of_;
  std::vector<std::size_t> places_, begins_;
};

/// Returns a weight as a double: for an integer the largest one that does not exceed it; minus zero becomes zero.
template <class Weight>
double level_of(Weight weight) noexcept {
  return largest_double_up_to(weight) + 0.0;
}

/// Sorts the values of one bucket after another. Distributing them to cells of equal width, a few values in each, sorts them nearly.
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
    double* to = first;  // behind the largest value so far
    *to++ = dealt_.front();
    for (std::size_t i = 1; i < count; ++i) {
      const double x = dealt_[i];
      if (x >= to[-1]) {  // if x equals the largest value, it is written behind it, but `to` stays: that needs no branch
        const bool larger = x > to[-1];
        *to = x;
        to += larger ? 1 : 0;
        continue;
      }
      double* at = to;
      while (at != first && at[-1] > x) --at;  // few steps: larger values before x are in the same cell, which has few values
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

  /// Returns the distinct value of this rank; the smallest value has rank 0.
  [[nodiscard]] double at(std::size_t rank) const {
    const auto b = static_cast<std::size_t>(std::ranges::upper_bound(ranks_, rank) - ranks_.begin()) - 1;
    const std::size_t within = rank - ranks_[b], values = ranks_[b + 1] - ranks_[b] - (b < split_.size() ? 1 : 0);
    return within < values ? values_[begins_[b] + within] : split_[b];
  }

private:
  /// There is one bucket for every values_a_bucket values of the column, but not more than few_buckets, as values are distributed to few
  /// buckets faster. A long column has more buckets, so that one has at most about most_values_a_bucket values, which fit a cache. The
  /// limits of the buckets come from a sample of samples_a_bucket values for each.
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
  std::vector<std::size_t> begins_;  ///< for each bucket, the position of its first value
  std::vector<std::size_t> ranks_;   ///< for each bucket, the rank of its smallest value among all distinct values
};

}  // namespace copse::weighted
