// Hashes for tables whose keys come from a file. Each process draws a random seed, so a file cannot be prepared whose keys all fall into
// one slot. Results must not depend on the random seed, so it must not affect an order or a checksum.
//
// Idea: multiply two 64-bit words, both combined with a secret, and xor the halves of the product (as wyhash does). Cost: two
// multiplications per integer (with one, some seeds put four times as many multiples of 2^20 into a bucket as others), or one per 8 bytes.
#pragma once
#include <core/short_bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace copse {

class seeded_hash {
public:
  /// A hash with the random seed of this process.
  seeded_hash() noexcept;
  /// A hash with a fixed seed, which gives the same values everywhere, for a checksum of names. `second` must be odd.
  constexpr seeded_hash(std::uint64_t first, std::uint64_t second) noexcept : first_{first}, second_{second} {}

  [[nodiscard]] std::uint64_t operator()(std::uint64_t id) const noexcept { return folded(folded(id ^ first_, second_) ^ first_, second_); }
  [[nodiscard]] std::uint64_t operator()(std::string_view text) const noexcept {
    std::uint64_t hash = folded(text.size() ^ first_, second_);
    const char* at = text.data();
    std::size_t left = text.size();
    for (; left >= 8; at += 8, left -= 8) hash = folded(hash, word_at<std::uint64_t>(at) ^ second_);
    if (left != 0) hash = folded(hash, (text.size() < 8 ? few_bytes(at, left) : word_at<std::uint64_t>(at + left - 8)) ^ second_);
    return folded(hash ^ first_, second_);
  }

private:
  static std::uint64_t folded(std::uint64_t a, std::uint64_t b) noexcept {
    __extension__ using wide = unsigned __int128;
    const wide product = wide{a} * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  }
  /// A word that differs for all different texts of the same length `count`, from 1 to 7 bytes. Does not loop over the bytes.
  static std::uint64_t few_bytes(const char* from, std::size_t count) noexcept {
    if (count >= 4) {
      const auto first = word_at<std::uint32_t>(from), last = word_at<std::uint32_t>(from + count - sizeof(std::uint32_t));
      return std::uint64_t{last} << 32 | first;
    }
    const auto byte = [from](std::size_t i) { return std::uint64_t{static_cast<unsigned char>(from[i])}; };
    return byte(0) | byte(count / 2) << 8 | byte(count - 1) << 16;
  }

  std::uint64_t first_;
  std::uint64_t second_;  ///< always odd
};

}  // namespace copse
