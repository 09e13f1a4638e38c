// Damage that a checksum does not show.
#pragma once
#include <core/byte_hash.hpp>

#include <cstdint>
#include <cstring>

namespace copse::test {

/// `Bytes` of a file that ends with the checksum of what is before: gives them that of what they now are.
template <class Bytes>
Bytes signed_again(Bytes content) {
  byte_hash hash;
  hash.add(content.data(), content.size() - 8);
  const std::uint64_t sum = hash.value();
  std::memcpy(content.data() + content.size() - 8, &sum, 8);
  return content;
}

}  // namespace copse::test
