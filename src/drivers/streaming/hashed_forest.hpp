// Parents of ids that are sparse or reach 2^32 - 1: a hash table numbers them in the order of arrival, the forest is over the numbers.
// About 20 to 28 bytes per vertex while the stream runs, 28 while the ids are sorted at the end.
#pragma once
#include <copse/labels.hpp>
#include <copse/views.hpp>
#include <drivers/streaming/compact_forest.hpp>
#include <drivers/streaming/ranged_forest.hpp>
#include <drivers/streaming/unite_batch.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace copse::streaming {

class hashed_forest {
public:
  hashed_forest(unsigned workers, std::pmr::memory_resource* memory);

  template <bool Shared>
  void unite(unsigned worker, std::span<const edge<std::uint64_t>> batch, link_list* links = nullptr);

  /// Did the ids turn out to be dense enough for an array? (They may look sparse early in a large dense graph.)
  [[nodiscard]] bool became_dense() const noexcept;

  /// Moves a whole ranged forest into this empty one. By one thread, while no other touches either.
  void take_from(std::unique_ptr<ranged_forest> from);
  /// Moves everything into an empty ranged forest. By one thread likewise. This forest is used up.
  void move_to(ranged_forest& to);

  /// Names ascending, labels their indices. The forest is used up.
  labelling take_labelling(unsigned threads);

private:
  struct alignas(64) worker_state {
    compact_forest::run_of_indices run;
    std::unique_ptr<lookup_scratch<std::uint64_t>> piece = std::make_unique<lookup_scratch<std::uint64_t>>();
  };

  void count(std::uint64_t added, std::uint64_t largest) noexcept;
  buffer<numbered_id> take_ordered(unsigned threads);

  std::pmr::memory_resource* memory_;
  std::vector<worker_state> workers_;
  integer_numbers table_;
  std::unique_ptr<compact_forest> forest_;
  std::atomic<std::uint64_t> vertices_{0};
  std::atomic<std::uint64_t> largest_{0};
};

}  // namespace copse::streaming
