// What a forest is made of, in one form: a numbered collection of edges, each with a weight. Rows give every edge once, from its smaller
// end, where both directions are stored; lists and columns give each as it stands. The order of edges is (weight, smaller end, larger end,
// position): positions part what is equal in all else, so that any two records are ordered.
#pragma once
#include <copse/views.hpp>
#include <weighted/picks.hpp>
#include <weighted/records.hpp>
#include <weighted/weight_order.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace copse::weighted {

/// The order of edges of equal weight: by the smaller ends, the larger ends, and `a` and `b`, where they stand.
template <unsigned_index Id>
bool ends_before(edge<Id> e, std::size_t a, edge<Id> f, std::size_t b) noexcept {
  if (e.u > e.v) std::swap(e.u, e.v);
  if (f.u > f.v) std::swap(f.u, f.v);
  if (e.u != f.u) return e.u < f.u;
  return e.v != f.v ? e.v < f.v : a < b;
}

/// Appends the edges of [first, last) for which keep(u, v, prefix) holds; it may replace the ends. ends(i) gives them.
template <class Record, class Order, class Ends, class Keep>
void append_kept(record_list<Record>& list, unsigned thread, const Order& order, std::size_t first, std::size_t last, Ends ends,
                 const Keep& keep) {
  using id = decltype(Record::u);
  auto& hand = list.hand_of(thread);
  while (first < last) {
    Record* const to = hand.next(list);
    const std::size_t stop = std::min(last, first + hand.room());
    std::size_t size = 0;
    for (; first < stop; ++first) {
      std::pair<id, id> e = ends(first);
      const std::uint32_t prefix = order.prefix(first);
      const bool kept = keep(e.first, e.second, prefix);
      to[size] = {prefix, e.first, e.second, static_cast<decltype(Record::at)>(first)};
      size += kept ? 1 : 0;  // no branch: which edges are light is not to be predicted
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
  /// How many edges there are, about.
  [[nodiscard]] std::size_t edges() const noexcept { return once_ ? positions() / 2 : positions(); }
  [[nodiscard]] const weight_order<Word>& order() const noexcept { return order_; }
  /// Are records of equal prefix ordered by their positions?
  [[nodiscard]] bool by_position() const noexcept { return ordered_; }

  /// Of two edges of equal prefix: does the one at `a` come first?
  [[nodiscard]] bool before(std::size_t a, std::size_t b) const noexcept {
    if (ordered_) return a < b;
    const auto key_a = order_.key(a), key_b = order_.key(b);
    if (key_a != key_b) return key_a < key_b;
    return ends_before(edge<Id>{from(a), rows_.targets[a]}, a, edge<Id>{from(b), rows_.targets[b]}, b);
  }

  /// All edges that `keep` keeps.
  template <class Backend, class Keep>
  void collect(const Backend& loops, record_list<record_type>& list, const Keep& keep) const {
    loops.for_row_pieces(rows_, [this, &list, &keep](Id u, Offset first, Offset last) {
      const Id* const targets = rows_.targets.data();
      if (once_ && rows_.sorted) first = static_cast<Offset>(std::upper_bound(targets + first, targets + last, u) - targets);
      const bool all = !once_ || rows_.sorted;
      append_kept(
          list, Backend::thread(), order_, first, last,
          [u, targets](std::size_t a) {
            return std::pair{u, targets[a]};
          },
          [&keep, all](Id& a, Id& b, std::uint32_t prefix) { return (all || a < b) & keep(a, b, prefix); });
    });
    list.close();
  }

  /// Edges at ascending positions of one block.
  class reader {
  public:
    reader(const rows_source& source, std::size_t begin) : source_{source}, row_{begin < source.positions() ? source.from(begin) : Id{0}} {}
    edge<Id> operator()(std::size_t at) {
      while (source_.rows_.offsets[row_ + 1] <= at) ++row_;
      return {row_, source_.rows_.targets[at]};
    }

  private:
    const rows_source& source_;
    Id row_;
  };

private:
  /// The row that an arc stands in.
  [[nodiscard]] Id from(std::size_t at) const noexcept {
    const auto& offsets = rows_.offsets;
    return static_cast<Id>(std::upper_bound(offsets.begin(), offsets.end(), static_cast<Offset>(at)) - offsets.begin() - 1);
  }

  csr_view<Id, Offset> rows_;
  const weight_order<Word>& order_;
  bool once_, ordered_;
};

/// A list, or two columns: edge i has its ends at first_u + i * stride and first_v + i * stride.
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
          list, Backend::thread(), order_, begin, end, [this](std::size_t i) { return ends(i); }, keep);
    });
    list.close();
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
