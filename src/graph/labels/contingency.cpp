#include <core/parallel.hpp>
#include <core/radix_sort.hpp>
#include <graph/labels/contingency.hpp>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

namespace copse {
namespace {

constexpr std::size_t block = std::size_t{1} << 16;

struct group_tally {
  std::uint64_t records;
  /// the sum of n^2 over the groups of the other partition, where n is the number of records that are in both that group and this one
  std::uint64_t squares;

  [[nodiscard]] bool is_broken() const noexcept { return squares != records * records; }
  [[nodiscard]] std::uint64_t pairs_apart() const noexcept { return (records * records - squares) / 2; }
};

constexpr std::uint64_t pairs_of(std::uint64_t records) noexcept {
  return records == 0 ? 0 : records % 2 == 0 ? records / 2 * (records - 1) : (records - 1) / 2 * records;
}

/// Adds counts to the tallies of groups, which all threads share. A thread keeps its counts of a group to itself until another group needs
/// the same place in its small cache; otherwise threads would wait for each other at a group that overlaps many groups of the other
/// partition.
class shared_tallies {
public:
  explicit shared_tallies(std::span<group_tally> all) noexcept : all_{all} {}
  shared_tallies(const shared_tallies&) = delete;
  ~shared_tallies() {
    for (const place& one : places_) put(one);
  }
  void add(std::uint32_t group, std::uint64_t records) noexcept {
    place& here = places_[group % places_.size()];
    if (here.group != group) put(std::exchange(here, {group, {0, 0}}));
    here.counted.records += records;
    here.counted.squares += records * records;
  }

private:
  struct place {
    std::uint32_t group = 0;
    group_tally counted{0, 0};
  };
  void put(const place& one) const noexcept {
    if (one.counted.records == 0) return;
    group_tally& shared = all_[one.group];
    std::atomic_ref{shared.records}.fetch_add(one.counted.records, std::memory_order_relaxed);
    std::atomic_ref{shared.squares}.fetch_add(one.counted.squares, std::memory_order_relaxed);
  }

  std::span<group_tally> all_;
  std::array<place, 61> places_;
};

/// Keeps the first `most` items of those that are put, in the strict total order `Before`.
template <class T, class Before>
class best_few {
public:
  best_few(std::size_t most, Before before) : most_{most}, before_{before} {}

  void put(const T& one) {
    if (kept_.size() == most_ && (most_ == 0 || !before_(one, kept_.back()))) return;
    kept_.insert(std::upper_bound(kept_.begin(), kept_.end(), one, before_), one);
    if (kept_.size() > most_) kept_.pop_back();
  }
  void put(const best_few& others) {
    for (const T& one : others.kept_) put(one);
  }
  [[nodiscard]] std::vector<T> take() noexcept { return std::move(kept_); }

private:
  std::size_t most_;
  Before before_;
  std::vector<T> kept_;
};

constexpr auto larger_share = [](const cell_share& a, const cell_share& b) {
  return a.records != b.records ? a.records > b.records : a.group < b.group;
};
constexpr auto worse = [](const broken_cells& a, const broken_cells& b) {
  return a.pairs != b.pairs ? a.pairs > b.pairs : a.group < b.group;
};

/// The parts into which the other partition divides one group: their number, and the largest of them.
struct found_cells {
  std::uint64_t parts = 0;
  best_few<cell_share, decltype(larger_share)> largest;

  void put(const cell_share& cell) {
    ++parts;
    largest.put(cell);
  }
  void put(const found_cells& others) {
    parts += others.parts;
    largest.put(others.largest);
  }
};

class overlap_counter {
public:
  overlap_counter(std::span<group_pair> records, const contingency_request& request) : records_{records}, request_{request} {
    for (unsigned side : {0u, 1u}) tallies_[side] = buffer<group_tally>{request.groups[side], request.memory};
  }

  contingency run() {
    radix_sort(
        records_, &group_pair::both, [](const group_pair& a, const group_pair& b) { return a.both < b.both; }, request_.threads);
    for (buffer<group_tally>& side : tallies_) {
      parallel_blocks(request_.threads, side.size(), block, [&side](std::size_t begin, std::size_t end) {
        std::fill(side.begin() + begin, side.begin() + end, group_tally{0, 0});
      });
    }
    contingency result;
    result.common_pairs = tally_cells();
    for (unsigned side : {0u, 1u}) {
      sum(side, result.sides[side]);
      if (!result.sides[side].worst.empty()) list_cells(side, result.sides[side].worst);
    }
    return result;
  }

private:
  /// Calls visit(record, count) for the runs of equal records that begin in [begin, end): a run is a pair of groups and the number of
  /// records in both.
  template <class Visit>
  void each_cell(std::size_t begin, std::size_t end, Visit visit) const {
    std::size_t i = begin;
    while (i != 0 && i < end && records_[i].both == records_[i - 1].both) ++i;
    while (i < end) {
      std::size_t next = i + 1;
      while (next < records_.size() && records_[next].both == records_[i].both) ++next;
      visit(records_[i], next - i);
      i = next;
    }
  }

