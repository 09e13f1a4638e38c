// Codes below 64 for columns with few different values, so that one word has a bit for each value of a cluster.
#pragma once
#include <copse/cluster.hpp>
#include <copse/memory.hpp>
#include <core/parallel.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>

namespace copse::clusters {

/// The code of each vertex: below 64, or no_code if the vertex has no value.
using value_codes = buffer<std::uint8_t>;
inline constexpr std::uint8_t no_code = 255;

/// Returns 64 bits, of which the one numbered by the code of the vertex is set; 0 if the vertex has no value.
inline std::uint64_t bit_of(const value_codes& codes, std::size_t v) noexcept {
  return codes[v] == no_code ? 0 : std::uint64_t{1} << codes[v];
}

/// Replaces values by codes; the result is empty if there are more than 64 different values. Codes are numbered in no particular order.
inline value_codes codes_of(std::span<const std::uint64_t> values, unsigned threads, std::pmr::memory_resource* memory) {
  constexpr std::size_t most = 64, slots = 2 * most, block = std::size_t{1} << 16;
  std::array<std::atomic<std::uint64_t>, slots> known;
  for (auto& slot : known) slot.store(value_limit::no_value, std::memory_order_relaxed);
  std::atomic<std::size_t> count{0};
  const auto slot_of = [&](std::uint64_t value) {
    std::size_t slot = static_cast<std::size_t>(value * 0x9E3779B97F4A7C15u >> 57);
    for (std::size_t probes = 0; probes < slots; ++probes, slot = (slot + 1) % slots) {
      std::uint64_t held = known[slot].load(std::memory_order_relaxed);
      if (held == value_limit::no_value && known[slot].compare_exchange_strong(held, value, std::memory_order_relaxed)) {
        count.fetch_add(1, std::memory_order_relaxed);
        return slot;
      }
      if (held == value) return slot;
    }
    return slot;  // any: the hash table is full, so there are too many values, and the result is empty
  };
  value_codes codes{values.size(), memory};
  parallel_blocks(threads, values.size(), block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      if (values[v] != value_limit::no_value && count.load(std::memory_order_relaxed) > most) return;
      codes[v] = values[v] == value_limit::no_value ? no_code : static_cast<std::uint8_t>(slot_of(values[v]));
    }
  });
  if (count > most) return {};
  std::array<std::uint8_t, 256> code_of_slot;
  code_of_slot.fill(no_code);
  std::uint8_t next = 0;
  for (std::size_t slot = 0; slot < slots; ++slot) {
    if (known[slot].load(std::memory_order_relaxed) != value_limit::no_value) code_of_slot[slot] = next++;
  }
  parallel_blocks(threads, values.size(), block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) codes[v] = code_of_slot[codes[v]];
  });
  return codes;
}

}  // namespace copse::clusters
