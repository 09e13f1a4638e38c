// The vertices that a component had when it joined another one in the batch.
//
// The vertices of a component are a circular list, so that two lists become one when two elements swap their successors, and the list of
// the smaller component is a contiguous part of the larger list. Only its ends are noted. A component that was split has no list; it gets
// one again when it is hung below another one, which visits its vertices anyway. After the first split no list changes until the batch
// ends, so the noted ends stay valid.
//
// Cost: O(1) per join. Memory: 4 bytes per vertex.
#pragma once
#include <dynamic/component_records.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <utility>
#include <vector>

namespace copse::dynamics {

class member_lists {
public:
  /// A component: the index of its record, and one of its vertices, always the same one as long as the component has a list.
  struct component {
    std::uint32_t record, member;
  };

  explicit member_lists(std::pmr::memory_resource* memory) : next_{memory}, is_listed_(memory), joined_{memory} {}

  void reserve(std::uint32_t slots) {
    grow_by_a_quarter(next_, slots);
    next_.resize(slots, none);
  }
  void prefetch(std::uint32_t v) const noexcept { fetch(&next_[v]); }
  [[nodiscard]] bool has_list(std::uint32_t record) const noexcept {
    return !is_frozen_ && record < is_listed_.size() && is_listed_[record];
  }

  /// Makes a list of one vertex.
  void begin(component one) {
    if (is_frozen_) return drop(one.record);
    if (one.record >= is_listed_.size()) is_listed_.resize(one.record + std::size_t{1});
    is_listed_[one.record] = true;
    next_[one.member] = one.member;
  }
  /// Appends a vertex that is in no list, or alone in the list of a component that ends with this.
  void append(std::uint32_t v, component to) {
    if (!has_list(to.record)) return drop(to.record);
    next_[v] = std::exchange(next_[to.member], v);
  }
  /// Links the circular list of a component into that of the larger one that it joins, if that has a list. Notes the first and the last
  /// vertex of the smaller component's list for for_each_joined(). Precondition: has_list(from.record).
  void join(component from, component into) {
    joined_.push_back({from.record, next_[from.member], from.member});
    if (has_list(into.record)) std::swap(next_[from.member], next_[into.member]);
  }
  /// Drops the list of a component that was split, or whose component::member becomes another vertex. Until forget_batch() no component has
  /// a list then.
  void part(std::uint32_t record) {
    is_frozen_ = true;
    drop(record);
  }
  /// For each component that joined another one in the batch, calls visit(vertex) for the vertices that it had then. Leaves out components
  /// for whose records is_wanted(record) is false.
  template <class IsWanted, class Visit>
  void for_each_joined(IsWanted is_wanted, Visit visit) const {
    for (const auto& [record, first, last] : joined_) {
      if (!is_wanted(record)) continue;
      for (std::uint32_t v = first;; v = next_[v]) {
        visit(v);
        if (v == last) break;
      }
    }
  }
  /// Renumbers records: record r becomes places[r], or is removed if that is none.
  void renumber(const std::vector<std::uint32_t>& places) {
    std::size_t count = 0;
    for (std::size_t r = 0; r < std::min(places.size(), is_listed_.size()); ++r)
      if (places[r] != none) is_listed_[count = places[r]] = is_listed_[r];
    is_listed_.resize(std::min(is_listed_.size(), count + 1));
  }
  void forget_batch() {
    joined_.clear();
    is_frozen_ = false;
  }

private:
  struct joined_list {
    std::uint32_t record, first, last;
  };
  void drop(std::uint32_t record) {
    if (record < is_listed_.size()) is_listed_[record] = false;
  }

  std::pmr::vector<std::uint32_t> next_;
  std::pmr::vector<bool> is_listed_;  // for each record, whether there is a list of its component's vertices
  std::pmr::vector<joined_list> joined_;
  bool is_frozen_ = false;
};

}  // namespace copse::dynamics
