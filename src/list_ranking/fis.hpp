// Algorithm 2 of Banerjee and Kothapalli: shrink the list, rank the rest, and put the removed elements back.
//
// I. In each of r rounds every element draws a bit. An element that drew 1 between two neighbours that drew 0 leaves. On average, an
// eighth of the list leaves, and never two neighbours. An element that leaves adds its weight to that of its predecessor, and keeps its
// own weight and its successor, which stays.
//
// II. The remaining elements are renumbered and ranked by helman_jaja in the direction of predecessors, so that ranks are sums from the
// tails.
//
// III. The rounds are undone in reverse order: the rank of an element that left is its weight plus the rank of its successor, which is
// known by then.
//
// Heads and tails never leave, nor does an element of a cycle of two, so that a cycle remains one and is found in phase II. There are no
// data races: an element that drew 1 reads its own fields and its neighbours' bits, and a round writes only fields of elements that drew 0.
// O(n) work; phase I visits about 8 n elements if r is large.
#pragma once
#include <list_ranking/coin.hpp>
#include <list_ranking/helman_jaja.hpp>
#include <list_ranking/list.hpp>

#include <chrono>

namespace copse::list_ranking {

template <unsigned_index Id, class V>
struct linked {
  Id after, before;  ///< the next and the previous element; at tails, `after` is the element itself; at heads, `before` is all ones
  V weight;          ///< the sum of the weights from this element to the one before `after`
};

/// Returns successors, predecessors and weights of all elements. Throws broken_list if an element follows two, or is out of range.
template <class Backend, unsigned_index Id, class Weights>
buffer<linked<Id, typename Weights::value>> link(const Backend& loops, std::span<const Id> successors, Weights weights,
                                                 const list_settings& tuning, list_outcome& report) {
  const phase_timer timing{report.phases, "check"};
  const std::size_t n = successors.size();
  buffer<linked<Id, typename Weights::value>> all{n, tuning.memory};
  auto* const to = all.data();
  const survey seen = look_at(loops, successors, [to, weights](Id e, Id s) { to[e] = {s, no_vertex<Id>, weights(e, s == e)}; });
  if (seen.tails == 0 && n != 0) throw broken_list{};
  report.lists = seen.tails;
  loops.for_blocks(n, [to](std::size_t begin, std::size_t end) {
    for (std::size_t e = begin; e < end; ++e) {
      if (to[e].after != e) shared_store(to[to[e].after].before, static_cast<Id>(e));
    }
  });
  std::atomic<bool> broken{false};
  loops.for_blocks(n, [to, &broken](std::size_t begin, std::size_t end) {
    bool bad = false;
    for (std::size_t e = begin; e < end; ++e) bad |= to[e].after != e && to[to[e].after].before != e;
    if (bad) broken.store(true, std::memory_order_relaxed);
  });
  if (broken.load(std::memory_order_relaxed)) throw broken_list{};
  return all;
}

/// Appends elements to one of two arrays, through small buffers; two shared counters give the positions.
template <unsigned_index Id>
class sorter {
public:
  sorter(Id* stay, std::atomic<std::size_t>& stayed, Id* leave, std::atomic<std::size_t>& left) noexcept
      : stay_{stay, stayed}, leave_{leave, left} {}
  void put(Id e, bool leaves) noexcept { (leaves ? leave_ : stay_).put(e); }
  void flush() noexcept {
    stay_.flush();
    leave_.flush();
  }

private:
  struct way {
    Id* to;
    std::atomic<std::size_t>& count;
    unsigned held = 0;
    Id hold[256];

