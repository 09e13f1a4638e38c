#include <drivers/streaming/compact_forest.hpp>

#include <ids/id_map.hpp>

#include <algorithm>
#include <utility>

namespace copse::streaming {

void compact_forest::make_piece(std::size_t piece) {
  const std::lock_guard lock{growing_};
  if (!owned_[piece].empty()) return;
  buffer<std::uint32_t> fresh{std::size_t{1} << piece_bits, memory_};
  std::fill(fresh.begin(), fresh.end(), 0u);
  owned_[piece] = std::move(fresh);
  pieces_[piece].store(owned_[piece].data(), std::memory_order_release);
}

labelling compact_forest::labels(ids::ordered_ids ordered, std::uint64_t bound, unsigned threads) const {
  point_at_roots(words(), bound, threads);
  ids::rank_labels(ordered.numbers.span(), bound, threads, memory_,
                   [parents = plain_inverted{words()}](std::uint32_t v) { return parents.load(v); });
  return {std::move(ordered.numbers), std::move(ordered.names)};
}

}  // namespace copse::streaming
