// The sources of a forest in one form: a numbered collection of edges, each with a weight. Rows that store both directions give every edge
// once, from its smaller end; lists and columns give each edge as stored. The order of edges is (weight, smaller end, larger end,
// position): the position distinguishes edges that are equal otherwise, so that the order is total.
#pragma once
#include <copse/views.hpp>
#include <copse/weighted_forest.hpp>
#include <loops/threads.hpp>
#include <weighted/picks.hpp>
#include <weighted/records.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

namespace copse::weighted {

/// The order of weights as an order of integers. Every type of weight, 32 or 64 bits wide, becomes a key that compares as the weight does:
/// the bits of negative floats are flipped, unsigned integers have their top bit flipped, and a maximum forest reverses the order. The
/// algorithms carry the *prefix* of an edge: up to 32 of the upper bits of its distance to the smallest key. Edges of equal prefix are
/// compared by keys, unless the prefix is the whole key. There is one type for each width, not for each type of weight: a few masks hold
/// the difference.
template <unsigned_index Word>
class weight_order {
public:
  using signed_word = std::make_signed_t<Word>;

  /// Keeps a pointer to the weights, which are as wide as Word. If needs_survey(), then survey() must be called before anything is
  /// compared, and must find no NaN.
  template <class Weight>
  weight_order(std::span<const Weight> weights, forest_goal goal) noexcept : first_{reinterpret_cast<const char*>(weights.data())} {
    static_assert(sizeof(Weight) == sizeof(Word));
    if constexpr (std::is_floating_point_v<Weight>) {
      flipped_ = ~top;
      minus_zero_ = top;
      minus_zero_is_ = 0;
      infinity_ = static_cast<signed_word>(std::bit_cast<Word>(std::numeric_limits<Weight>::infinity()));
    }
    if constexpr (std::is_unsigned_v<Weight>) turned_ = top;
    if (goal == forest_goal::maximum) turned_ ^= ~Word{0};
    reversed_ = goal == forest_goal::maximum;
    needs_survey_ = std::is_floating_point_v<Weight> || sizeof(Word) > sizeof(std::uint32_t);
  }

  /// False if weights of this type cannot be NaN and have at most 32 bits, so that the prefix of an edge can be its whole key.
  [[nodiscard]] bool needs_survey() const noexcept { return needs_survey_; }
  /// Reads all weights once and finds the smallest and the largest key, by which prefix() chooses the upper bits that it returns. Returns
  /// the position of the first weight that is NaN, if there is one.
  template <class Backend>
  std::optional<std::size_t> survey(const Backend& loops, std::size_t count) {
    signed_word low = std::numeric_limits<signed_word>::max(), high = std::numeric_limits<signed_word>::min();
    std::mutex guard;
    loops.for_blocks(count, [&, this](std::size_t begin, std::size_t end) {
      const weight_order own = *this;
      signed_word block_low = std::numeric_limits<signed_word>::max(), block_high = std::numeric_limits<signed_word>::min();
      for (std::size_t i = begin; i < end; ++i) {
        const signed_word k = own.key(i);
        block_low = std::min(block_low, k);
        block_high = std::max(block_high, k);
      }
      const std::lock_guard lock{guard};
      low = std::min(low, block_low);
      high = std::max(high, block_high);
    });
    if (count == 0) return std::nullopt;
    if (!is_number(low) || !is_number(high)) {
      std::size_t i = 0;
      while (is_number(key(i))) ++i;
      return i;
    }
    low_ = low;
    const Word range = static_cast<Word>(high) - static_cast<Word>(low);
    shift_ = static_cast<unsigned>(std::max(32, static_cast<int>(std::bit_width(range)))) - 32;
    return std::nullopt;
  }

  [[nodiscard]] std::uint32_t prefix(std::size_t i) const noexcept {
    return static_cast<std::uint32_t>((static_cast<Word>(key(i)) - static_cast<Word>(low_)) >> shift_);
  }
  [[nodiscard]] signed_word key(std::size_t i) const noexcept {
    Word bits;
    std::memcpy(&bits, first_ + i * sizeof(Word), sizeof bits);
    bits = bits == minus_zero_ ? minus_zero_is_ : bits;
    const Word negative = static_cast<Word>(static_cast<signed_word>(bits) >> (std::numeric_limits<Word>::digits - 1));
    return static_cast<signed_word>(bits ^ (negative & flipped_) ^ turned_);
  }
  /// True if edges whose weights have the same prefix have equal weights, because the prefix is the whole key.
  [[nodiscard]] bool prefix_is_exact() const noexcept { return shift_ == 0; }

private:
  static constexpr Word top = Word{1} << (std::numeric_limits<Word>::digits - 1);

