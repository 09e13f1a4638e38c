// Records of components, and which of them a batch changed.
//
// The records are a union-find forest. A vertex names a record. If two components join, the record of the smaller one links to that of the
// larger one, so that no vertices need to be visited; once many records are such links, their user renames them in all vertices, and they
// are removed. The first change of a record in a batch notes its state before, so that the effect of a batch is known from the records that
// it touched.
//
// Cost: find() takes at most log2(vertices) steps, because the smaller component joins the larger one; mostly none or one.
#pragma once
#include <dynamic/neighbour_sets.hpp>

#include <algorithm>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <utility>
#include <vector>

namespace copse::dynamics {

/// Makes room for `size` elements; the capacity grows by a quarter if that is more.
template <class Vector>
void grow_by_a_quarter(Vector& vector, std::size_t size) {
  if (size > vector.capacity()) vector.reserve(std::max(size, vector.capacity() + vector.capacity() / 4 + 16));
}

/// Removes all elements. Keeps the memory for the next batch unless it is large and a quarter of it was enough for this one.
template <class Vector>
void clear_for_batch(Vector& vector) {
  const bool is_wasted = vector.capacity() > 65536 && vector.size() < vector.capacity() / 4;
  vector.clear();
  if (is_wasted) vector.shrink_to_fit();
}

/// The record of a component. If the component splits, one part keeps the record; if it joins another one, the record leads to that one's.
struct component_record {
  std::uint64_t id = ~std::uint64_t{0};  ///< the id of the component, which the caller sets; new records have this value
  std::uint32_t size = 0;                ///< the number of vertices; 0 if the record is not a component
  std::uint32_t root = none;  ///< the root of the component's tree; if the record is not a component, the record that it joined, or none
};

/// The state of a record before the batch.
struct touched_record {
  std::uint64_t id;
  std::uint32_t record;
  std::uint32_t size;  ///< 0 if the record is new
};

class component_records {
public:
  explicit component_records(std::pmr::memory_resource* memory) : records_{memory}, free_{memory}, freed_{memory}, touched_{memory} {}

  /// The number of records, free ones included.
  [[nodiscard]] std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(records_.size()); }
  [[nodiscard]] std::uint64_t components() const noexcept { return components_; }
  [[nodiscard]] const component_record& operator[](std::uint32_t r) const noexcept { return records_[r]; }
  [[nodiscard]] component_record& operator[](std::uint32_t r) noexcept { return records_[r]; }
  [[nodiscard]] auto begin() const noexcept { return records_.begin(); }
  [[nodiscard]] auto end() const noexcept { return records_.end(); }
  [[nodiscard]] auto begin() noexcept { return records_.begin(); }
  [[nodiscard]] auto end() noexcept { return records_.end(); }
  void prefetch(std::uint32_t r) const noexcept { fetch(&records_[r]); }

  /// Returns the component that the record is, or that it has joined.
  [[nodiscard]] std::uint32_t find(std::uint32_t r) const noexcept {
    while (records_[r].size == 0) r = records_[r].root;
    return r;
  }
  /// Returns the record of the component that record r led to before the batch; r itself if it is new.
  [[nodiscard]] std::uint32_t find_before(std::uint32_t r) const noexcept {
    while (records_[r].size == 0 && !is_touched(r)) r = records_[r].root;
    return r;
  }

