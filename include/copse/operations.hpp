// Inserts and queries in one batch: what they are, how they see each other, and the answers.
#pragma once
#include <copse/core/memory.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace copse {

/// What a pair of a mixed batch is.
enum class operation : std::uint8_t { insert, query };

/// How the operations of a mixed batch see each other.
enum class mixing : std::uint8_t {
  phased,     ///< all inserts, then all queries: every answer is that of the whole batch
  concurrent  ///< at once; the answers are those of some order of the batch, in which each thread's operations keep theirs (linearizable).
              ///< On one thread, the order of the batch
};

/// A bit a query.
class query_answers {
public:
  explicit query_answers(std::size_t size = 0, std::pmr::memory_resource* memory = host_memory());

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool operator[](std::size_t i) const noexcept { return (words_[i / 64] >> (i % 64) & 1) != 0; }
  /// 64 answers each, the first in the lowest bit; bits behind the last are 0.
  [[nodiscard]] std::span<const std::uint64_t> words() const noexcept { return words_.span(); }
  [[nodiscard]] std::span<std::uint64_t> words() noexcept { return words_.span(); }

private:
  std::size_t size_ = 0;
  buffer<std::uint64_t> words_;
};

}  // namespace copse