  /// True if k is the key of a number. The keys of NaN are beyond those of both infinities.
  [[nodiscard]] bool is_number(signed_word k) const noexcept {
    if (flipped_ == 0) return true;
    const signed_word plain = reversed_ ? static_cast<signed_word>(~k) : k;
    const signed_word minus = static_cast<signed_word>(~infinity_);
    return plain <= infinity_ && plain >= minus;
  }

  const char* first_;
  Word flipped_ = 0, turned_ = 0;
  Word minus_zero_ = 1, minus_zero_is_ = 1;  // for floats key() replaces the bits of -0 by those of 0; for integers it replaces 1 by 1
  signed_word infinity_ = 0, low_ = std::numeric_limits<signed_word>::min();
  unsigned shift_ = 0;
  bool reversed_ = false, needs_survey_ = true;
};

/// Orders edges of equal weight: by the smaller ends, the larger ends, and then the positions `a` and `b`.
template <unsigned_index Id>
bool ends_before(edge<Id> e, std::size_t a, edge<Id> f, std::size_t b) noexcept {
  if (e.u > e.v) std::swap(e.u, e.v);
  if (f.u > f.v) std::swap(f.u, f.v);
  if (e.u != f.u) return e.u < f.u;
  return e.v != f.v ? e.v < f.v : a < b;
}

/// Appends the edges at positions place(first) to place(last - 1) for which keep(u, v, prefix) is true; prefix has the upper bits of the
/// edge's weight. ends(i) returns the ends of the edge at position i. `order`, `ends` and `keep` are copies, so that they may stay in
/// registers: no write of a record can change them.
template <class Record, class Order, class Place, class Ends, class Keep>
void append_kept(record_list<Record>& list, unsigned thread, const Order order, std::size_t first, std::size_t last, Place place, Ends ends,
                 Keep keep) {
  auto& hand = list.hand_of(thread);
  while (first < last) {
    Record* const to = hand.next(list);
    const std::size_t stop = std::min(last, first + hand.room());
    std::size_t size = 0;
    for (; first < stop; ++first) {
      const std::size_t at = place(first);
      const auto [u, v] = ends(at);
      const std::uint32_t prefix = order.prefix(at);
      to[size] = {prefix, u, v, static_cast<decltype(Record::at)>(at)};
      size += keep(u, v, prefix) ? 1 : 0;  // no branch, because it would be unpredictable which edges are light
    }
    hand.add(size);
  }
}

template <unsigned_index Id, unsigned_index Offset, unsigned_index Word>
class rows_source {
public:
  using id = Id;
  using position = Offset;
  using record_type = record<Id, Offset>;

  rows_source(csr_view<Id, Offset> rows, const weight_order<Word>& order) noexcept
      : rows_{rows}, order_{order}, once_{rows.symmetric == symmetry::yes}, ordered_{once_ && rows.sorted && order.prefix_is_exact()} {}

  [[nodiscard]] Id vertices() const noexcept { return rows_.vertices(); }
  [[nodiscard]] std::size_t positions() const noexcept { return rows_.targets.size(); }
  /// The approximate number of edges.
  [[nodiscard]] std::size_t edges() const noexcept { return once_ ? positions() / 2 : positions(); }
  /// One end of the edge at this position.
  [[nodiscard]] Id an_end(std::size_t at) const noexcept { return rows_.targets[at]; }
  [[nodiscard]] const weight_order<Word>& order() const noexcept { return order_; }
  /// True if edges whose weights have the same prefix (upper bits) are ordered by their positions alone, so that no weights or ends need be
  /// compared.
  [[nodiscard]] bool by_position() const noexcept { return ordered_; }
  /// True if the row of a vertex has all of its edges, in the order of their other ends.
  [[nodiscard]] bool has_whole_rows() const noexcept { return once_ && rows_.sorted; }
  [[nodiscard]] const csr_view<Id, Offset>& rows() const noexcept { return rows_; }

  /// True if the edge at position `a` comes before the one at `b` in the order of edges: by weight, then by ends and position.
  /// Precondition: the weights of both have the same prefix (upper bits).
  [[nodiscard]] bool before(std::size_t a, std::size_t b) const noexcept {
    if (ordered_) return a < b;
    const auto key_a = order_.key(a), key_b = order_.key(b);
    if (key_a != key_b) return key_a < key_b;
    return ends_before(edge<Id>{from(a), rows_.targets[a]}, a, edge<Id>{from(b), rows_.targets[b]}, b);
  }

