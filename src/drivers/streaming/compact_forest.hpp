// Vertices that are numbered in the order of their arrival: their parents, the tables that number them, and their labels at the end.
#pragma once
#include <copse/memory.hpp>
#include <copse/types.hpp>
#include <drivers/streaming/integer_table.hpp>
#include <drivers/streaming/inverted_parents.hpp>
#include <drivers/streaming/string_table.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace copse::streaming {

/// Parents in an array that grows by pieces of 4 MiB and never moves.
class compact_forest {
public:
  static constexpr unsigned piece_bits = 20;
  static constexpr std::uint64_t index_limit = no_vertex<std::uint32_t>;  ///< indices are below

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

  /// Consecutive indices that one worker gives to the vertices it meets first.
  struct run_of_indices {
    std::uint32_t next = 0;
    std::uint32_t end = 0;
  };

  explicit compact_forest(std::pmr::memory_resource* memory) : memory_{memory}, owned_(pieces_.size()) {}

  /// The bytes of the pieces for so many vertices.
  static constexpr std::uint64_t bytes_for(std::uint64_t vertices) noexcept {
    return ((vertices + (std::uint64_t{1} << piece_bits) - 1) >> piece_bits) * (sizeof(std::uint32_t) << piece_bits);
  }

  [[nodiscard]] words_type words() const noexcept { return words_type{*this}; }
  /// Indices are below; those that no worker used yet are absent.
  [[nodiscard]] std::uint64_t slots() const noexcept { return slots_; }

  /// A new vertex, its own root, numbered from the run, which is refilled when empty. By any thread, each with its own run.
  /// Throws resource_error when memory or indices end.
  std::uint32_t add(run_of_indices& run) {
    if (run.next == run.end) run = reserve(indices_per_run);
    const std::uint32_t index = run.next++;
    shared_inverted<words_type>{words()}.store(index, index);
    return index;
  }
  /// `count` consecutive indices; their words read as absent.
  run_of_indices reserve(std::uint32_t count);

private:
  static constexpr std::uint32_t indices_per_run = 1024;

  std::pmr::memory_resource* memory_;
  std::array<std::atomic<std::uint32_t*>, (std::size_t{1} << (32 - piece_bits))> pieces_{};
  std::vector<buffer<std::uint32_t>> owned_;
  std::mutex growing_;
  std::uint64_t slots_ = 0;
};

/// From "which tree" to "which component": the label of a component is the first of its vertices in the order of the names. On entry
/// order[i] is the index, in `forest`, of the i-th vertex by name, and every vertex of the forest points at its root; on return order[i] is
/// the label of i: the smallest j in the same tree. 4 bytes per vertex while it runs.
void rank_labels(std::span<std::uint32_t> order, const compact_forest& forest, unsigned threads, std::pmr::memory_resource* memory);

/// What tables keep with a key: the vertex of the forest that it numbers.
struct vertex_number {
  std::uint32_t index = no_vertex<std::uint32_t>;

  [[nodiscard]] bool is_free() const noexcept { return index == no_vertex<std::uint32_t>; }
  friend bool operator==(const vertex_number&, const vertex_number&) = default;
};

using integer_numbers = integer_table<vertex_number>;
using string_numbers = string_table<vertex_number>;
using numbered_id = integer_numbers::entry;
static_assert(sizeof(numbered_id) == 12);

/// A look-up that writes the number of key i to indices[i], and adds a vertex for a key that is new.
struct vertex_numbering {
  compact_forest& forest;
  compact_forest::run_of_indices& run;
  std::uint32_t* indices;

  vertex_number fresh(std::size_t /*key*/) { return {forest.add(run)}; }
  void meet(std::size_t key, const vertex_number& known) { indices[key] = known.index; }
};

}  // namespace copse::streaming
