// One bit per vertex. Words are written by the thread that owns the chunk (chunks are multiples of 64 vertices) and read in later passes.
// Where the labels are ours too, they lie behind them in one allocation: pages of their own would be cleared, and given back by
// interrupting every core, in each solve.
#pragma once
#include <copse/memory.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace copse::fast {

constexpr std::size_t words_of_bits(std::size_t n) noexcept { return (n + 63) / 64; }

/// Where the words of bits behind n labels begin, in ids.
template <class Id>
constexpr std::size_t begin_of_bits(std::size_t n) noexcept {
  constexpr std::size_t ids = sizeof(std::uint64_t) / sizeof(Id);
  return (n + ids - 1) / ids * ids;
}

/// n labels, and memory for a bit of each behind them.
template <class Id>
buffer<Id> labels_with_bits(std::size_t n, std::pmr::memory_resource* memory) {
  buffer<Id> labels{begin_of_bits<Id>(n) + words_of_bits(n) * (sizeof(std::uint64_t) / sizeof(Id)), memory};
  labels.shrink(n);
  return labels;
}

/// The bits behind labels that labels_with_bits() made.
template <class Id>
std::span<std::uint64_t> bits_behind(buffer<Id>& labels) noexcept {
  if (labels.empty()) return {};
  return {reinterpret_cast<std::uint64_t*>(labels.data() + begin_of_bits<Id>(labels.size())), words_of_bits(labels.size())};
}

/// Up to 64 bits that come one by one, the lowest first: shifts by one place are cheaper than by as many as the bit's own.
class bit_row {
public:
  void add(bool bit) noexcept {
    bits_ = bits_ >> 1 | static_cast<std::uint64_t>(bit) << 63;
    ++count_;
  }
  /// Precondition: at least one was added.
  [[nodiscard]] std::uint64_t bits() const noexcept { return bits_ >> (64 - count_); }

private:
  std::uint64_t bits_ = 0;
  unsigned count_ = 0;
};

/// f(v) for the marked vertices of [begin, end), in order. Precondition: begin is a multiple of 64.
template <class F>
void each_marked(const std::uint64_t* bits, std::size_t begin, std::size_t end, F f) {
  for (std::size_t word = begin / 64; word < (end + 63) / 64; ++word) {
    for (std::uint64_t marks = bits[word]; marks != 0; marks &= marks - 1) {
      f(word * 64 + static_cast<std::size_t>(std::countr_zero(marks)));
    }
  }
}

}  // namespace copse::fast
