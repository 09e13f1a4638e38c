// The values that edges carry: weight, time, key, and the number of their last insert operation. Only for graphs whose options ask for
// any of these.
//
// There is a column for each value that edges carry, and one for their ends; a hash table with linear probing leads from a pair of vertices
// to its first row, and parallel edges are a linked list. Whether two vertices have an edge is known from the graph at less cost, so set()
// expects its callers to say that.
//
// Cost: O(1) expected, and O(parallel edges of the pair) if edges have keys. Memory per edge: 8 bytes for the ends, 8 for each of weight,
// time, key and sequence number that is carried, 4 more with keys, and 5 to 6.3 in the hash table.
#pragma once
#include <core/seeded_hash.hpp>
#include <dynamic/chunked_column.hpp>
#include <dynamic/neighbour_sets.hpp>
#include <dynamic/state_bytes.hpp>

#include <algorithm>
#include <cstdint>
#include <memory_resource>
#include <utility>
#include <vector>

namespace copse::dynamics {

/// The values that an edge carries. If `present` is false, there is no such edge.
struct edge_state {
  double weight = 1;
  std::int64_t time = 0;
  std::uint64_t sequence = 0;  ///< the number of its last insert operation
  bool present = false;
  friend bool operator==(const edge_state&, const edge_state&) = default;
};

/// The name of an edge, with the smaller vertex first.
struct edge_name {
  std::uint32_t u = none, v = none;
  std::uint64_t key = 0;

  edge_name() = default;
  edge_name(std::uint32_t a, std::uint32_t b, std::uint64_t its_key) noexcept : u{std::min(a, b)}, v{std::max(a, b)}, key{its_key} {}
  friend auto operator<=>(const edge_name&, const edge_name&) = default;
};

/// Which values the edges of a graph carry. Other values are the default.
struct carried_values {
  bool weights, times, keys, sequences;
};

class edge_table {
public:
  edge_table(const carried_values& carried, std::pmr::memory_resource* memory)
      : carried_{carried},
        ends_{memory},
        weights_{memory},
        times_{memory},
        keys_{memory},
        sequences_{memory},
        next_{memory},
        slots_{memory} {}

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] edge_state find(const edge_name& name) const noexcept {
    for (std::uint32_t r = first_of(name.u, name.v); r != none; r = next_of(r))
      if (key_of(r) == name.key) return state_of(r);
    return {};
  }
  [[nodiscard]] bool has_pair(std::uint32_t u, std::uint32_t v) const noexcept { return first_of(std::min(u, v), std::max(u, v)) != none; }
  /// Sets the values of an edge; inserts or removes it as `state.present` says. `is_pair_there` must be true if an edge with the same ends,
  /// this or a parallel one, is in the table.
  void set(const edge_name& name, const edge_state& state, bool is_pair_there) {
    if (slots_.size() * 4 < (size_ + 1) * 5) resize_slots(std::max<std::size_t>(16, slots_.size() + slots_.size() / 4));
    std::uint32_t& slot = slots_[is_pair_there ? slot_of(name.u, name.v) : empty_slot(name.u, name.v)];
    std::uint32_t before = none, r = slot;
    while (r != none && key_of(r) != name.key) r = next_of(before = r);
    if (r != none && state.present) {
      set_state(r, state);
    } else if (r != none) {
      (before == none ? slot : next_[before]) = next_of(r);
      ends_[r] = {none, std::exchange(free_, r)};
      --size_;
      if (slot == none) close(static_cast<std::size_t>(&slot - slots_.data()));
    } else if (state.present) {
      r = new_row();
      ends_[r] = {name.u, name.v};
      if (carried_.keys) {
        keys_[r] = name.key;
        next_[r] = slot;
      }
      set_state(r, state);
      slot = r;
      ++size_;
    }
  }
  /// Calls visit(edge_name, edge_state) for all edges between u and v, of which there may be several if edges have keys, in no order.
  template <class Visit>
  void for_each_of(std::uint32_t u, std::uint32_t v, Visit visit) const {
    const edge_name pair{u, v, 0};
    for (std::uint32_t r = first_of(pair.u, pair.v); r != none; r = next_of(r)) visit(edge_name{pair.u, pair.v, key_of(r)}, state_of(r));
  }
  template <class Visit>
  void for_each(Visit visit) const {
    for_each_row([&](std::uint32_t r) { visit(edge_name{ends_[r].u, ends_[r].v, key_of(r)}, state_of(r)); });
  }
  /// Loads the cache line that find() and set() need.
  void prefetch(std::uint32_t u, std::uint32_t v) const noexcept {
    if (!slots_.empty()) fetch(&slots_[home(std::min(u, v), std::max(u, v))]);
  }
  void save(byte_sink& to, const renumbering& now) const;
  /// Reads what save() wrote. Precondition: the table is empty.
  void load(byte_source& from);

private:
  struct ends {
    std::uint32_t u, v;  // if u is none, the row is free, and v is the next free row
  };

