// Tables from a value of a key column to a record that has it, and how many have it.
#pragma once
#include <copse/errors.hpp>
#include <copse/types.hpp>

#include <cstdint>

#include "integer_table.hpp"
#include "string_table.hpp"

namespace copse::streaming {

/// What becomes of a value that a record has.
enum class value_use : std::uint8_t {
  unite,          ///< it is counted, and its records are united
  count,          ///< it is counted: the first of two passes
  unite_counted,  ///< its records are united unless the first pass counted more than the limit
};

struct value_holder {
  std::uint32_t record = no_vertex<std::uint32_t>;  ///< the first record that was united by the value
  std::uint32_t count = 0;                          ///< how often it came, up to 2^32 - 1

  [[nodiscard]] bool is_free() const noexcept { return count == 0; }
  friend bool operator==(const value_holder&, const value_holder&) = default;
};

using integer_holders = integer_table<value_holder>;
using string_holders = string_table<value_holder>;

/// A look-up before which records[i] has value i; after it records[i] is another record that has the value, or itself.
struct holding {
  value_use use;
  std::uint32_t limit;
  std::uint32_t* records;

  value_holder fresh(std::size_t /*value*/) const {
    if (use == value_use::unite_counted) throw input_error{"found a value that the first reading did not, expected the same input twice"};
    return {};
  }
  void meet(std::size_t value, value_holder& holder) const {
    if (use == value_use::unite_counted) {
      if (holder.count > limit) return;
    } else {
      if (holder.count != UINT32_MAX) ++holder.count;
      if (use == value_use::count) return;
    }
    if (holder.record == no_vertex<std::uint32_t>) {
      holder.record = records[value];
    } else {
      records[value] = holder.record;
    }
  }
};

}  // namespace copse::streaming
