#include <drivers/streaming/ranged_forest.hpp>

#include <drivers/streaming/inverted_parents.hpp>
#include <drivers/streaming/unite_batch.hpp>

#include <algorithm>

namespace copse::streaming {
namespace {

constexpr std::uint64_t range_bytes = (std::uint64_t{1} << 32) * sizeof(std::uint32_t);

std::uint64_t page_of(std::uint32_t v) { return std::uint64_t{v} * sizeof(std::uint32_t) / address_range::page_bytes; }

}  // namespace

std::unique_ptr<ranged_forest> ranged_forest::reserve(std::pmr::memory_resource* memory) {
  auto range = address_range::reserve(range_bytes, memory);
  if (range == nullptr) return nullptr;
  return std::unique_ptr<ranged_forest>{new ranged_forest{std::move(range), memory}};
}

// Called before vertex v gets its first parent, because that may be the first write to its page of the array. Counts a new page as used
// memory; or returns false if the pages in use would then take more than free_bytes bytes, and also more than bytes_per_vertex bytes for
// each vertex that is present or, as one of `newcomers`, was added by this batch.
bool ranged_forest::make_room(std::uint32_t v, std::uint64_t newcomers) {
  if (range_->touched(page_of(v))) return true;
  const std::uint64_t bytes = range_->touched_bytes() + address_range::page_bytes;
  if (bytes > free_bytes && bytes > bytes_per_vertex * (present() + newcomers)) return false;
  range_->touch(page_of(v));
  return true;
}

void ranged_forest::count(std::uint64_t newcomers, std::uint64_t slots) noexcept {
  if (newcomers == 0) return;
  present_.fetch_add(newcomers, std::memory_order_relaxed);
  std::uint64_t seen = slots_.load(std::memory_order_relaxed);
  while (seen < slots && !slots_.compare_exchange_weak(seen, slots, std::memory_order_relaxed)) {
  }
}

template <bool Shared>
bool ranged_forest::unite(std::span<const edge<std::uint64_t>> batch, link_list* links) {
  const parents_of<Shared, words_type> parents{words()};
  std::uint64_t newcomers = 0;
  std::uint64_t slots = 0;
  const auto present = [&](std::uint32_t v) {
    if (!parents.absent(v)) [[likely]]
      return true;
    if (!make_room(v, newcomers)) return false;
    if (parents.appear(v)) ++newcomers;
    slots = std::max(slots, std::uint64_t{v} + 1);
    return true;
  };
  bool whole = false;
  try {
    whole = unite_batch<Shared>(giant_, words(), batch, this->slots(), present, links);
  } catch (...) {  // the memory limit was reached
    count(newcomers, slots);
    throw;
  }
  count(newcomers, slots);
  return whole;
}

template bool ranged_forest::unite<false>(std::span<const edge<std::uint64_t>> batch, link_list* links);
template bool ranged_forest::unite<true>(std::span<const edge<std::uint64_t>> batch, link_list* links);

void ranged_forest::prepare(std::uint64_t slots, std::uint64_t vertices) {
  range_->touch_all(slots * sizeof(std::uint32_t));
  count(vertices, slots);
}

buffer<std::uint32_t> ranged_forest::take_labels(unsigned threads) {
  const std::uint64_t count = slots();
  if (count == 0) return {};
  range_->touch_all(count * sizeof(std::uint32_t));
  buffer<std::uint32_t> labels{count, &address_range::release(std::move(range_))};
  turn_into_labels(labels.data(), count, threads);
  return labels;
}

}  // namespace copse::streaming