  [[nodiscard]] std::uint64_t key_of(std::uint32_t r) const noexcept { return carried_.keys ? keys_[r] : 0; }
  [[nodiscard]] std::uint32_t next_of(std::uint32_t r) const noexcept { return carried_.keys ? next_[r] : none; }
  [[nodiscard]] edge_state state_of(std::uint32_t r) const noexcept {
    edge_state state{.present = true};
    if (carried_.weights) state.weight = weights_[r];
    if (carried_.times) state.time = times_[r];
    if (carried_.sequences) state.sequence = sequences_[r];
    return state;
  }
  void set_state(std::uint32_t r, const edge_state& state) noexcept {
    if (carried_.weights) weights_[r] = state.weight;
    if (carried_.times) times_[r] = state.time;
    if (carried_.sequences) sequences_[r] = state.sequence;
  }
  template <class Visit>
  void for_each_row(Visit visit) const {
    for (std::uint32_t r = 0; r < ends_.size(); ++r)
      if (ends_[r].u != none) visit(r);
  }
  [[nodiscard]] std::uint32_t new_row() {
    if (free_ != none) return std::exchange(free_, ends_[free_].v);
    if (ends_.size() == none) throw resource_error{"a dynamic graph cannot have more than 4294967295 edges with weights, times or keys"};
    resize_columns(ends_.size() + 1);
    return static_cast<std::uint32_t>(ends_.size() - 1);
  }
  void resize_columns(std::size_t rows) {
    const auto resize = [rows](auto& column, bool is_kept) {
      if (is_kept) column.resize(rows);
    };
    resize(ends_, true);
    resize(weights_, carried_.weights);
    resize(times_, carried_.times);
    resize(sequences_, carried_.sequences);
    resize(keys_, carried_.keys);
    resize(next_, carried_.keys);
  }
  [[nodiscard]] std::size_t home(std::uint32_t u, std::uint32_t v) const noexcept {
    __extension__ using wide = unsigned __int128;  // there may be more than 2^32 slots
    return static_cast<std::size_t>(static_cast<wide>(hash_(std::uint64_t{u} << 32 | v)) * slots_.size() >> 64);
  }
  [[nodiscard]] std::size_t behind(std::size_t slot) const noexcept { return slot + 1 == slots_.size() ? 0 : slot + 1; }
  [[nodiscard]] std::size_t slot_of(std::uint32_t u, std::uint32_t v) const noexcept {
    std::size_t i = home(u, v);
    while (slots_[i] != none && (ends_[slots_[i]].u != u || ends_[slots_[i]].v != v)) i = behind(i);
    return i;
  }
  [[nodiscard]] std::size_t empty_slot(std::uint32_t u, std::uint32_t v) const noexcept {
    std::size_t i = home(u, v);
    while (slots_[i] != none) i = behind(i);
    return i;
  }
  [[nodiscard]] std::uint32_t first_of(std::uint32_t u, std::uint32_t v) const noexcept {
    return slots_.empty() ? none : slots_[slot_of(u, v)];
  }
  // Fills an empty slot by moving later slots back, so that no search ends too early at it.
  void close(std::size_t hole) noexcept {
    const auto distance = [this](std::size_t from, std::size_t to) { return to >= from ? to - from : to + slots_.size() - from; };
    for (std::size_t i = behind(hole); slots_[i] != none; i = behind(i)) {
      const auto [u, v] = ends_[slots_[i]];
      if (distance(home(u, v), i) < distance(hole, i)) continue;
      slots_[hole] = std::exchange(slots_[i], none);
      hole = i;
    }
  }
  // Makes the hash table anew, with this number of slots.
  void resize_slots(std::size_t count) {
    constexpr std::uint32_t rows_ahead = 16;
    slots_.clear();
    slots_.shrink_to_fit();
    slots_.resize(count, none);
    const auto rows = static_cast<std::uint32_t>(ends_.size());
    for (std::uint32_t r = 0; r < rows; ++r) {
      if (r + rows_ahead < rows) prefetch(ends_[r + rows_ahead].u, ends_[r + rows_ahead].v);
      if (ends_[r].u == none) continue;
      std::uint32_t& head = slots_[carried_.keys ? slot_of(ends_[r].u, ends_[r].v) : empty_slot(ends_[r].u, ends_[r].v)];
      if (carried_.keys) next_[r] = head;
      head = r;
    }
  }

  carried_values carried_;
  chunked_column<ends> ends_;
  chunked_column<double> weights_;
  chunked_column<std::int64_t> times_;
  chunked_column<std::uint64_t> keys_, sequences_;
  chunked_column<std::uint32_t> next_;  // for each row, the next row whose edge has the same ends; used if edges have keys
  std::pmr::vector<std::uint32_t> slots_;
  seeded_hash hash_;
  std::uint32_t free_ = none;
  std::uint64_t size_ = 0;
};

}  // namespace copse::dynamics
