// Sorts integer ids together with their numbers.
#pragma once
#include <ids/arrival_numbers.hpp>

#include <cstdint>
#include <functional>
#include <memory_resource>
#include <span>

namespace copse::ids {

/// Sorts the entries of all parts by their ids, which are signed or not, and frees the parts. First, entries are scattered by their leading
/// bits into buckets that fit in a cache; then each bucket is sorted in place. Each part is freed as soon as it is scattered, so the peak
/// is twice the size of the entries.
buffer<numbered_id> order_integers(std::span<buffer<numbered_id>> parts, bool are_signed, unsigned threads,
                                   std::pmr::memory_resource* memory);

/// Splits the entries into names and numbers. `rename`, if not empty, replaces ids by other names in place, and must keep their order.
ordered_ids apart(const buffer<numbered_id>& entries, bool are_signed, unsigned threads, std::pmr::memory_resource* memory,
                  const std::function<void(std::span<std::uint64_t>)>& rename = {});

}  // namespace copse::ids
