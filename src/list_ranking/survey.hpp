// The first pass over a list, and the search for the heads of its lists.
//
// Heads are the elements that follow none. If only one list ends, no search is needed: the sum of all elements minus the sum of all
// successors is the head, provided that there is only one. A walk from there to the end in n steps proves it (a walk that ends repeats no
// element, so it visited all n). If several lists end, a bit is set for every element that follows another. If there are as many such bits
// as links, no element follows two, and the elements without a bit are the heads. Costs one pass and, for several lists, one random bit per
// link.
#pragma once
#include <copse/memory.hpp>
#include <list_ranking/list.hpp>

#include <atomic>
#include <bit>
#include <cstdint>
#include <span>

namespace copse::list_ranking {

struct survey {
  std::uint64_t tails = 0;
  std::uint64_t successor_sum = 0;  ///< sum of the successors of all elements that are not tails, modulo 2^64
};

/// Calls each(e, s) with every element and its successor, which is e itself at tails, in one pass. Throws broken_list if a successor is
/// out of range.
template <class Backend, unsigned_index Id, class Each>
survey look_at(const Backend& loops, std::span<const Id> successors, Each each) {
  std::atomic<std::uint64_t> tails{0}, all{0};
  std::atomic<bool> broken{false};
  const Id n = static_cast<Id>(successors.size());
  loops.for_blocks(successors.size(), [&, n, each](std::size_t begin, std::size_t end) {
    std::uint64_t ends = 0, total = 0;
    bool bad = false;
    for (std::size_t i = begin; i < end; ++i) {
      const Id e = static_cast<Id>(i);
      Id s = successors[i];
      if (ends_at(e, s)) {
        s = e;
        ++ends;
      } else {
        bad |= s >= n;
        total += s;
      }
      each(e, s);
    }
    tails.fetch_add(ends, std::memory_order_relaxed);
    all.fetch_add(total, std::memory_order_relaxed);
    if (bad) broken.store(true, std::memory_order_relaxed);
  });
  if (broken.load(std::memory_order_relaxed)) throw broken_list{};
  return {tails.load(std::memory_order_relaxed), all.load(std::memory_order_relaxed)};
}

/// A bit for every element that follows another.
template <class Backend, unsigned_index Id>
class followers {
public:
  /// Throws broken_list if an element follows two. Preconditions: no successor is out of range, and `links` is the number of elements that
  /// are not tails.
  followers(const Backend& loops, std::span<const Id> successors, std::uint64_t links, std::pmr::memory_resource* memory)
      : loops_{loops}, count_{successors.size()}, bits_{(successors.size() + 63) / 64, memory} {
    loops.clear(bits_.data(), bits_.size() * sizeof(std::uint64_t));
    std::uint64_t* const bits = bits_.data();
    loops.for_blocks(successors.size(), [bits, successors](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const Id s = successors[i];
        if (!ends_at(static_cast<Id>(i), s)) set(bits[s / 64], std::uint64_t{1} << (s % 64));
      }
    });
    std::atomic<std::uint64_t> different{0};
    loops.for_blocks(bits_.size(), [bits, &different](std::size_t begin, std::size_t end) {
      std::uint64_t ones = 0;
      for (std::size_t i = begin; i < end; ++i) ones += static_cast<unsigned>(std::popcount(bits[i]));
      different.fetch_add(ones, std::memory_order_relaxed);
    });
    if (different.load(std::memory_order_relaxed) != links) throw broken_list{};
  }

  /// Returns the elements that follow none, in ascending order. Precondition: there are `heads` such elements.
  [[nodiscard]] buffer<Id> heads(std::uint64_t heads, std::pmr::memory_resource* memory) const {
    buffer<Id> found{heads, memory};
    std::size_t next = 0;
    for (std::size_t w = 0; w < bits_.size(); ++w) {
      const std::size_t left = count_ - w * 64;
      const std::uint64_t real = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
      for (std::uint64_t none = ~bits_[w] & real; none != 0; none &= none - 1)
        found[next++] = static_cast<Id>(w * 64 + static_cast<unsigned>(std::countr_zero(none)));
    }
    return found;
  }

private:
  static void set(std::uint64_t& word, std::uint64_t bit) noexcept {
    if constexpr (Backend::concurrent) {
      std::atomic_ref<std::uint64_t>{word}.fetch_or(bit, std::memory_order_relaxed);
    } else {
      word |= bit;
    }
  }

  const Backend& loops_;
  std::size_t count_;
  buffer<std::uint64_t> bits_;
};

/// Returns the heads of all lists. If there is one tail, that is the only possible head, and the caller must check that its list has all n
/// elements. Throws broken_list.
template <class Backend, unsigned_index Id>
buffer<Id> heads_of(const Backend& loops, std::span<const Id> successors, const survey& seen, std::pmr::memory_resource* memory) {
  const std::uint64_t n = successors.size();
  if (seen.tails == 1) {
    const std::uint64_t head = sum_below(n) - seen.successor_sum;
    if (head >= n) throw broken_list{};
    buffer<Id> one{1, memory};
    one[0] = static_cast<Id>(head);
    return one;
  }
  if (seen.tails == 0 && n != 0) throw broken_list{};
  return followers<Backend, Id>{loops, successors, n - seen.tails, memory}.heads(seen.tails, memory);
}

// Reversing lists replaces successors by predecessors. A rank to the end of a list is a rank from the head of the reversed list.

/// Returns the successors of the reversed lists, in which heads become tails. Throws broken_list if an element is out of range or follows
/// two.
template <class Backend, unsigned_index Id>
buffer<Id> reversed(const Backend& loops, std::span<const Id> successors, const list_settings& tuning, list_outcome& report) {
  const phase_timer timing{report.phases, "reverse"};
  buffer<Id> predecessors{successors.size(), tuning.memory};
  Id* const to = predecessors.data();
  const survey seen = look_at(loops, successors, [to](Id e, Id) { to[e] = e; });
  static_cast<void>(followers<Backend, Id>{loops, successors, successors.size() - seen.tails, tuning.memory});
  loops.for_blocks(successors.size(), [to, successors](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Id e = static_cast<Id>(i);
      if (!ends_at(e, successors[i])) to[successors[i]] = e;
    }
  });
  return predecessors;
}

}  // namespace copse::list_ranking
