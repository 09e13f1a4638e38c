// What the passes over vertices have in common: the rules, chunks that one thread owns, a bit per vertex, and rows that are too long for
// one thread.
#pragma once
#include <copse/extend/rules/find/naive.hpp>
#include <copse/extend/rules/splice/halve_one.hpp>
#include <copse/extend/rules/unite/rem.hpp>
#include <copse/extend/rules/unite/rem_cas.hpp>
#include <copse/memory.hpp>
#include <copse/views.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

namespace copse::fast {

/// The unite rule of the fast path: Rem's algorithm, which is sequential for one thread and uses compare-and-swap for many threads.
template <class Backend>
using unite_of = std::conditional_t<Backend::concurrent, unite::rem_cas<find::naive, splice::halve_one>, unite::rem>;

template <class P>
typename P::id parent_of(P p, typename P::id v) noexcept {
  return p.parent(p.load(v));
}

/// Calls f with `chosen` as a compile-time constant, std::true_type or std::false_type, so that inner loops need no branch on it.
template <class F>
void as_constants(bool chosen, F f) {
  if (chosen) {
    f(std::true_type{});
  } else {
    f(std::false_type{});
  }
}

/// Number of vertices in a chunk, which one thread owns during a pass. A multiple of 64. There are about eight chunks per thread, and a
/// chunk is no larger than what stays in the cache of one core.
template <class Backend>
std::size_t chunk_of(const Backend& backend, std::size_t n, std::size_t asked) {
  if (asked != 0) return asked;
  if (!Backend::concurrent) return std::size_t{1} << 16;
  return std::bit_ceil(std::clamp<std::size_t>(n / (std::size_t{backend.threads()} * 8), 1024, std::size_t{1} << 16));
}

// One bit per vertex. Words are written by the thread that owns the chunk (chunks are multiples of 64 vertices) and read in later passes.
// If the labels are allocated here too, the bits follow the labels in one allocation. A separate allocation would get pages that the kernel
// clears, and whose return interrupts every core, in each solve.

constexpr std::size_t words_of_bits(std::size_t n) noexcept { return (n + 63) / 64; }

/// Returns the index, counted in ids, at which the words of bits begin in memory that has n labels first.
template <class Id>
constexpr std::size_t begin_of_bits(std::size_t n) noexcept {
  constexpr std::size_t ids = sizeof(std::uint64_t) / sizeof(Id);
  return (n + ids - 1) / ids * ids;
}

/// Allocates n labels, and memory for n bits behind them.
template <class Id>
buffer<Id> labels_with_bits(std::size_t n, std::pmr::memory_resource* memory) {
  buffer<Id> labels{begin_of_bits<Id>(n) + words_of_bits(n) * (sizeof(std::uint64_t) / sizeof(Id)), memory};
  labels.shrink(n);
  return labels;
}

/// Returns the bits behind labels that labels_with_bits() allocated.
template <class Id>
std::span<std::uint64_t> bits_behind(buffer<Id>& labels) noexcept {
  if (labels.empty()) return {};
  return {reinterpret_cast<std::uint64_t*>(labels.data() + begin_of_bits<Id>(labels.size())), words_of_bits(labels.size())};
}

/// Collects up to 64 bits one by one, the lowest first. A shift by one place per bit is cheaper than a shift by the index of the bit.
class bit_row {
public:
  void add(bool bit) noexcept {
    bits_ = bits_ >> 1 | static_cast<std::uint64_t>(bit) << 63;
    ++count_;
  }
  /// Returns the collected bits. Precondition: add() was called at least once.
  [[nodiscard]] std::uint64_t bits() const noexcept { return bits_ >> (64 - count_); }

private:
  std::uint64_t bits_ = 0;
  unsigned count_ = 0;
};

/// Calls f(v) for the marked vertices of [begin, end), in order. Precondition: begin is a multiple of 64.
template <class F>
void each_marked(const std::uint64_t* bits, std::size_t begin, std::size_t end, F f) {
  for (std::size_t word = begin / 64; word < (end + 63) / 64; ++word) {
    for (std::uint64_t marks = bits[word]; marks != 0; marks &= marks - 1) {
      f(word * 64 + static_cast<std::size_t>(std::countr_zero(marks)));
    }
  }
}

/// A flag that any thread may raise during a pass, read before the next pass starts.
class shared_flag {
public:
  void raise() noexcept {
    if (!raised()) up_.store(true, std::memory_order_relaxed);
  }
  [[nodiscard]] bool raised() const noexcept { return up_.load(std::memory_order_relaxed); }

private:
  std::atomic<bool> up_{false};
};

// Rows too long for one thread. A pass over vertices handles the first `long_row` arcs of a row, and raises a flag if there are more. A
// second pass, which nearly always finds the flag down, divides long rows among all threads. With one thread, no row counts as long.

template <class Backend>
inline constexpr std::size_t long_row = Backend::concurrent ? 4096 : std::numeric_limits<std::size_t>::max();

/// Calls f(v, first, last) for pieces of the rows longer than `long_row`, if `flag` is raised.
template <class Backend, class Id, class Offset, class F>
void for_long_rows(const Backend& backend, csr_view<Id, Offset> g, const shared_flag& flag, F f) {
  if (!flag.raised()) return;
  backend.for_row_pieces(g, [=](Id v, Offset first, Offset last) {
    if (g.offsets[v + 1] - g.offsets[v] > long_row<Backend>) f(v, first, last);
  });
}

}  // namespace copse::fast
