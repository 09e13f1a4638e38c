// Builds rows from arcs, in two steps with good cache locality. First, the arcs are distributed to buckets; a bucket is a range of vertices
// whose arcs take about 256 KiB. Then each bucket is turned into rows on its own: arcs are counted and scattered, rows are sorted, and
// duplicates are dropped. Scattering arcs straight to their rows would cause a cache miss and a TLB miss per arc. Each slice of the input
// has its own range of positions in each bucket, so threads share nothing, and the result does not depend on their number. Cost: O(n + m),
// plus sorting the rows. Memory: the arcs (targets), half as much in addition until the rows are sorted, and a second copy of the arcs if
// duplicates left gaps that must be closed.
#pragma once
#include "core/parallel.hpp"
#include "core/request.hpp"
#include "graph/scan.hpp"

#include <copse/build.hpp>
#include <copse/errors.hpp>
#include <copse/memory.hpp>
#include <copse/types.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace copse {

/// Sorts rows whose ids are below `bound`; `scratch` must have room for the longest row. Short rows are sorted by insertion, medium ones by
/// comparison, long ones by radix sort (few digits suffice, and there are no mispredicted branches).
template <unsigned_index Id>
class row_sorter {
public:
  row_sorter(std::uint64_t bound, buffer<Id>& scratch)
      : scratch_{scratch}, digits_{(static_cast<unsigned>(std::bit_width(bound == 0 ? 0 : bound - 1)) + digit_bits - 1) / digit_bits} {}

  void operator()(std::span<Id> row) {
    if (row.size() <= insertion_limit) return insert(row);
    if (std::is_sorted(row.begin(), row.end())) return;
    if (row.size() <= comparison_limit * digits_) return std::sort(row.begin(), row.end());
    by_digits(row);
  }

private:
  static constexpr std::size_t insertion_limit = 24;
  // rows of up to this many ids per digit (byte) of an id are sorted faster by comparison than by radix sort
  static constexpr std::size_t comparison_limit = 96;
  static constexpr unsigned digit_bits = 8;
  static constexpr std::size_t digit_values = std::size_t{1} << digit_bits;

  static void insert(std::span<Id> row) {
    for (std::size_t i = 1; i < row.size(); ++i) {
      const Id id = row[i];
      std::size_t at = i;
      for (; at > 0 && row[at - 1] > id; --at) row[at] = row[at - 1];
      row[at] = id;
    }
  }

  void by_digits(std::span<Id> row) {
    std::span<Id> from = row;
    std::span<Id> to = scratch_.span().first(row.size());
    for (unsigned digit = 0; digit < digits_; ++digit) {
      const unsigned shift = digit * digit_bits;
      const auto value = [shift](Id id) { return static_cast<std::size_t>(id >> shift) % digit_values; };
      std::array<std::size_t, digit_values> starts{};
      for (const Id id : from) ++starts[value(id)];
      std::size_t sum = 0;
      for (std::size_t& start : starts) sum += std::exchange(start, sum);
      for (const Id id : from) to[starts[value(id)]++] = id;
      std::swap(from, to);
    }
    if (from.data() != row.data()) std::copy(from.begin(), from.end(), row.begin());
  }

  buffer<Id>& scratch_;
  unsigned digits_;
};

/// How vertices are divided into buckets: bucket b holds the vertices in [b << shift, (b + 1) << shift).
struct bucket_plan {
  unsigned shift = 0;
  std::size_t count = 1;

  bucket_plan(std::uint64_t vertices, std::uint64_t arcs, std::size_t arc_bytes) {
    constexpr std::uint64_t bucket_bytes = std::uint64_t{1} << 18;
    constexpr std::uint64_t most_buckets = 2048;  // so that the staging buffers of all buckets fit in the L2 cache
    constexpr unsigned small_bucket = 16;         // log2 of the number of vertices that a bucket should not exceed much
    const std::uint64_t wanted =
        std::clamp<std::uint64_t>(std::max(arcs * arc_bytes / bucket_bytes, vertices >> small_bucket), 1, most_buckets);
    while ((vertices >> shift) + 1 > wanted && (vertices >> shift) != 0) ++shift;
    count = static_cast<std::size_t>((vertices >> shift) + 1);
  }
};

