// The checksum of files that copse writes.
#pragma once
#include <core/random.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace copse {

/// A 64-bit checksum of bytes that are added in pieces: four lanes that multiply and rotate 8-byte words (as xxHash does), combined at the
/// end with the number of bytes. It detects accidental damage, not tampering.
class byte_hash {
public:
  void add(const void* bytes, std::size_t count) noexcept {
    if (count == 0) return;  // `bytes` may be null then
    const auto* from = static_cast<const std::byte*>(bytes);
    total_ += count;
    if (held_ != 0) {
      const std::size_t part = std::min(count, stripe_.size() - held_);
      std::memcpy(stripe_.data() + held_, from, part);
      held_ += part;
      from += part;
      count -= part;
      if (held_ < stripe_.size()) return;
      take(stripe_.data());
      held_ = 0;
    }
    for (; count >= stripe_.size(); from += stripe_.size(), count -= stripe_.size()) take(from);
    if (count != 0) std::memcpy(stripe_.data(), from, count);
    held_ = count;
  }

  [[nodiscard]] std::uint64_t value() const noexcept {
    std::uint64_t sum = mix(total_ + 1);
    for (const std::uint64_t lane : lanes_) sum = mix(sum ^ lane);
    for (std::size_t i = 0; i < held_; ++i) sum = mix(sum ^ std::to_integer<std::uint64_t>(stripe_[i]));
    return sum;
  }

private:
  void take(const std::byte* from) noexcept {
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
      std::uint64_t word = 0;
      std::memcpy(&word, from + 8 * lane, 8);
      lanes_[lane] = std::rotl(lanes_[lane] ^ (word * 0x9E3779B97F4A7C15u), 29) * 0xBF58476D1CE4E5B9u + 0x94D049BB133111EBu;
    }
  }

  std::array<std::uint64_t, 4> lanes_{1, 2, 3, 4};
  std::array<std::byte, 32> stripe_{};
  std::size_t held_ = 0;
  std::uint64_t total_ = 0;
};

}  // namespace copse
