// Items dealt out by their buckets, each bucket side by side: pieces are counted, then every item is put where the counts say.
#pragma once
#include <copse/memory.hpp>
#include <core/new_pages.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace copse::weighted {

/// A few thousand ascending numbers, as a search tree in one array: the numbers below slot k are in slots 2k and 2k + 1.
class splitters {
public:
  static constexpr std::size_t most = 4095;

  explicit splitters(std::vector<double> ascending) : all_{std::move(ascending)} {
    while ((std::size_t{1} << levels_) <= all_.size()) ++levels_;
    tree_.assign(std::size_t{1} << levels_, std::numeric_limits<double>::quiet_NaN());  // which is not at most anything
    std::size_t next = 0;
    place(1, next);
  }

  [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }
  [[nodiscard]] double operator[](std::size_t i) const noexcept { return all_[i]; }
  /// How many are at most x. No branch depends on x, so that searches overlap.
  [[nodiscard]] std::size_t at_most(double x) const noexcept {
    std::size_t k = 1;
    for (unsigned level = 0; level < levels_; ++level) k = 2 * k + static_cast<std::size_t>(tree_[k] <= x);
    return k - tree_.size();
  }

private:
  void place(std::size_t k, std::size_t& next) {
    if (k >= tree_.size()) return;
    place(2 * k, next);
    if (next < all_.size()) tree_[k] = all_[next++];
    place(2 * k + 1, next);
  }

  std::vector<double> all_, tree_;
  unsigned levels_ = 0;
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
