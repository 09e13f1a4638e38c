#include "compact_forest.hpp"

#include <copse/errors.hpp>

#include <algorithm>
#include <string>

namespace copse::streaming {

compact_forest::run_of_indices compact_forest::reserve(std::uint32_t count) {
  const std::lock_guard lock{growing_};
  const std::uint64_t begin = slots_;
  const std::uint64_t end = std::min(begin + count, index_limit);
  if (end == begin) {
    throw resource_error{"more than " + std::to_string(index_limit) + " distinct ids of an edge list that are sparse or strings"};
  }
  for (std::uint64_t piece = begin >> piece_bits; piece <= (end - 1) >> piece_bits; ++piece) {
    if (!owned_[piece].empty()) continue;
    buffer<std::uint32_t> fresh{std::size_t{1} << piece_bits, memory_};
    std::fill(fresh.begin(), fresh.end(), 0u);
    owned_[piece] = std::move(fresh);
    pieces_[piece].store(owned_[piece].data(), std::memory_order_release);
  }
  slots_ = end;
  return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

}  // namespace copse::streaming