  /// Appends all edges for which `keep` is true to the list.
  template <class Backend, class Keep>
  void collect(const Backend& loops, record_list<record_type>& list, const Keep& keep) const {
    loops.for_row_pieces(rows_, [this, &list, &keep](Id u, Offset first, Offset last) {
      const Id* const targets = rows_.targets.data();
      if (once_ && rows_.sorted) first = first_above(targets, u, first, last);
      const bool all = !once_ || rows_.sorted;
      append_kept(
          list, Backend::thread(), order_, first, last, std::identity{},
          [u, targets](std::size_t a) {
            return std::pair{u, targets[a]};
          },
          [keep, all](Id a, Id b, std::uint32_t prefix) { return (all || a < b) & keep(a, b, prefix); });
    });
    list.close(loops);
  }

  // If few edges are wanted, all arcs are first sifted by what needs no more than their targets or weights, whichever rows they are in,
  // with no branch. Only then are the rows of those that are left looked for.

  /// Appends all edges whose prefix (the upper bits of the weight) is at most `pivot`.
  template <class Backend>
  void collect_light(const Backend& loops, record_list<record_type>& list, std::uint32_t pivot) const {
    const auto is_light = [pivot](Id u, Id v, std::uint32_t prefix) { return (prefix <= pivot) & (u != v); };
    if (!once_) return collect(loops, list, is_light);
    in_blocks_of_arcs(loops, [this, &list, order = order_, pivot](std::size_t first, std::size_t last, Id row) {
      append_sifted(
          list, Backend::thread(), first, last, row, [order, pivot](std::size_t at) { return order.prefix(at) <= pivot; },
          [](Id u, Id v, std::uint32_t /*prefix*/) { return u < v; });
    });
    list.close(loops);
  }

  /// Appends all edges whose prefix is above `pivot`, except those that have both ends in the largest tree, of which `largest` is a test.
  template <class Backend, class Test>
  void collect_outside(const Backend& loops, record_list<record_type>& list, std::uint32_t pivot, const Test& largest) const {
    if (!once_ || !largest.is_any()) {
      return collect(loops, list,
                     [pivot, largest](Id u, Id v, std::uint32_t prefix) { return (prefix > pivot) & (u != v) & !largest.has_both(u, v); });
    }
    in_blocks_of_arcs(loops, [this, &list, pivot, largest](std::size_t first, std::size_t last, Id row) {
      const Id* const targets = rows_.targets.data();
      append_sifted(
          list, Backend::thread(), first, last, row, [targets, largest](std::size_t at) { return !largest.has(targets[at]); },
          [pivot](Id u, Id v, std::uint32_t prefix) { return (u < v) & (prefix > pivot); });
      // Arcs to the largest tree were sifted out. They are wanted from the rows of vertices outside it.
      largest.each_outside(row, row_at(last - 1, row), [&](Id u) {
        append_kept(
            list, Backend::thread(), order_, std::max<std::size_t>(first, rows_.offsets[u]),
            std::min<std::size_t>(last, rows_.offsets[std::size_t{u} + 1]), std::identity{},
            [u, targets](std::size_t at) {
              return std::pair{u, targets[at]};
            },
            [pivot, largest](Id a, Id b, std::uint32_t prefix) { return (a < b) & largest.has(b) & (prefix > pivot); });
      });
    });
    list.close(loops);
  }

  /// Returns the ends of edges at positions that ascend from call to call, from `begin` on: the row of an edge is found by steps from the
  /// row of the one before.
  class reader {
  public:
    reader(const rows_source& source, std::size_t begin) : source_{source}, row_{begin < source.positions() ? source.from(begin) : Id{0}} {}
    edge<Id> operator()(std::size_t at) {
      row_ = source_.row_at(at, row_);
      return {row_, source_.rows_.targets[at]};
    }

  private:
    const rows_source& source_;
    Id row_;
  };

private:
  static constexpr std::size_t sifted_at_once = 2048;

  /// Calls f(first, last, row) for blocks of arcs [first, last), concurrently; `row` is the row of a block's first arc.
  template <class Backend, class F>
  void in_blocks_of_arcs(const Backend& loops, F f) const {
    loops.for_chunks(positions(), std::size_t{1} << 15, [this, f](std::size_t begin, std::size_t end) {
      for (Id row = from(begin); begin < end; begin += sifted_at_once) {
        row = row_at(begin, row);
        f(begin, std::min(end, begin + sifted_at_once), row);
      }
    });
  }

  /// Appends those arcs of a block for which passes(position) and keep(u, v, prefix) are true. `row`: the row of its first arc.
  template <class Passes, class Keep>
  void append_sifted(record_list<record_type>& list, unsigned thread, std::size_t first, std::size_t last, Id row, Passes passes,
                     Keep keep) const {
    std::array<std::uint16_t, sifted_at_once> passed;
    std::size_t count = 0;
    for (std::size_t i = first; i < last; ++i) {
      passed[count] = static_cast<std::uint16_t>(i - first);
      count += passes(i) ? 1 : 0;
    }
    append_kept(
        list, thread, order_, 0, count, [&passed, first](std::size_t k) { return first + passed[k]; },
        [this, row, targets = rows_.targets.data()](std::size_t at) mutable {
          row = row_at(at, row);
          return std::pair{row, targets[at]};
        },
        keep);
  }

