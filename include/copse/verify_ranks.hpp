// A proof that ranks are right, by definition alone: serial, and shares no code with what it checks.
#pragma once
#include <copse/core/memory.hpp>
#include <copse/core/rank_options.hpp>

#include <cstdint>
#include <span>
#include <string>

namespace copse {

struct rank_verdict {
  bool right = false;
  std::string reason;  ///< when wrong: the first fault found, with the element it concerns
  std::uint64_t elements = 0;
  std::uint64_t lists = 0;
  explicit operator bool() const noexcept { return right; }
};

/// Every successor exists, none follows two; every rank is its successor's plus one (from the head: its predecessor's), and 0 where the
/// list ends (begins). No cycle can have such ranks. O(n) serial time with a random read an element, one bit an element.
rank_verdict verify_ranks(std::span<const std::uint32_t> successors, std::span<const std::uint32_t> ranks, rank_origin from,
                          std::pmr::memory_resource* memory = host_memory());
rank_verdict verify_ranks(std::span<const std::uint64_t> successors, std::span<const std::uint64_t> ranks, rank_origin from,
                          std::pmr::memory_resource* memory = host_memory());

/// Weighted: every rank is its weight and its successor's rank put together. A cycle may have such ranks (of zeros, or of minima), so every
/// list is walked as well.
rank_verdict verify_ranks(std::span<const std::uint32_t> successors, std::span<const std::int64_t> weights, rank_operation operation,
                          std::span<const std::int64_t> ranks, rank_origin from, std::pmr::memory_resource* memory = host_memory());
rank_verdict verify_ranks(std::span<const std::uint64_t> successors, std::span<const std::int64_t> weights, rank_operation operation,
                          std::span<const std::int64_t> ranks, rank_origin from, std::pmr::memory_resource* memory = host_memory());

}  // namespace copse