    way(Id* array, std::atomic<std::size_t>& counter) noexcept : to{array}, count{counter} {}
    void put(Id e) noexcept {
      hold[held++] = e;
      if (held == 256) flush();
    }
    void flush() noexcept {
      const std::size_t at = count.fetch_add(held, std::memory_order_relaxed);
      for (unsigned i = 0; i < held; ++i) to[at + i] = hold[i];
      held = 0;
    }
  };
  way stay_, leave_;
};

/// Sets ranks[e] to the sum of all weights from e to the end of its list, both included.
template <class Op, class Backend, unsigned_index Id, class Weights>
void scan_by_independent_sets(const Backend& loops, std::span<const Id> successors, Weights weights,
                              std::span<typename Weights::value> ranks, const list_settings& tuning, list_outcome& report) {
  using value = typename Weights::value;
  const std::size_t n = successors.size();
  auto held = link(loops, successors, weights, tuning, report);
  auto* const all = held.data();
  buffer<Id> active{n, tuning.memory}, next{n, tuning.memory}, left{n, tuning.memory};
  std::vector<std::size_t> left_before{0};  // the position of each round's first element in `left`
  std::size_t count = n;
  loops.for_blocks(n, [to = active.data()](std::size_t begin, std::size_t end) {
    for (std::size_t e = begin; e < end; ++e) to[e] = static_cast<Id>(e);
  });
  {
    const phase_timer timing{report.phases, "reduce"};
    for (unsigned round = 0; round < tuning.rounds; ++round) {
      const auto start = std::chrono::steady_clock::now();
      std::atomic<std::size_t> stayed{0}, gone{left_before.back()};
      const coin bit{tuning.seed, round};
      loops.for_blocks(count, [&, from = active.data(), all, bit](std::size_t begin, std::size_t end) {
        sorter<Id> ways{next.data(), stayed, left.data(), gone};
        for (std::size_t i = begin; i < end; ++i) {
          const Id u = from[i];
          bool leaves = false;
          if (bit(u)) {
            const auto own = all[u];
            leaves = own.before != no_vertex<Id> && own.after != u && own.after != own.before && !bit(own.before) && !bit(own.after);
            if (leaves) {
              auto& p = all[own.before];
              p.after = own.after;
              p.weight = Op::of(p.weight, own.weight);
              all[own.after].before = own.before;
            }
          }
          ways.put(u, leaves);
        }
        ways.flush();
      });
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      report.rounds.push_back({.elements = count, .remove_seconds = seconds});
      count = stayed.load(std::memory_order_relaxed);
      left_before.push_back(gone.load(std::memory_order_relaxed));
      std::swap(active, next);
    }
  }
  {
    const phase_timer timing{report.phases, "rank"};
    buffer<Id> place = std::move(next);
    buffer<Id> backwards{count, tuning.memory};
    buffer<value> kept{count, tuning.memory}, sums{count, tuning.memory};
    loops.for_blocks(count, [from = active.data(), to = place.data()](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k) to[from[k]] = static_cast<Id>(k);
    });
    loops.for_blocks(count, [=, from = active.data(), places = place.data(), to = backwards.data(), w = kept.data()](std::size_t begin,
                                                                                                                     std::size_t end) {
      for (std::size_t k = begin; k < end; ++k) {
        const auto& own = all[from[k]];
        to[k] = own.before == no_vertex<Id> ? static_cast<Id>(k) : places[own.before];
        w[k] = own.weight;
      }
    });
    list_outcome inner;
    const given_weights<value> compact{kept.data()};
    const std::span<const Id> lists{backwards.data(), count};
    if (count + report.lists + tuning.splitters < std::uint64_t{1} << 31) {
      scan_by_sublists<Op, std::uint32_t>(loops, lists, compact, sums.span(), tuning, inner);
    } else {
      scan_by_sublists<Op, std::uint64_t>(loops, lists, compact, sums.span(), tuning, inner);
    }
    loops.for_blocks(count, [from = active.data(), to = ranks.data(), found = sums.data()](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k) to[from[k]] = found[k];
    });
  }
  const phase_timer timing{report.phases, "reinsert"};
  for (std::size_t round = left_before.size() - 1; round-- > 0;) {
    const Id* const from = left.data() + left_before[round];
    loops.for_blocks(left_before[round + 1] - left_before[round], [=, to = ranks.data()](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const auto& own = all[from[i]];
        to[from[i]] = Op::of(own.weight, to[own.after]);
      }
    });
  }
}

}  // namespace copse::list_ranking
