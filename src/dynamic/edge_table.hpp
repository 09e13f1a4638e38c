// The values that edges carry: weight, time, key, and the number of their last insert operation. Only for graphs whose options ask for
// any of these.
//
// Extendible hashing: a pair of vertices has a code of 64 bits, which looks random (see pair_code). A directory leads from the first bits
// of the code to a segment of up to 80 edges, which are in pages of 8 rows and in no order. A segment has the last byte of each code, so
// that a search compares bytes in two cache lines, and then looks at one row. A segment that is full becomes two, and the directory doubles
// when it has too few entries for that; nothing else is ever moved. The pair is computed from its code, of which a row has only 48 bits:
// the others are known from the directory and from the segment.
//
// Parallel edges of a pair are in the same segment. If a pair has more than 24, they move to segments of their own, with a directory by the
// hash of the key. So neither searches for them nor those for other pairs take longer when there are many.
//
// Segments that are hash tables with linear probing, each of which grows by an eighth, were tried: they took a byte per edge more, and
// inserting took twice as long, because every growth moves all edges of a segment.
//
// Whether two vertices have an edge is known from the graph at less cost, so set() expects its callers to say that.
//
// Cost: O(1) expected. Memory per edge: 6 bytes for the pair and 8 for each of weight, time, key and sequence number that is carried, of
// which about 6 % more are unused, and 2.4 on average for segments. An edge with one value takes 17, one with two 25 to 26.
#pragma once
#include <core/seeded_hash.hpp>
#include <core/short_bytes.hpp>
#include <dynamic/chunked_column.hpp>
#include <dynamic/edge_pages.hpp>
#include <dynamic/neighbour_sets.hpp>
#include <dynamic/pair_code.hpp>
#include <dynamic/state_bytes.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <unordered_map>
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
  using row = edge_pages::row;
  static constexpr std::uint32_t page_rows = edge_pages::page_rows, segment_pages = 10, segment_rows = segment_pages * page_rows;
  static constexpr std::uint32_t most_parallel = 24;  // if a pair has more edges than this, they have a directory of their own
  static constexpr unsigned tag_bits = 8, code_bits = 48, prefix_bits = 64 - tag_bits - code_bits;

public:
  edge_table(const carried_values& carried, std::pmr::memory_resource* memory)
      : carried_{carried},
        time_{carried.weights},
        sequence_{time_ + carried.times},
        key_{sequence_ + carried.sequences},
        pages_{key_ + carried.keys, memory},
        segments_{memory},
        pairs_{0, memory},
        parallel_{memory} {}

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] edge_state find(const edge_name& name) const noexcept {
    const place at = place_of(name);
    return at.found ? state_of(row_at(at)) : edge_state{};
  }
  [[nodiscard]] bool has_pair(std::uint32_t u, std::uint32_t v) const noexcept {
    const edge_name pair{u, v, 0};
    return first_of(pairs_, code_(pair.u, pair.v), [](const row&) { return true; }).found || own_directory(pair) != nullptr;
  }
  /// Sets the values of an edge; inserts or removes it as `state.present` says. `is_pair_there` must be true if an edge with the same ends,
  /// this or a parallel one, is in the table.
  void set(const edge_name& name, const edge_state& state, bool is_pair_there) {
    const place at = is_pair_there ? place_of(name) : place{};
    if (at.found && state.present) {
      set_state(row_at(at), state);
    } else if (at.found) {
      remove(at);
      --size_;
      if (!parallel_.empty()) note_removed(name);
    } else if (state.present) {
      put(is_pair_there && carried_.keys ? directory_for(name) : pairs_, name, state);
      ++size_;
    }
  }
  /// Calls visit(edge_name, edge_state) for all edges between u and v, of which there may be several if edges have keys, in no order.
  template <class Visit>
  void for_each_of(std::uint32_t u, std::uint32_t v, Visit visit) const {
    const edge_name pair{u, v, 0};
    const auto visit_row = [&](const row& r) {
      visit(edge_name{pair.u, pair.v, key_of(r)}, state_of(r));
      return false;
    };
    first_of(pairs_, code_(pair.u, pair.v), visit_row);
    if (const directory* const own = own_directory(pair)) for_each_row(*own, [&](const row& r, std::uint64_t) { visit_row(r); });
  }
  template <class Visit>
  void for_each(Visit visit) const {
    for_each_row([&](const row& r, const edge_name& name) { visit(name, state_of(r)); });
  }
  /// Loads the cache lines that searches for these ends need, apart from those that prefetch_row() loads, which may be called later.
  void prefetch(std::uint32_t u, std::uint32_t v) const noexcept {
    if (pairs_.segments.empty()) return;
    const segment& in = segments_[pairs_.at(code_(std::min(u, v), std::max(u, v)))];
    fetch(&in.pages);
    fetch(&in.tags[segment_rows - 1]);
  }
  void prefetch_row(std::uint32_t u, std::uint32_t v) const noexcept {
    if (pairs_.segments.empty()) return;
    const std::uint64_t code = code_(std::min(u, v), std::max(u, v));
    const segment& in = segments_[pairs_.at(code)];
    const std::uint32_t index = find_tag(in, code, [](std::uint32_t) { return true; });
    if (index == in.count) return;
    const row r = row_at(in, index), last = row_at(in, in.count - 1);
    fetch(r.low);
    fetch(last.low);
    for (unsigned i = 0; i < key_ + carried_.keys; ++i) __builtin_prefetch(&r.value(i)), __builtin_prefetch(&last.value(i));
  }
  void save(byte_sink& to, const renumbering& now) const;
  /// Reads what save() wrote. Precondition: the table is empty.
  void load(byte_source& from);

