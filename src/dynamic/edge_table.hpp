// What edges carry: weight, time, key, and which insert operation was their last. Only for graphs whose options ask for any of it.
//
// Idea: records in one array; a hash table with linear probing leads from a pair to its first record, and parallel edges are a list.
// Cost: O(1) expected, and O(parallel edges of the pair) where edges have keys. Memory: 48 bytes per edge and 5 to 11 of the table.
#pragma once
#include <core/seeded_hash.hpp>
#include <dynamic/neighbour_sets.hpp>
#include <dynamic/state_bytes.hpp>

#include <algorithm>
#include <cstdint>
#include <memory_resource>
#include <utility>
#include <vector>

namespace copse::dynamics {

/// What an edge carries. `present` false: there is no such edge.
struct edge_state {
  double weight = 1;
  std::int64_t time = 0;
  std::uint64_t sequence = 0;  ///< the number of its last insert operation
  bool present = false;
  friend bool operator==(const edge_state&, const edge_state&) = default;
};

/// An edge, smaller number first.
struct edge_name {
  std::uint32_t u = none, v = none;
  std::uint64_t key = 0;

  edge_name() = default;
  edge_name(std::uint32_t a, std::uint32_t b, std::uint64_t its_key) noexcept : u{std::min(a, b)}, v{std::max(a, b)}, key{its_key} {}
  friend auto operator<=>(const edge_name&, const edge_name&) = default;
};

/// What edges of a graph carry. The others have the default.
struct carried_values {
  bool weights, times, keys, sequences;
};

class edge_table {
public:
  explicit edge_table(std::pmr::memory_resource* memory) : records_{memory}, slots_{memory} {}

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] edge_state find(const edge_name& name) const noexcept {
    for (std::uint32_t r = first_of(name.u, name.v); r != none; r = records_[r].next)
      if (records_[r].key == name.key) return records_[r].state;
    return {};
  }
  [[nodiscard]] bool has_pair(std::uint32_t u, std::uint32_t v) const noexcept { return first_of(std::min(u, v), std::max(u, v)) != none; }
  /// Sets what an edge carries; the edge comes or leaves when `state.present` says so.
  void set(const edge_name& name, const edge_state& state) {
    if (slots_.size() * 3 < (size_ + 1) * 4) grow();
    std::uint32_t* at = &slots_[slot_of(name.u, name.v)];
    std::uint32_t* const head = at;
    while (*at != none && records_[*at].key != name.key) at = &records_[*at].next;
    if (*at != none && state.present) {
      records_[*at].state = state;
    } else if (*at != none) {
      const std::uint32_t r = *at;
      *at = records_[r].next;
      records_[r] = {.u = none, .v = none, .next = free_, .key = 0, .state = {}};
      free_ = r;
      --size_;
      if (*head == none) close(static_cast<std::size_t>(head - slots_.data()));
    } else if (state.present) {
      const record made{.u = name.u, .v = name.v, .next = *head, .key = name.key, .state = state};
      std::uint32_t r = free_;
      if (r == none) {
        r = static_cast<std::uint32_t>(records_.size());
        if (r == none) throw resource_error{"more than 4294967295 edges of a dynamic graph that carry anything"};
        records_.push_back(made);
      } else {
        free_ = records_[r].next;
        records_[r] = made;
      }
      *head = r;
      ++size_;
    }
  }
  /// The edges of a pair, in no order.
  template <class Visit>
  void for_each_of(std::uint32_t u, std::uint32_t v, Visit visit) const {
    const edge_name pair{u, v, 0};
    for (std::uint32_t r = first_of(pair.u, pair.v); r != none; r = records_[r].next)
      visit(edge_name{pair.u, pair.v, records_[r].key}, records_[r].state);
  }
  template <class Visit>
  void for_each(Visit visit) const {
    for (const record& r : records_)
      if (r.u != none) visit(edge_name{r.u, r.v, r.key}, r.state);
  }
  void save(byte_sink& to, const renumbering& now, const carried_values& carried) const;
  /// What save() wrote. Precondition: the table is empty.
  void load(byte_source& from, const carried_values& carried);

private:
  struct record {
    std::uint32_t u, v;
    std::uint32_t next;  // the next record of the same pair, or the next free one
    std::uint64_t key;
    edge_state state;
  };

  [[nodiscard]] std::size_t home(std::uint32_t u, std::uint32_t v) const noexcept {
    return hash_(std::uint64_t{u} << 32 | v) & (slots_.size() - 1);
  }
  [[nodiscard]] std::size_t slot_of(std::uint32_t u, std::uint32_t v) const noexcept {
    std::size_t i = home(u, v);
    while (slots_[i] != none && (records_[slots_[i]].u != u || records_[slots_[i]].v != v)) i = (i + 1) & (slots_.size() - 1);
    return i;
  }
  [[nodiscard]] std::uint32_t first_of(std::uint32_t u, std::uint32_t v) const noexcept {
    return slots_.empty() ? none : slots_[slot_of(u, v)];
  }
  // Moves later slots up, so that no search ends too early at this one.
  void close(std::size_t hole) noexcept {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = (hole + 1) & mask; slots_[i] != none; i = (i + 1) & mask) {
      const record& r = records_[slots_[i]];
      if (((i - home(r.u, r.v)) & mask) < ((i - hole) & mask)) continue;
      slots_[hole] = std::exchange(slots_[i], none);
      hole = i;
    }
  }
  void grow() {
    std::pmr::vector<std::uint32_t> before(std::max<std::size_t>(16, slots_.size() * 2), none, slots_.get_allocator());
    before.swap(slots_);
    for (const std::uint32_t r : before)
      if (r != none) slots_[slot_of(records_[r].u, records_[r].v)] = r;
  }

  std::pmr::vector<record> records_;
  std::pmr::vector<std::uint32_t> slots_;
  seeded_hash hash_;
  std::uint32_t free_ = none;
  std::uint64_t size_ = 0;
};

}  // namespace copse::dynamics
