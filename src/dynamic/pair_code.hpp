// A number of 64 bits for each pair of vertices, which looks random, and from which the pair can be computed.
//
// A Feistel network of three rounds, whose round functions multiply by a random number. So a hash table that knows some bits of these
// numbers from where they are need not store them. Each process draws its own numbers, as for seeded_hash: results must not depend on them.
#pragma once
#include <core/seeded_hash.hpp>

#include <array>
#include <cstdint>
#include <utility>

namespace copse::dynamics {

class pair_code {
public:
  pair_code() noexcept {
    const seeded_hash hash;
    for (std::uint64_t i = 0; i < secrets_.size(); ++i) secrets_[i] = hash(i + 1);
  }

  [[nodiscard]] std::uint64_t operator()(std::uint32_t u, std::uint32_t v) const noexcept {
    v ^= mixed(u, secrets_[0]);
    u ^= mixed(v, secrets_[1]);
    v ^= mixed(u, secrets_[2]);
    return std::uint64_t{u} << 32 | v;
  }
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> pair_of(std::uint64_t code) const noexcept {
    auto u = static_cast<std::uint32_t>(code >> 32), v = static_cast<std::uint32_t>(code);
    v ^= mixed(u, secrets_[2]);
    u ^= mixed(v, secrets_[1]);
    v ^= mixed(u, secrets_[0]);
    return {u, v};
  }

private:
  [[nodiscard]] std::uint32_t mixed(std::uint32_t half, std::uint64_t secret) const noexcept {
    __extension__ using wide = unsigned __int128;
    const wide product = wide{half ^ secret} * (secrets_[3] | 1);
    return static_cast<std::uint32_t>(product >> 64) ^ static_cast<std::uint32_t>(product >> 32);
  }

  std::array<std::uint64_t, 4> secrets_;
};

}  // namespace copse::dynamics
