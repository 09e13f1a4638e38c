// Items dealt out by their buckets, each bucket side by side: pieces are counted, then every item is put where the counts say.
#pragma once
#include <copse/memory.hpp>
#include <core/new_pages.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace copse::weighted {

/// Cells of equal width from `low` to `high`. A larger number is never in an earlier cell, whatever the three are; those outside are in the
/// first and in the last cell. Where the width is no finite number, all may be in one.
class even_cells {
public:
  even_cells() = default;
  // The width of zeros of both signs would be minus zero.
  even_cells(double low, double high, std::size_t count) noexcept
      : low_{low}, cells_per_unit_{static_cast<double>(count) / (high - low + 0.0)}, last_{static_cast<double>(count - 1)} {}
  [[nodiscard]] std::size_t operator()(double x) const noexcept {
    const double at = (x - low_) * cells_per_unit_;
    return at > 0 ? static_cast<std::size_t>(static_cast<std::int64_t>(at < last_ ? at : last_)) : 0;  // 0 for no number, too
  }

private:
  double low_ = 0, cells_per_unit_ = 0, last_ = 0;
};

/// A few thousand ascending numbers. Cells say about where a number is among them, a few steps of a search by halves say where: as many as
/// the fullest cell needs.
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
    all_.resize(count_ + 2 * first_step_, std::numeric_limits<double>::quiet_NaN());  // which is not at most anything
  }

  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] double operator[](std::size_t i) const noexcept { return all_[i]; }
  /// How many are at most x. No branch depends on x, so that searches overlap.
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
  std::vector<std::uint16_t> starts_;  ///< of each cell: how many numbers are in cells before it
};

/// Which bucket an item goes to; no_bucket: it is dropped.
using bucket = std::uint16_t;
inline constexpr bucket no_bucket = std::numeric_limits<bucket>::max();
static_assert(splitters::most < no_bucket);

/// Where each of `count` items goes: begins()[b] is the place of the first item of bucket b, begins().back() that behind the last.
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

  /// Room for what is dealt out.
  template <class T, class Backend>
  [[nodiscard]] buffer<T> room(const Backend& loops, std::pmr::memory_resource* memory) const {
    buffer<T> all{size(), memory};
    touch_pages(loops.threads(), all.span());
    return all;
  }

  /// put(item, place) for every item that has a bucket; once.
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

}  // namespace copse::weighted