/// Builds rows: distributes the arcs to buckets of consecutive vertices, and sorts each bucket into rows. `Arcs` must have vertices(),
/// size() (number of items: edges or rows), arcs(), and a call operator that visits the arcs of a range of items; `Local` is the type of a
/// vertex's index in its bucket.
template <unsigned_index Id, unsigned_index Offset, class Local, class Arcs>
class row_builder {
public:
  row_builder(const Arcs& arcs, bool mirror, const bucket_plan& plan, const request<build_options>& options)
      : arcs_{arcs},
        mirror_{mirror},
        plan_{plan},
        options_{options},
        threads_{usable_threads(options.threads)},
        n_{arcs.vertices()},
        slices_{threads_ == 1 ? 1 : std::clamp<std::size_t>(arcs.arcs() / arcs_per_slice, 1, slices_per_thread * threads_)} {}

  csr<Id, Offset> run() {
    // places[slice][bucket]: first the number of arcs of a slice of the input whose source is in the bucket, later the position where the
    // next one of them is stored
    buffer<std::uint64_t> places{slices_ * plan_.count, options_.memory};
    for_each_slice([&](std::size_t slice, std::size_t begin, std::size_t end) { count(places_of(places, slice), begin, end); });
    buffer<std::uint64_t> starts = scan(places);
    targets_ = buffer<Id>{starts[plan_.count], options_.memory};
    locals_ = buffer<Local>{starts[plan_.count], options_.memory};
    for_each_slice([&](std::size_t slice, std::size_t begin, std::size_t end) { deal(places_of(places, slice), begin, end); });
    places = {};

    csr<Id, Offset> rows;
    rows.sorted = true;
    rows.offsets = buffer<Offset>{n_ + 1, options_.memory};
    rows.offsets[n_] = 0;
    parallel_blocks(threads_, plan_.count, 1, [&](std::size_t bucket, std::size_t) {
      stop_if_asked();
      put_in_order(bucket, starts[bucket], starts[bucket + 1], rows.offsets);
    });
    locals_ = {};
    const Offset total = exclusive_scan(rows.offsets.span(), threads_);
    rows.targets = total == targets_.size() ? std::move(targets_) : without_gaps(rows.offsets, starts);
    return rows;
  }

private:
  static constexpr std::size_t arcs_per_slice = std::size_t{1} << 16;
  static constexpr std::size_t items_per_poll = std::size_t{1} << 16;
  static constexpr std::size_t slices_per_thread = 4;
  static constexpr std::size_t staged_arcs = 64 / sizeof(Id);

  /// Buffers the next arcs of one bucket, which are then copied to it together: if single arcs were scattered to up to 2048 buckets, most
  /// would access another memory page than the arc before, and miss the TLB.
  struct staging {
    std::array<Id, staged_arcs> targets;
    std::array<Local, staged_arcs> locals;
  };

  void stop_if_asked() const {
    if (options_.observer != nullptr && options_.observer->cancel_requested()) throw cancelled{};
  }

  std::span<std::uint64_t> places_of(buffer<std::uint64_t>& places, std::size_t slice) const {
    return places.span().subspan(slice * plan_.count, plan_.count);
  }

  template <class Work>
  void for_each_slice(Work work) const {
    const std::size_t items = arcs_.size() / slices_;
    const std::size_t longer = arcs_.size() % slices_;  // number of slices that have one edge (or row) more than the others
    parallel_blocks(threads_, slices_, 1, [&](std::size_t slice, std::size_t) {
      const std::size_t begin = slice * items + std::min(slice, longer);
      work(slice, begin, begin + items + (slice < longer ? 1 : 0));
    });
  }

  template <class Visit>
  void for_each_arc(std::size_t begin, std::size_t end, Visit visit) const {
    for (std::size_t at = begin; at < end; at += items_per_poll) {
      stop_if_asked();
      arcs_(at, std::min(end, at + items_per_poll), [&](Id u, Id v) {
        if (u == v) {
          if (!options_.drop_loops) visit(u, v);
          return;
        }
        visit(u, v);
        if (mirror_) visit(v, u);
      });
    }
  }

  void count(std::span<std::uint64_t> counts, std::size_t begin, std::size_t end) const {
    std::fill(counts.begin(), counts.end(), 0);
    for_each_arc(begin, end, [&](Id u, Id v) {
      if (u >= n_ || v >= n_) refuse(u, v);
      ++counts[u >> plan_.shift];
    });
  }
  [[noreturn]] void refuse(Id u, Id v) const {
    throw usage_error{"build_csr: found edge " + std::to_string(u) + " " + std::to_string(v) + ", expected vertices below " +
                      std::to_string(n_)};
  }