  /// Returns the row of the arc at this position, which is `row` or one behind.
  [[nodiscard]] Id row_at(std::size_t at, Id row) const noexcept {
    while (rows_.offsets[std::size_t{row} + 1] <= at) ++row;
    return row;
  }

  /// Returns the position of the first target above u. In a short row, smaller targets are counted, as a binary search would mispredict
  /// half of its branches.
  static Offset first_above(const Id* targets, Id u, Offset first, Offset last) noexcept {
    constexpr Offset short_row = 32;
    if (last - first > short_row) return static_cast<Offset>(std::upper_bound(targets + first, targets + last, u) - targets);
    Offset above = first;
    for (Offset a = first; a < last; ++a) above = static_cast<Offset>(above + (targets[a] <= u ? 1 : 0));
    return above;
  }

  /// Returns the row of an arc.
  [[nodiscard]] Id from(std::size_t at) const noexcept {
    const auto& offsets = rows_.offsets;
    return static_cast<Id>(std::upper_bound(offsets.begin(), offsets.end(), static_cast<Offset>(at)) - offsets.begin() - 1);
  }

  csr_view<Id, Offset> rows_;
  const weight_order<Word>& order_;
  bool once_, ordered_;
};

/// A list, or two columns: edge i has its ends at first_u[i * stride] and first_v[i * stride].
template <unsigned_index Id, unsigned_index Position, unsigned_index Word>
class pairs_source {
public:
  using id = Id;
  using position = Position;
  using record_type = record<Id, Position>;

  pairs_source(Id vertices, const Id* first_u, const Id* first_v, std::size_t stride, std::size_t count,
               const weight_order<Word>& order) noexcept
      : vertices_{vertices}, first_u_{first_u}, first_v_{first_v}, stride_{stride}, count_{count}, order_{order} {}

  [[nodiscard]] Id vertices() const noexcept { return vertices_; }
  [[nodiscard]] std::size_t positions() const noexcept { return count_; }
  [[nodiscard]] std::size_t edges() const noexcept { return count_; }
  [[nodiscard]] Id an_end(std::size_t at) const noexcept { return first_v_[at * stride_]; }
  [[nodiscard]] const weight_order<Word>& order() const noexcept { return order_; }
  [[nodiscard]] bool by_position() const noexcept { return false; }

  [[nodiscard]] bool before(std::size_t a, std::size_t b) const noexcept {
    const auto key_a = order_.key(a), key_b = order_.key(b);
    if (key_a != key_b) return key_a < key_b;
    return ends_before(edge<Id>{first_u_[a * stride_], first_v_[a * stride_]}, a, edge<Id>{first_u_[b * stride_], first_v_[b * stride_]},
                       b);
  }

  template <class Backend, class Keep>
  void collect(const Backend& loops, record_list<record_type>& list, const Keep& keep) const {
    loops.for_blocks(count_, [this, &list, &keep](std::size_t begin, std::size_t end) {
      append_kept(
          list, Backend::thread(), order_, begin, end, std::identity{}, [this](std::size_t i) { return ends(i); }, keep);
    });
    list.close(loops);
  }
  template <class Backend>
  void collect_light(const Backend& loops, record_list<record_type>& list, std::uint32_t pivot) const {
    collect(loops, list, [pivot](Id u, Id v, std::uint32_t prefix) { return (prefix <= pivot) & (u != v); });
  }
  template <class Backend, class Test>
  void collect_outside(const Backend& loops, record_list<record_type>& list, std::uint32_t pivot, const Test& largest) const {
    collect(loops, list,
            [pivot, largest](Id u, Id v, std::uint32_t prefix) { return (prefix > pivot) & (u != v) & !largest.has_both(u, v); });
  }

  class reader {
  public:
    reader(const pairs_source& source, std::size_t /*begin*/) : source_{source} {}
    edge<Id> operator()(std::size_t at) const {
      const auto [u, v] = source_.ends(at);
      return {u, v};
    }

  private:
    const pairs_source& source_;
  };

private:
  [[nodiscard]] std::pair<Id, Id> ends(std::size_t i) const noexcept { return {first_u_[i * stride_], first_v_[i * stride_]}; }

  Id vertices_;
  const Id* first_u_;
  const Id* first_v_;
  std::size_t stride_, count_;
  const weight_order<Word>& order_;
};

}  // namespace copse::weighted
