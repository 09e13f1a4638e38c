// One bit a vertex. Words are written by the thread that owns the chunk (chunks are multiples of 64 vertices) and read in later passes.
#pragma once
#include <copse/core/memory.hpp>

#include <cstddef>
#include <cstdint>

namespace copse::own {

class vertex_bits {
public:
  vertex_bits() = default;
  vertex_bits(std::size_t n, std::pmr::memory_resource* memory) : words_{(n + 63) / 64, memory} {}

  [[nodiscard]] std::uint64_t* data() noexcept { return words_.data(); }

private:
  buffer<std::uint64_t> words_;
};

inline bool bit_of(const std::uint64_t* words, std::size_t v) noexcept { return (words[v / 64] >> (v % 64) & 1) != 0; }

/// Writes the words of [begin, end), begin a multiple of 64: bit v is f(v), asked in ascending order.
template <class F>
void write_bits(std::uint64_t* words, std::size_t begin, std::size_t end, F f) {
  std::uint64_t word = 0;
  for (std::size_t v = begin; v < end; ++v) {
    word |= static_cast<std::uint64_t>(f(v)) << (v % 64);
    if (v % 64 == 63 || v + 1 == end) {
      words[v / 64] = word;
      word = 0;
    }
  }
}

}  // namespace copse::own
