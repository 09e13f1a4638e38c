// The yardstick: sequential Rem as anyone would write it in ten lines. What copse is worth is the distance to it.
#pragma once
#include <copse/memory.hpp>
#include <copse/views.hpp>

namespace copse::cli {

/// Where the loop keeps its labels: in pages that the kernel has yet to clear, as a solve by copse does, which returns a new array each
/// time, or in an array that was touched before, which is the best case.
enum class label_memory : unsigned char { fresh, touched };

template <class Id>
struct yardstick_result {
  double seconds = 0;
  buffer<Id> labels;
};

/// As for a solve by copse, the clock runs from before the array is allocated to the last label; freeing it is not timed. Precondition:
/// rows are sorted and symmetric.
template <unsigned_index Id, unsigned_index Offset>
yardstick_result<Id> run_yardstick(csr_view<Id, Offset> rows, label_memory where);

}  // namespace copse::cli
