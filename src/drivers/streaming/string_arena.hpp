// Records of strings, one behind the other: what is kept with the string, its length in 7 bits per byte, and its bytes. They lie in chunks
// that grow up to 256 KiB and never move; a longer record has a chunk to itself.
#pragma once
#include <copse/errors.hpp>
#include <copse/memory.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <vector>

namespace copse::streaming {

template <class Kept>
requires std::is_trivially_copyable_v<Kept>
class string_arena {
public:
  /// Chunk and place in the chunk.
  using place = std::uint64_t;
  static constexpr unsigned place_bits = 48;
  struct record : Kept {
    std::string_view bytes;
  };

  [[nodiscard]] record at(place where) const noexcept {
    const char* from = address(where);
    record found;
    std::memcpy(static_cast<Kept*>(&found), from, sizeof(Kept));
    from += sizeof(Kept);
    std::uint64_t length = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(*from++);
      length |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) break;
    }
    found.bytes = {from, length};
    return found;
  }
  void keep(place where, const Kept& kept) noexcept { std::memcpy(const_cast<char*>(address(where)), &kept, sizeof(Kept)); }
  void prefetch(place where) const noexcept { __builtin_prefetch(address(where)); }

  place add(const Kept& kept, std::string_view bytes, std::pmr::memory_resource* memory) {
    std::array<char, 10> length;
    std::size_t length_bytes = 0;
    for (std::uint64_t left = bytes.size();; left >>= 7) {
      length[length_bytes++] = static_cast<char>(left < 0x80 ? left : (left & 0x7f) | 0x80);
      if (left < 0x80) break;
    }
    char* to = room_for(sizeof(Kept) + length_bytes + bytes.size(), memory);
    const place where = place{chunks_.size() - 1} << chunk_bits | static_cast<place>(to - chunks_.back().data());
    std::memcpy(to, &kept, sizeof(Kept));
    std::memcpy(to + sizeof(Kept), length.data(), length_bytes);
    if (!bytes.empty()) std::memcpy(to + sizeof(Kept) + length_bytes, bytes.data(), bytes.size());
    return where;
  }

  /// Calls visit(place, record) in the order in which they came, for all or the first `most`.
  template <class Visit>
  void for_each(Visit visit, std::size_t most = SIZE_MAX) const {
    for (std::size_t chunk = 0; chunk < chunks_.size(); ++chunk) {
      const char* const begin = chunks_[chunk].data();
      const std::size_t end = chunk + 1 == chunks_.size() ? filled_ : chunks_[chunk].size();
      for (std::size_t from = 0; from < end && most != 0; --most) {
        const place where = place{chunk} << chunk_bits | from;
        const record found = at(where);
        visit(where, found);
        from = static_cast<std::size_t>(found.bytes.data() + found.bytes.size() - begin);
      }
    }
  }

private:
  static constexpr unsigned chunk_bits = 18;
  static constexpr std::size_t smallest_chunk_bytes = 4096;

  [[nodiscard]] const char* address(place where) const noexcept {
    return chunks_[where >> chunk_bits].data() + (where & ((place{1} << chunk_bits) - 1));
  }
  char* room_for(std::size_t bytes, std::pmr::memory_resource* memory) {
    if (chunks_.empty() || filled_ + bytes > chunks_.back().size() || filled_ >> chunk_bits != 0) {
      if (chunks_.size() >> (place_bits - chunk_bits) != 0) throw resource_error{"more than 2^48 bytes of string ids"};
      const std::size_t doubled = smallest_chunk_bytes << std::min<std::size_t>(chunks_.size(), chunk_bits - 12);
      buffer<char> fresh{std::max(doubled, bytes), memory};
      if (chunks_.size() == chunks_.capacity()) chunks_.reserve(std::max<std::size_t>(8, 2 * chunks_.size()));
      if (!chunks_.empty()) chunks_.back().shrink(filled_);
      chunks_.push_back(std::move(fresh));
      filled_ = 0;
    }
    char* const room = chunks_.back().data() + filled_;
    filled_ += bytes;
    return room;
  }

  std::vector<buffer<char>> chunks_;  ///< all but the last hold records up to their size
  std::size_t filled_ = 0;            ///< of the last chunk
};

}  // namespace copse::streaming
