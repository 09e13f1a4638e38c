// Strings in the order of their bytes: eight bytes at a time are kept next to the reference, so that most comparisons follow no pointer;
// strings that agree in these are sorted by the next eight. What all strings begin with is passed over.
#pragma once
#include <cstdint>
#include <span>

#include "vertex_numbers.hpp"

namespace copse::streaming {

struct string_entry {
  static constexpr string_numbers::reference where_mask = (string_numbers::reference{1} << 56) - 1;

  std::uint64_t key;  ///< eight bytes of the string, the first in the highest byte, zeros behind its end
  string_numbers::reference where : 56;
  std::uint64_t bytes_left : 8;  ///< of the string at these eight; 9: more than eight

  static constexpr unsigned repeats_previous = 0xff;
};

/// Only `where` is read. Of strings that are equal all but one have `bytes_left` repeats_previous on return.
void sort_strings(std::span<string_entry> entries, const string_numbers& table, unsigned threads);

}  // namespace copse::streaming
