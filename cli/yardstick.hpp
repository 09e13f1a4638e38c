// The yardstick of copse bench: Rem's algorithm as a sequential loop of ten lines, with which variants are compared.
#pragma once
#include <copse/memory.hpp>
#include <copse/views.hpp>

namespace copse::cli {

/// Where the yardstick, a sequential loop, keeps its labels: in new pages, which the kernel clears at the first access, as for the new
/// array that a solve by copse returns; or in an array that was touched before, which is the best case.
enum class label_memory : unsigned char { fresh, touched };

template <class Id>
struct yardstick_result {
  double seconds = 0;
  buffer<Id> labels;
};

/// Runs Rem's algorithm as a sequential loop. With label_memory::fresh the time begins before the array is allocated, as for a solve by
/// copse; with `touched`, after that. It ends with the last label; freeing the array is not timed. Precondition: rows are sorted and
/// symmetric.
template <unsigned_index Id, unsigned_index Offset>
yardstick_result<Id> run_yardstick(csr_view<Id, Offset> rows, label_memory where);

}  // namespace copse::cli
