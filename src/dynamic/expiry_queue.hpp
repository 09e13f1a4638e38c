// Edges in the order in which they leave a window: by time, or by the number of their insert operation.
//
// Most entries arrive in ascending order and wait in a queue; the others are in a heap. An entry stays when its edge leaves or gets another
// time: the caller of pop() has to check. Cost: O(1) for entries that arrive in order, otherwise O(log n).
#pragma once
#include <dynamic/edge_table.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace copse::dynamics {

class expiry_queue {
public:
  struct entry {
    std::int64_t rank;
    edge_name edge;
  };

  [[nodiscard]] std::size_t size() const noexcept { return in_order_.size() + late_.size(); }
  void push(std::int64_t rank, const edge_name& edge) {
    if (in_order_.empty() || in_order_.back().rank <= rank) {
      in_order_.push_back({rank, edge});
    } else {
      late_.push_back({rank, edge});
      std::push_heap(late_.begin(), late_.end(), later);
    }
  }
  /// Removes an entry with the smallest rank if this is below `bound`; otherwise returns false.
  bool pop(std::int64_t bound, entry& taken) {
    if (!late_.empty() && (in_order_.empty() || late_.front().rank < in_order_.front().rank)) {
      if (late_.front().rank >= bound) return false;
      std::pop_heap(late_.begin(), late_.end(), later);
      taken = late_.back();
      late_.pop_back();
      return true;
    }
    if (in_order_.empty() || in_order_.front().rank >= bound) return false;
    taken = in_order_.front();
    in_order_.pop_front();
    return true;
  }
  /// True if there are far more entries than edges.
  [[nodiscard]] bool is_stale(std::uint64_t edges) const noexcept { return size() > 2 * edges + 1024; }
  /// Replaces all entries.
  void assign(std::vector<entry> entries) {
    const auto earlier = [](const entry& a, const entry& b) { return a.rank < b.rank; };
    if (!std::is_sorted(entries.begin(), entries.end(), earlier)) std::sort(entries.begin(), entries.end(), earlier);
    in_order_.assign(entries.begin(), entries.end());
    late_.clear();
  }

private:
  static bool later(const entry& a, const entry& b) noexcept { return a.rank > b.rank; }

  std::deque<entry> in_order_;
  std::vector<entry> late_;
};

}  // namespace copse::dynamics
