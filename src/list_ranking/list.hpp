// What list ranking works on: elements 0 .. n - 1, each with the element after it.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/types.hpp>

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>

namespace copse::list_ranking {

/// Does a list end at e? Two ways to write it: e follows itself, or all ones (-1 of a signed array).
template <unsigned_index Id>
COPSE_HOST_DEVICE constexpr bool ends_at(Id e, Id successor) noexcept {
  return successor == e || successor == no_vertex<Id>;
}

/// Something is wrong with a list. Algorithms that notice stop and throw this; diagnose() then finds out what is wrong and where first,
/// however long it takes.
struct broken_list {};

/// Throws the list_error of the first fault: a successor out of range, an element behind two others, the smallest element of a cycle.
/// Serial. Returns when there is none.
template <unsigned_index Id>
void diagnose(std::span<const Id> successors, std::pmr::memory_resource* memory);

/// 0 + 1 + ... + (n - 1), modulo 2^64.
COPSE_HOST_DEVICE constexpr std::uint64_t sum_below(std::uint64_t n) noexcept { return n % 2 == 0 ? n / 2 * (n - 1) : n * ((n - 1) / 2); }

}  // namespace copse::list_ranking