  [[nodiscard]] std::uint32_t add(std::uint32_t size, std::uint32_t root) {
    std::uint32_t r = this->size();
    if (free_.empty()) {
      grow_by_a_quarter(records_, records_.size() + 1);
      records_.emplace_back();
    } else {
      r = free_.back();
      free_.pop_back();
    }
    records_[r] = {};
    touch(r);
    records_[r].size = size;
    records_[r].root = root;
    ++components_;
    return r;
  }
  /// Makes `count` components, and returns the index in touched() of the first; the others follow. set_added() must be called for each.
  [[nodiscard]] std::uint32_t add_together(std::uint32_t count) {
    const auto first = static_cast<std::uint32_t>(touched_.size());
    const auto reused = static_cast<std::uint32_t>(std::min<std::size_t>(count, free_.size()));
    grow_by_a_quarter(touched_, first + std::size_t{count});
    for (std::uint32_t i = 0; i < reused; ++i) touched_.push_back({component_record{}.id, free_[free_.size() - 1 - i], 0});
    for (std::uint32_t r = size(); touched_.size() < first + std::size_t{count}; ++r) touched_.push_back({component_record{}.id, r, 0});
    free_.resize(free_.size() - reused);
    grow_by_a_quarter(records_, records_.size() + count - reused);
    records_.resize(records_.size() + count - reused);
    components_ += count;
    return first;
  }
  /// Sets the size and the root of a component that add_together() made, and returns its record. Several threads may call this for
  /// different components.
  std::uint32_t set_added(std::uint32_t index, std::uint32_t size, std::uint32_t root) noexcept {
    const std::uint32_t r = touched_[index].record;
    records_[r] = {index, size, root};
    return r;
  }
  /// Ends the component of record r, to which no vertex refers any more. The record is reused in later batches only.
  void free(std::uint32_t r) {
    touch(r);
    records_[r].size = 0;
    records_[r].root = none;
    freed_.push_back(r);
    --components_;
  }
  /// Joins component `from` with `into`: vertices that name `from` are then in `into`.
  void join(std::uint32_t from, std::uint32_t into) {
    touch(from);
    touch(into);
    records_[into].size += std::exchange(records_[from].size, 0u);
    records_[from].root = into;
    ++joined_;
    --components_;
  }
  /// The number of records that link to others.
  [[nodiscard]] std::uint32_t joined() const noexcept { return joined_; }
  /// Returns, for each record, its position among the components, from 0; none if it is no component.
  [[nodiscard]] std::vector<std::uint32_t> places() const {
    std::vector<std::uint32_t> places(records_.size(), none);
    std::uint32_t next = 0;
    for (std::uint32_t r = 0; r < size(); ++r)
      if (records_[r].size != 0) places[r] = next++;
    return places;
  }
  /// Removes the records that are no components. Each component's record moves to the index that places() returns for it. Precondition: no
  /// batch is running, and the caller has replaced the index of a record at every vertex by the new index of its component.
  void compact() {
    std::erase_if(records_, [](const component_record& r) { return r.size == 0; });
    if (records_.capacity() > 2 * records_.size()) records_.shrink_to_fit();
    free_.clear();
    joined_ = 0;
  }

  // From touch() to forget_batch(), the id of a touched record is its index in touched().

  /// Notes the state of a record; must be called before any change. Returns its index in touched().
  std::uint32_t touch(std::uint32_t r) {
    if (!is_touched(r)) {
      touched_.push_back({records_[r].id, r, records_[r].size});
      records_[r].id = touched_.size() - 1;
    }
    return index_of(r);
  }
  [[nodiscard]] bool is_touched(std::uint32_t r) const noexcept {
    const std::uint64_t index = records_[r].id;
    return index < touched_.size() && touched_[index].record == r;
  }
  /// Returns the index of a record in touched(). Precondition: is_touched(r).
  [[nodiscard]] std::uint32_t index_of(std::uint32_t r) const noexcept { return static_cast<std::uint32_t>(records_[r].id); }
  [[nodiscard]] std::span<const touched_record> touched() const noexcept { return touched_; }
  void forget_batch() {
    clear_for_batch(touched_);
    free_.insert(free_.end(), freed_.begin(), freed_.end());
    freed_.clear();
  }
  /// Makes `count` components, whose sizes and roots the caller sets. Precondition: there are none.
  void load(std::uint32_t count) {
    records_.resize(count);
    components_ = count;
  }

private:
  std::pmr::vector<component_record> records_;
  std::pmr::vector<std::uint32_t> free_, freed_;
  std::pmr::vector<touched_record> touched_;
  std::uint64_t components_ = 0;
  std::uint32_t joined_ = 0;
};

}  // namespace copse::dynamics
