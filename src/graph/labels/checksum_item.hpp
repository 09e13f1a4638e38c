// The contribution of one vertex to the checksum of a labelling, in code shared by host and device. checksum = mix(sum over vertices of
// item(hash of its name, hash of its label's name)), modulo 2^64. An item passes a vertex and its label through three rounds of a 64-bit
// mixer, one after the other, so that (1, 2) and (2, 1) differ; items are added, so their order does not matter.
#pragma once
#include <copse/extend/host_device.hpp>

#include <cstdint>

namespace copse::labels_checksum {

// Moremur (Pelle Evensen, 2019): the finaliser of MurmurHash3 with better constants.
COPSE_HOST_DEVICE constexpr std::uint64_t mix(std::uint64_t x) noexcept {
  x = (x ^ (x >> 27)) * 0x3C79AC492BA7B653u;
  x = (x ^ (x >> 33)) * 0x1C69B3F74AC4AE35u;
  return x ^ (x >> 27);
}

COPSE_HOST_DEVICE constexpr std::uint64_t id_hash(std::uint64_t id) noexcept { return mix(id + 0x9E3779B97F4A7C15u); }

COPSE_HOST_DEVICE constexpr std::uint64_t item(std::uint64_t vertex_hash, std::uint64_t label_hash) noexcept {
  return mix(mix(vertex_hash) + 3 * label_hash);
}

}  // namespace copse::labels_checksum
