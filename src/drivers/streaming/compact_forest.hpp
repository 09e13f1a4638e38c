// Parents of vertices that are numbered in the order of their arrival, in an array that grows by pieces of 4 MiB and never moves.
#pragma once
#include <copse/labels.hpp>
#include <copse/memory.hpp>
#include <copse/types.hpp>
#include <drivers/streaming/inverted_parents.hpp>
#include <ids/arrival_numbers.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace copse::streaming {

class compact_forest {
public:
  static constexpr unsigned piece_bits = 20;

  class words_type {
  public:
    using id = std::uint32_t;
    explicit words_type(const compact_forest& forest) noexcept : pieces_{forest.pieces_.data()} {}
    std::uint32_t& operator[](std::uint32_t v) const noexcept {
      return pieces_[v >> piece_bits].load(std::memory_order_acquire)[v & ((1u << piece_bits) - 1)];
    }

  private:
    const std::atomic<std::uint32_t*>* pieces_;
  };

  explicit compact_forest(std::pmr::memory_resource* memory) : memory_{memory}, owned_(pieces_.size()) {}

  /// The bytes of an array for `vertices` vertices, which is allocated in pieces of 2^piece_bits vertices.
  static constexpr std::uint64_t bytes_for(std::uint64_t vertices) noexcept {
    return ((vertices + (std::uint64_t{1} << piece_bits) - 1) >> piece_bits) * (sizeof(std::uint32_t) << piece_bits);
  }

  [[nodiscard]] words_type words() const noexcept { return words_type{*this}; }
  /// Makes vertex `number` its own root. Allocates the piece of the array that holds the vertex unless it exists; words() may be indexed
  /// only by vertices whose pieces exist. May be called by any thread. Throws resource_error.
  void add(std::uint32_t number) {
    if (pieces_[number >> piece_bits].load(std::memory_order_acquire) == nullptr) [[unlikely]]
      make_piece(number >> piece_bits);
    shared_inverted<words_type>{words()}.store(number, number);
  }

  /// Returns the labels of the vertices, whose numbers are below `bound` and whose names are in `ordered`. Flattens the forest.
  labelling labels(ids::ordered_ids ordered, std::uint64_t bound, unsigned threads) const;

private:
  void make_piece(std::size_t piece);

  std::pmr::memory_resource* memory_;
  std::array<std::atomic<std::uint32_t*>, (std::size_t{1} << (32 - piece_bits))> pieces_{};
  std::vector<buffer<std::uint32_t>> owned_;
  std::mutex growing_;
};

}  // namespace copse::streaming