private:
  // Edges whose codes begin with the same `depth` bits, in no order.
  struct alignas(64) segment {
    std::uint32_t pages[segment_pages];
    unsigned char tags[segment_rows];  // the last byte of each code
    unsigned char count, depth;
  };
  // A directory of all pairs, or of the edges of one pair. The code of an edge leads to a segment: without the first `skipped_bits` of it,
  // it begins with an index of that segment.
  struct directory {
    unsigned skipped_bits, depth = 0;
    std::uint64_t edges = 0;
    std::pmr::vector<std::uint32_t> segments;  // 2^depth numbers

    directory(unsigned skipped, std::pmr::memory_resource* memory) : skipped_bits{skipped}, segments{memory} {}
    [[nodiscard]] std::size_t index(std::uint64_t code) const noexcept {
      return static_cast<std::size_t>(code << skipped_bits >> 1 >> (63 - depth));
    }
    [[nodiscard]] std::uint32_t at(std::uint64_t code) const noexcept { return segments[index(code)]; }
  };
  struct place {
    std::uint32_t segment = 0, index = 0;
    bool found = false;
  };

  // ---- rows

  [[nodiscard]] row row_at(const segment& in, std::uint32_t index) const noexcept {
    return pages_.at(in.pages[index / page_rows], index % page_rows);
  }
  [[nodiscard]] row row_at(const place& at) const noexcept { return row_at(segments_[at.segment], at.index); }
  [[nodiscard]] std::uint64_t key_of(const row& r) const noexcept { return carried_.keys ? r.value(key_) : 0; }
  [[nodiscard]] edge_state state_of(const row& r) const noexcept {
    edge_state state{.present = true};
    if (carried_.weights) state.weight = std::bit_cast<double>(r.value(0));
    if (carried_.times) state.time = static_cast<std::int64_t>(r.value(time_));
    if (carried_.sequences) state.sequence = r.value(sequence_);
    return state;
  }
  void set_state(const row& r, const edge_state& state) const noexcept {
    if (carried_.weights) r.value(0) = std::bit_cast<std::uint64_t>(state.weight);
    if (carried_.times) r.value(time_) = static_cast<std::uint64_t>(state.time);
    if (carried_.sequences) r.value(sequence_) = state.sequence;
  }
  /// The part of a code that its row has.
  [[nodiscard]] static std::uint64_t stored(std::uint64_t code) noexcept { return code << prefix_bits >> (prefix_bits + tag_bits); }
  // Calls visit(row, code without its first bits).
  template <class Visit>
  void for_each_row(const directory& of, Visit visit) const {
    for (std::size_t i = 0; i < of.segments.size(); i += std::size_t{1} << (of.depth - segments_[of.segments[i]].depth)) {
      const segment& in = segments_[of.segments[i]];
      const std::uint64_t prefix = of.depth < prefix_bits ? 0 : std::uint64_t{i} >> (of.depth - prefix_bits) << (64 - prefix_bits);
      for (std::uint32_t j = 0; j < in.count; ++j) {
        const row r = row_at(in, j);
        visit(r, prefix | r.code() << tag_bits | in.tags[j]);
      }
    }
  }
  // Calls visit(row, edge_name) for all edges.
  template <class Visit>
  void for_each_row(Visit visit) const {
    for_each_row(pairs_, [&](const row& r, std::uint64_t code) {
      const auto [u, v] = code_.pair_of(code);
      visit(r, edge_name{u, v, key_of(r)});
    });
    for (const auto& [pair, own] : parallel_)
      for_each_row(own, [&, u = static_cast<std::uint32_t>(pair >> 32), v = static_cast<std::uint32_t>(pair)](const row& r, std::uint64_t) {
        visit(r, edge_name{u, v, key_of(r)});
      });
  }

  // ---- searches

  // Returns the index of the first edge with the tag of this code for which is(index) is true, otherwise the number of edges.
  template <class Is>
  [[nodiscard]] static std::uint32_t find_tag(const segment& in, std::uint64_t code, Is is) {
    constexpr std::uint64_t ones = 0x0101010101010101;
    const std::uint64_t wanted = static_cast<unsigned char>(code) * ones;
    for (std::uint32_t i = 0; i < in.count; i += 8) {
      const std::uint64_t different = word_at<std::uint64_t>(reinterpret_cast<const char*>(&in.tags[i])) ^ wanted;
      // marks the bytes that are 0, and perhaps bytes behind these that are 1
      for (std::uint64_t marks = (different - ones) & ~different & ones << 7; marks != 0; marks &= marks - 1) {
        const std::uint32_t index = i + static_cast<std::uint32_t>(std::countr_zero(marks)) / 8;
        if (index < in.count && is(index)) return index;
      }
    }
    return in.count;
  }
  // Returns the place of the first edge with this code for which is(row) is true.
  template <class Is>
  place first_of(const directory& from, std::uint64_t code, Is is) const {
    if (from.segments.empty()) return {};
    const std::uint32_t s = from.at(code);
    const segment& in = segments_[s];
    const std::uint32_t index = find_tag(in, code, [&](std::uint32_t i) {
      const row r = row_at(in, i);
      return r.code() == stored(code) && is(r);
    });
    return {s, index, index != in.count};
  }
  [[nodiscard]] place place_of(const edge_name& name) const noexcept {
    const auto is_it = [&](const row& r) { return key_of(r) == name.key; };
    const place at = first_of(pairs_, code_(name.u, name.v), is_it);
    if (at.found) return at;
    const directory* const own = own_directory(name);
    return own == nullptr ? at : first_of(*own, hash_(name.key), is_it);
  }
  [[nodiscard]] const directory* own_directory(const edge_name& pair) const noexcept {
    if (parallel_.empty()) return nullptr;
    const auto own = parallel_.find(word_of(pair));
    return own == parallel_.end() ? nullptr : &own->second;
  }
  [[nodiscard]] static std::uint64_t word_of(const edge_name& pair) noexcept { return std::uint64_t{pair.u} << 32 | pair.v; }

  // ---- changes

  void reserve_segments(std::uint32_t count);
  [[nodiscard]] std::uint32_t take_segment(unsigned depth) noexcept;
  void begin(directory& one, unsigned depth);
  void put(directory& into, const edge_name& name, const edge_state& state);
  [[nodiscard]] row append(segment& to, std::uint64_t code) noexcept;
  void remove(const place& at) noexcept;
  void split(directory& in, std::size_t index);
  [[nodiscard]] directory& directory_for(const edge_name& name);
  void note_removed(const edge_name& pair) noexcept;

  carried_values carried_;
  unsigned time_, sequence_, key_;  // the index of each value in a row; that of the weight is 0
  edge_pages pages_;
  chunked_column<segment> segments_;
  directory pairs_;
  std::pmr::unordered_map<std::uint64_t, directory, seeded_hash> parallel_;  // for pairs with many edges; codes are hashes of keys
  pair_code code_;
  seeded_hash hash_;
  std::uint32_t first_free_segment_ = none, free_segments_ = 0;
  std::uint64_t size_ = 0;
};

}  // namespace copse::dynamics
