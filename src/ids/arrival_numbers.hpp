// Numbers for ids in the order of their arrival, and the tables that store the ids with their numbers.
#pragma once
#include <copse/errors.hpp>
#include <copse/graph.hpp>
#include <copse/memory.hpp>
#include <copse/types.hpp>
#include <ids/integer_table.hpp>
#include <ids/string_table.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace copse::ids {

/// Hands out the numbers from 0 on. Each worker reserves runs of consecutive numbers, and takes the numbers for new ids from its own run.
class arrival_numbers {
public:
  static constexpr std::uint64_t limit = no_vertex<std::uint32_t>;  ///< all numbers are below this

  struct run {
    std::uint32_t next = 0;
    std::uint32_t end = 0;
  };

  /// The next number. May be called by any thread, each with its own run. Throws resource_error if no numbers are left.
  std::uint32_t next(run& own) {
    if (own.next == own.end) own = reserve(numbers_per_run);
    return own.next++;
  }
  /// Reserves the next `count` numbers, or the last ones (at least one) if fewer are left.
  run reserve(std::uint32_t count) {
    std::uint64_t begin = bound_.load(std::memory_order_relaxed), end = 0;
    do {
      end = std::min(begin + count, limit);
      if (end == begin)
        throw resource_error{"there cannot be more than " + std::to_string(limit) + " distinct ids that are sparse or strings"};
    } while (!bound_.compare_exchange_weak(begin, end, std::memory_order_relaxed));
    return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }
  /// All numbers given out are below this; some below it may be reserved but unused.
  [[nodiscard]] std::uint64_t bound() const noexcept { return bound_.load(std::memory_order_relaxed); }

private:
  static constexpr std::uint32_t numbers_per_run = 1024;
  std::atomic<std::uint64_t> bound_{0};
};

/// The value that tables store with an id: its number.
struct id_number {
  std::uint32_t index = no_vertex<std::uint32_t>;

  [[nodiscard]] bool is_free() const noexcept { return index == no_vertex<std::uint32_t>; }
  friend bool operator==(const id_number&, const id_number&) = default;
};

using integer_numbers = integer_table<id_number>;
using string_numbers = string_table<id_number>;
using numbered_id = integer_numbers::entry;
static_assert(sizeof(numbered_id) == 12);

/// Tells a table's look_up() what to do with each key: writes the number of key i to indices[i], and calls on_new(number) for new keys.
template <class OnNew>
struct numbering {
  arrival_numbers& numbers;
  arrival_numbers::run& run;
  std::uint32_t* indices;
  OnNew on_new;

  id_number fresh(std::size_t /*key*/) {
    const std::uint32_t number = numbers.next(run);
    on_new(number);
    return {number};
  }
  void meet(std::size_t key, const id_number& known) { indices[key] = known.index; }
};

/// Ids in ascending order: their names, and the number of each.
struct ordered_ids {
  vertex_names names;
  buffer<std::uint32_t> numbers;
};

inline constexpr std::size_t ids_per_block = std::size_t{1} << 16;  ///< how many ids a thread takes at a time when all are put in order

}  // namespace copse::ids