  /// Turns the counts of arcs in `places` into positions. Returns the position where each bucket begins, followed by the number of arcs.
  buffer<std::uint64_t> scan(buffer<std::uint64_t>& places) const {
    buffer<std::uint64_t> starts{plan_.count + 1, options_.memory};
    std::uint64_t sum = 0;
    for (std::size_t bucket = 0; bucket < plan_.count; ++bucket) {
      starts[bucket] = sum;
      for (std::size_t slice = 0; slice < slices_; ++slice) sum += std::exchange(places[slice * plan_.count + bucket], sum);
    }
    starts[plan_.count] = sum;
    return starts;
  }

  void deal(std::span<std::uint64_t> places, std::size_t begin, std::size_t end) {
    buffer<staging> staged{plan_.count, options_.memory};
    // sizes[b]: number of arcs in staged[b], the buffer of bucket b
    buffer<std::uint8_t> sizes{plan_.count, options_.memory};
    std::fill(sizes.begin(), sizes.end(), std::uint8_t{0});
    const Id local_mask = static_cast<Id>((std::uint64_t{1} << plan_.shift) - 1);
    for_each_arc(begin, end, [&](Id u, Id v) {
      const std::size_t bucket = u >> plan_.shift;
      staging& stage = staged[bucket];
      const std::size_t size = sizes[bucket];
      stage.targets[size] = v;
      stage.locals[size] = static_cast<Local>(u & local_mask);
      if (size + 1 < staged_arcs) {
        sizes[bucket] = static_cast<std::uint8_t>(size + 1);
        return;
      }
      std::copy_n(stage.targets.begin(), staged_arcs, targets_.begin() + places[bucket]);
      std::copy_n(stage.locals.begin(), staged_arcs, locals_.begin() + places[bucket]);
      places[bucket] += staged_arcs;
      sizes[bucket] = 0;
    });
    for (std::size_t bucket = 0; bucket < plan_.count; ++bucket) {
      std::copy_n(staged[bucket].targets.begin(), sizes[bucket], targets_.begin() + places[bucket]);
      std::copy_n(staged[bucket].locals.begin(), sizes[bucket], locals_.begin() + places[bucket]);
    }
  }

  /// Sorts the arcs of a bucket into consecutive rows from position `begin` on, and stores the lengths of the rows in `lengths`.
  void put_in_order(std::size_t bucket, std::uint64_t begin, std::uint64_t end, buffer<Offset>& lengths) {
    const std::size_t first = bucket << plan_.shift;
    const std::size_t count = std::min(n_, (bucket + 1) << plan_.shift) - first;
    buffer<std::uint64_t> ends{count, options_.memory};
    std::fill(ends.begin(), ends.end(), 0);
    for (std::uint64_t i = begin; i < end; ++i) ++ends[locals_[i]];
    std::uint64_t sum = begin;
    for (std::uint64_t& place : ends) sum += std::exchange(place, sum);
    buffer<Id> unordered{static_cast<std::size_t>(end - begin), options_.memory};
    std::copy_n(targets_.begin() + begin, end - begin, unordered.begin());
    for (std::uint64_t i = begin; i < end; ++i) targets_[ends[locals_[i]]++] = unordered[i - begin];

    row_sorter<Id> sort_row{n_, unordered};
    std::uint64_t from = begin;
    Id* to = targets_.begin() + begin;
    for (std::size_t i = 0; i < count; ++i) {
      const std::span<Id> row{targets_.begin() + from, targets_.begin() + ends[i]};
      from = ends[i];
      sort_row(row);
      Id* const row_end = options_.drop_duplicates ? std::unique(row.data(), row.data() + row.size()) : row.data() + row.size();
      const auto length = static_cast<std::size_t>(row_end - row.data());
      if (to != row.data()) std::copy(row.data(), row_end, to);
      to += length;
      lengths[first + i] = static_cast<Offset>(length);
    }
  }

  buffer<Id> without_gaps(const buffer<Offset>& offsets, const buffer<std::uint64_t>& starts) {
    buffer<Id> targets{offsets[n_], options_.memory};
    parallel_blocks(threads_, plan_.count, 1, [&](std::size_t bucket, std::size_t) {
      const Offset begin = offsets[std::min(n_, bucket << plan_.shift)];
      const Offset end = offsets[std::min(n_, (bucket + 1) << plan_.shift)];
      std::copy_n(targets_.begin() + starts[bucket], end - begin, targets.begin() + begin);
    });
    targets_ = {};
    return targets;
  }

  const Arcs& arcs_;
  bool mirror_;
  bucket_plan plan_;
  const request<build_options>& options_;
  unsigned threads_;
  std::size_t n_;
  std::size_t slices_;
  buffer<Id> targets_;    // ordered by bucket at first, later by row
  buffer<Local> locals_;  // for each arc, the index of its source in the bucket
};

}  // namespace copse
