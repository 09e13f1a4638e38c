// The machine that merge_tree.hpp runs on when it uses the threads of this host, and the order in which edges merge.
#pragma once
#include <copse/errors.hpp>
#include <copse/extend/rules/find/halve.hpp>
#include <copse/memory.hpp>
#include <copse/views.hpp>
#include <drivers/rooting/ascending.hpp>
#include <graph/scan.hpp>
#include <loops/flatten.hpp>
#include <weighted/dendrogram/steps.hpp>
#include <weighted/records.hpp>
#include <weighted/sources.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace copse::weighted {

/// Returns the edges of a forest in the order in which they merge clusters: the heaviest first, edges of equal weight by their ends. A
/// record has the ends and the position of an edge. Throws input_error for a weight that is NaN.
template <class Loops, unsigned_index Id, class Weight>
buffer<record<Id, Id>> in_merge_order(const Loops& loops, coo_view<Id> forest, std::span<const Weight> weights,
                                      std::pmr::memory_resource* memory) {
  using word = std::conditional_t<sizeof(Weight) == 4, std::uint32_t, std::uint64_t>;
  const std::size_t m = forest.edges.size();
  weight_order<word> order{weights, forest_goal::maximum};
  if (const auto bad = order.survey(loops, m))
    throw input_error{"weights: found one that is not a number at position " + std::to_string(*bad) + ", expected numbers"};
  if (m == 0) return {};
  const Id* const ids = &forest.edges.front().u;
  const pairs_source<Id, Id, word> source{forest.vertices(), ids, ids + 1, 2, m, order};
  record_list<record<Id, Id>> list{loops.threads(), memory};
  source.collect(loops, list, [](Id, Id, std::uint32_t) { return true; });
  return sorted_records(loops, list, source, memory);
}

/// Accesses to words that threads share. All are relaxed: values are read by later loops only.
struct shared_words {
  template <class Word>
  static Word load(Word& word) noexcept {
    return std::atomic_ref<Word>{word}.load(std::memory_order_relaxed);
  }
  template <class Word>
  static void store(Word& word, Word value) noexcept {
    std::atomic_ref<Word>{word}.store(value, std::memory_order_relaxed);
  }
  template <class Word>
  static void lower(Word& word, Word value) noexcept {
    const std::atomic_ref<Word> shared{word};
    Word seen = shared.load(std::memory_order_relaxed);
    while (value < seen && !shared.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
    }
  }
};

template <class Loops>
class host_machine {
public:
  using words = shared_words;

  host_machine(const Loops& loops, std::pmr::memory_resource* memory) : loops_{loops}, memory_{memory} {}

  template <class T>
  [[nodiscard]] buffer<T> make(std::size_t count) const {
    return buffer<T>{count, memory_};
  }
  template <class F>
  void for_each(std::size_t count, F f) const {
    loops_.for_each(count, f);
  }
  template <class T>
  void fill(T* first, std::size_t count, T value) const {
    loops_.for_blocks(count, [first, value](std::size_t begin, std::size_t end) { std::fill(first + begin, first + end, value); });
  }
  /// Writes the numbers below `count` for which `wanted` is true to `to`, ascending. Returns how many.
  template <class Wanted, class Id>
  std::size_t ascending(std::size_t count, Wanted wanted, Id* to) const {
    return drivers::ascending_to<Id>(loops_, count, wanted, memory_, [to](std::size_t) { return to; });
  }
  /// Writes the numbers 0 .. count - 1 to `order`, sorted by keys[i], which are below `limit`. Stable.
  template <class Id>
  void group(const Id* keys, std::size_t count, std::size_t limit, Id* order) const {
    struct entry {
      Id prefix, at;
    };
    if (count == 0) return;  // the limit may be 0 here, which has no digits to sort by
    constexpr unsigned digit_bits = 11;
    constexpr std::size_t few = 2048;
    const auto bits = static_cast<unsigned>(std::bit_width(limit));
    const unsigned passes = (bits + digit_bits - 1) / digit_bits, width = (bits + passes - 1) / passes;
    const std::size_t pieces = loops_.threads() == 1 ? 1 : std::min<std::size_t>(std::size_t{2} * loops_.threads(), count / few + 1);
    const std::size_t piece = (count + pieces - 1) / pieces;
    buffer<entry> from{count, memory_}, to{count, memory_};
    loops_.for_blocks(count, [&from, keys](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) from[i] = {keys[i], static_cast<Id>(i)};
    });
    std::vector<std::size_t> counts;
    for (unsigned pass = 0; pass < passes; ++pass) {
      deal_out(loops_, std::as_const(from).span(), to.span(), pass * width, width, piece, counts);
      std::swap(from, to);
    }
    loops_.for_blocks(count, [&from, order](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) order[i] = from[i].at;
    });
  }
  /// Replaces values[i] by values[0] + ... + values[i].
  template <class Id>
  void sum_up(Id* values, std::size_t count) const {
    constexpr std::size_t chunk = std::size_t{1} << 16;
    buffer<Id> starts{(count + chunk - 1) / chunk, memory_};
    loops_.for_chunks(count, chunk, [&starts, values](std::size_t begin, std::size_t end) {
      Id sum = 0;
      for (std::size_t i = begin; i < end; ++i) values[i] = sum = static_cast<Id>(sum + values[i]);
      starts[begin / chunk] = sum;
    });
    exclusive_scan(starts.span(), loops_.threads());
    loops_.for_chunks(count, chunk, [&starts, values](std::size_t begin, std::size_t end) {
      const Id before = starts[begin / chunk];
      for (std::size_t i = begin; i < end; ++i) values[i] = static_cast<Id>(before + values[i]);
    });
  }
  /// Replaces up[x] by the root above x. Halving shortens paths, but it may overwrite a root that another thread has just stored; so a
  /// second pass walks from every x, and writes up[x] only.
  template <class Id>
  void flatten(Id* up, std::size_t count) const {
    const typename Loops::template parents<Id> trees{up};
    loops_.for_each(count, [trees](std::size_t x) { static_cast<void>(find::halve{}(trees, static_cast<Id>(x))); });
    backend::flatten_by_walks(loops_, trees, static_cast<Id>(count));
  }

  template <class Id>
  void lower_firsts(joining::edges_view<Id> edges, std::size_t count, Id* firsts) const {
    std::atomic<bool> changed{true};
    while (changed.exchange(false, std::memory_order_relaxed)) {
      loops_.for_blocks(count, [&changed, offer = joining::try_first<words, Id>{edges, firsts}](std::size_t begin, std::size_t end) {
        bool any = false;
        for (std::size_t k = begin; k < end; ++k) any |= offer(k);
        if (any) changed.store(true, std::memory_order_relaxed);
      });
    }
  }
  /// `order` has `count` edges in ascending order of chains[i], a tree for each edge i. Returns how many of them have chains[i] < tree.
  template <class Id>
  [[nodiscard]] static std::size_t position_of(std::size_t tree, const Id* chains, const Id* order, std::size_t count) {
    return static_cast<std::size_t>(std::partition_point(order, order + count, [=](Id i) { return chains[i] < tree; }) - order);
  }

private:
  const Loops& loops_;
  std::pmr::memory_resource* memory_;
};

}  // namespace copse::weighted
