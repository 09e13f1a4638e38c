// Sorts integers together with their numbers.
#pragma once
#include <ids/arrival_numbers.hpp>

#include <cstdint>
#include <functional>
#include <memory_resource>
#include <span>

namespace copse::ids {

/// The entries of all parts by their ids, signed or not; the parts are used up. Two steps: scatter by leading bits into buckets that fit a
/// cache, then sort each. One part is freed as soon as it is scattered, and the buckets are sorted in place, so the peak is two times the
/// entries.
buffer<numbered_id> order_integers(std::span<buffer<numbered_id>> parts, bool are_signed, unsigned threads,
                                   std::pmr::memory_resource* memory);

/// Separates ids and numbers. `rename`, unless it is empty, turns the ids into the names in place; it keeps their order.
ordered_ids apart(const buffer<numbered_id>& entries, bool are_signed, unsigned threads, std::pmr::memory_resource* memory,
                  const std::function<void(std::span<std::uint64_t>)>& rename = {});

}  // namespace copse::ids
