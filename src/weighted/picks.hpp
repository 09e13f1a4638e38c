// A bit per edge of the input that shows whether it is in the forest. So the forest comes out in the order of the input, whichever
// algorithm found it.
#pragma once
#include <copse/memory.hpp>
#include <core/parallel.hpp>
#include <graph/scan.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace copse::weighted {

class picks {
public:
  template <class Backend>
  picks(const Backend& loops, std::size_t count, std::pmr::memory_resource* memory) : words_{(count + 63) / 64, memory} {
    loops.clear(words_.data(), words_.size() * sizeof(std::uint64_t));
  }

  void mark(std::size_t i) noexcept {
    std::atomic_ref<std::uint64_t>{words_[i / 64]}.fetch_or(std::uint64_t{1} << (i % 64), std::memory_order_relaxed);
  }

  /// Prefetches the word of an edge that is marked soon: otherwise the atomic operation waits for the memory, and all later instructions
  /// wait for it.
  void prefetch(std::size_t i) const noexcept { __builtin_prefetch(&words_[i / 64], 1); }

  /// Prepares each(), and returns the number of marked edges.
  std::uint64_t count_all(unsigned threads, std::pmr::memory_resource* memory) {
    const std::size_t blocks = (words_.size() + block_words - 1) / block_words;
    before_ = buffer<std::uint64_t>{blocks, memory};
    parallel_blocks(threads, blocks, 64, [this](std::size_t begin, std::size_t end) {
      for (std::size_t b = begin; b < end; ++b) {
        std::uint64_t sum = 0;
        for (std::size_t w = b * block_words; w < std::min(words_.size(), (b + 1) * block_words); ++w)
          sum += static_cast<std::uint64_t>(std::popcount(words_[w]));
        before_[b] = sum;
      }
    });
    return exclusive_scan(before_.span(), threads);
  }

  /// Calls f(position, rank) for all marked edges; `rank` is the number of marked edges at smaller positions. Positions ascend within a
  /// block of them; blocks run concurrently. `begin_block` makes an f for each block. Precondition: count_all() was called.
  template <class BeginBlock>
  void each(unsigned threads, BeginBlock begin_block) const {
    parallel_blocks(threads, before_.size(), 1, [&](std::size_t b, std::size_t) {
      auto f = begin_block(b * block_words * 64);
      std::uint64_t rank = before_[b];
      for (std::size_t w = b * block_words; w < std::min(words_.size(), (b + 1) * block_words); ++w) {
        for (std::uint64_t bits = words_[w]; bits != 0; bits &= bits - 1)
          f(w * 64 + static_cast<std::size_t>(std::countr_zero(bits)), rank++);
      }
    });
  }

private:
  static constexpr std::size_t block_words = 512;

  buffer<std::uint64_t> words_, before_;
};

}  // namespace copse::weighted