  /// Computes the tally of every group: the number of its records, and the sum of the squares of its overlaps with groups of the other
  /// partition. Returns the number of pairs of records that are in the same group on both sides.
  std::uint64_t tally_cells() {
    std::atomic<std::uint64_t> common{0};
    parallel_blocks(request_.threads, records_.size(), block, [&](std::size_t begin, std::size_t end) {
      shared_tallies first{tallies_[0].span()}, second{tallies_[1].span()};
      std::uint64_t pairs = 0;
      each_cell(begin, end, [&](const group_pair& cell, std::uint64_t records) {
        first.add(cell.group(0), records);
        second.add(cell.group(1), records);
        pairs += pairs_of(records);
      });
      common.fetch_add(pairs, std::memory_order_relaxed);
    });
    return common;
  }

  void sum(unsigned side, side_counts& result) const {
    const buffer<group_tally>& tallies = tallies_[side];
    best_few<broken_cells, decltype(worse)> worst{request_.worst, worse};
    std::mutex guard;
    parallel_blocks(request_.threads, tallies.size(), block, [&](std::size_t begin, std::size_t end) {
      side_counts mine;
      best_few<broken_cells, decltype(worse)> my_worst{request_.worst, worse};
      for (std::size_t group = begin; group < end; ++group) {
        const group_tally& t = tallies[group];
        if (t.records == 0) continue;
        ++mine.groups;
        mine.pairs += pairs_of(t.records);
        if (!t.is_broken()) {
          mine.mean_share += uint128{t.records} << 64;
          continue;
        }
        ++mine.broken;
        mine.mean_share += (uint128{t.squares} << 64) / t.records;
        my_worst.put({static_cast<std::uint32_t>(group), t.records, t.pairs_apart(), 0, {}});
      }
      const std::lock_guard alone{guard};
      result.groups += mine.groups;
      result.pairs += mine.pairs;
      result.broken += mine.broken;
      result.mean_share += mine.mean_share;
      worst.put(my_worst);
    });
    result.worst = worst.take();
  }

  /// Fills in the parts into which the other partition divides the given groups of `side`. As records are sorted, those of a group of side
  /// 0 are adjacent; for groups of side 1, all records are scanned.
  void list_cells(unsigned side, std::vector<broken_cells>& groups) const {
    std::vector<std::pair<std::uint32_t, std::size_t>> places;  // each group and its index in groups, ascending
    for (std::size_t k = 0; k < groups.size(); ++k) places.emplace_back(groups[k].group, k);
    std::sort(places.begin(), places.end());
    const std::vector<found_cells> none(groups.size(), found_cells{0, {request_.shares, larger_share}});
    std::vector<found_cells> all = none;
    if (side == 0) {
      for (const auto& [group, k] : places) {
        const auto first =
            std::lower_bound(records_.begin(), records_.end(), group, [](const group_pair& r, std::uint32_t g) { return r.group(0) < g; });
        const auto begin = static_cast<std::size_t>(first - records_.begin());
        each_cell(begin, begin + groups[k].records, [&, k = k](const group_pair& cell, std::uint64_t records) {
          all[k].put({cell.group(1), records});
        });
      }
    } else {
      std::mutex guard;
      parallel_blocks(request_.threads, records_.size(), block, [&](std::size_t begin, std::size_t end) {
        std::vector<found_cells> mine = none;
        each_cell(begin, end, [&](const group_pair& cell, std::uint64_t records) {
          const auto at = std::lower_bound(places.begin(), places.end(), std::pair{cell.group(1), std::size_t{0}});
          if (at != places.end() && at->first == cell.group(1)) mine[at->second].put({cell.group(0), records});
        });
        const std::lock_guard alone{guard};
        for (std::size_t k = 0; k < all.size(); ++k) all[k].put(mine[k]);
      });
    }
    for (std::size_t k = 0; k < groups.size(); ++k) {
      groups[k].parts = all[k].parts;
      groups[k].largest = all[k].largest.take();
    }
  }

  std::span<group_pair> records_;
  const contingency_request& request_;
  std::array<buffer<group_tally>, 2> tallies_;
};

}  // namespace

contingency count_overlaps(std::span<group_pair> records, const contingency_request& request) {
  return overlap_counter{records, request}.run();
}

}  // namespace copse
