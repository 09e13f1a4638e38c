// The distinct values of a column by their ranks, without a sort of the whole: values of a sample split the others into buckets that fit
// into caches; repeats within a bucket go, so that ranks are known, and only what is asked for is put in order. A value that splits is
// known, so its repeats are dropped at once: however often some values come, no bucket is large for that.
#pragma once
#include <core/random.hpp>
#include <weighted/thresholds/buckets.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace copse::weighted {

/// A weight as levels have it: zero and minus zero are one.
template <class Weight>
double level_of(Weight weight) noexcept {
  return static_cast<double>(weight) + 0.0;
}

/// A hash table of the values of one bucket after another.
class value_set {
public:
  /// Moves the distinct values of [first, last) to the front. Returns how many.
  std::size_t unite(double* first, double* last) {
    const auto bits = static_cast<unsigned>(std::bit_width(2 * static_cast<std::size_t>(last - first)));
    slots_.assign(std::size_t{1} << bits, std::numeric_limits<double>::quiet_NaN());
    double* to = first;
    for (const double* from = first; from != last; ++from) {
      const double x = *from;
      std::size_t at = (std::bit_cast<std::uint64_t>(x) * 0x9E3779B97F4A7C15u) >> (64 - bits);
      while (slots_[at] == slots_[at] && slots_[at] != x) at = (at + 1) % slots_.size();
      if (slots_[at] == x) continue;
      slots_[at] = x;
      *to++ = x;
    }
    return static_cast<std::size_t>(to - first);
  }

private:
  std::vector<double> slots_;
};

template <class Backend, class Weight>
class distinct_levels {
public:
  distinct_levels(const Backend& loops, std::span<const Weight> column, std::pmr::memory_resource* memory)
      : loops_{loops}, split_{sample_of(column)}, ranks_(split_.size() + 2) {
    const auto bucket_of = [this, column](std::size_t i) {
      const double x = level_of(column[i]);
      const std::size_t at = split_.at_most(x);
      return at != 0 && split_[at - 1] == x ? no_bucket : static_cast<bucket>(at);
    };
    dealing deals{loops, column.size(), split_.size() + 1, bucket_of, memory};
    begins_ = deals.begins();
    values_ = deals.template room<double>(loops, memory);
    deals.deal(loops, [this, column](std::size_t i, std::size_t place) { values_[place] = level_of(column[i]); });
    std::vector<value_set> sets(loops.threads());
    std::vector<std::size_t> sizes(split_.size() + 1);
    loops.for_chunks(sizes.size(), 1, [this, &sets, &sizes](std::size_t b, std::size_t) {
      sizes[b] = sets[Backend::thread()].unite(values_.begin() + begins_[b], values_.begin() + begins_[b + 1]);
    });
    for (std::size_t b = 0; b < sizes.size(); ++b) ranks_[b + 1] = ranks_[b] + sizes[b] + (b < split_.size() ? 1 : 0);
  }

  [[nodiscard]] std::size_t size() const noexcept { return ranks_.back(); }

  /// The levels of these ranks, from 0, which ascend: the smallest level has rank 0. Only buckets that are asked for are put in order.
  [[nodiscard]] std::vector<double> at(const std::vector<std::size_t>& ranks) {
    std::vector<double> found(ranks.size());
    loops_.for_chunks(split_.size() + 1, 1, [this, &ranks, &found](std::size_t b, std::size_t) {
      const auto begin = std::ranges::lower_bound(ranks, ranks_[b]), end = std::ranges::lower_bound(ranks, ranks_[b + 1]);
      if (begin == end) return;
      double* const values = values_.begin() + begins_[b];
      const std::size_t count = ranks_[b + 1] - ranks_[b] - (b < split_.size() ? 1 : 0);
      if (end - begin == 1) {
        if (*begin - ranks_[b] < count) std::nth_element(values, values + (*begin - ranks_[b]), values + count);
      } else {
        std::sort(values, values + count);
      }
      for (auto rank = begin; rank != end; ++rank)
        found[static_cast<std::size_t>(rank - ranks.begin())] = *rank - ranks_[b] < count ? values[*rank - ranks_[b]] : split_[b];
    });
    return found;
  }

private:
  static constexpr std::size_t values_a_bucket = 4096, samples_a_bucket = 8;

  static splitters sample_of(std::span<const Weight> column) {
    const std::size_t wanted = std::min(splitters::most, column.size() / values_a_bucket);
    const random_stream random{2, 0};
    std::vector<double> sample(wanted * samples_a_bucket), split;
    for (std::size_t i = 0; i < sample.size(); ++i) sample[i] = level_of(column[random.below(i, column.size())]);
    std::sort(sample.begin(), sample.end());
    for (std::size_t i = 0; i < sample.size(); i += samples_a_bucket) split.push_back(sample[i]);
    split.erase(std::unique(split.begin(), split.end()), split.end());
    return splitters{std::move(split)};
  }

  const Backend& loops_;
  splitters split_;
  buffer<double> values_;
  std::vector<std::size_t> begins_;  ///< of each bucket: where its values begin
  std::vector<std::size_t> ranks_;   ///< of each bucket: the rank of its smallest value; behind its largest comes the splitter
};

}  // namespace copse::weighted
