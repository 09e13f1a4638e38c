#include "string_table.hpp"

#include <copse/errors.hpp>

#include <algorithm>
#include <cstring>

namespace copse::streaming {
namespace {

constexpr std::uint64_t smallest_capacity = 64;
constexpr std::size_t smallest_chunk_bytes = 4096;
constexpr std::size_t keys_ahead = 8;
constexpr std::size_t longest_header_bytes = sizeof(std::uint32_t) + 10;

constexpr std::uint64_t tag_of(std::uint64_t hash, unsigned place_bits) noexcept {
  return (hash >> 32 & 0xffffu) << place_bits;  // bits that choose neither shard nor slot
}

}  // namespace

string_table::record string_table::read(const arena_type& arena, std::uint64_t place) noexcept {
  const char* at = arena.chunks[place >> chunk_bits].data() + (place & ((1u << chunk_bits) - 1));
  record found{};
  std::memcpy(&found.index, at, sizeof found.index);
  at += sizeof found.index;
  std::uint64_t length = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(*at++);
    length |= std::uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80) break;
  }
  found.bytes = {at, length};
  return found;
}

std::uint64_t string_table::write(arena_type& arena, std::string_view key, std::uint32_t index) {
  std::array<char, longest_header_bytes> header;
  std::memcpy(header.data(), &index, sizeof index);
  std::size_t header_bytes = sizeof index;
  for (std::uint64_t length = key.size();; length >>= 7) {
    header[header_bytes++] = static_cast<char>(length < 0x80 ? length : (length & 0x7f) | 0x80);
    if (length < 0x80) break;
  }
  const std::size_t bytes = header_bytes + key.size();
  if (arena.chunks.empty() || arena.filled + bytes > arena.chunks.back().size() || arena.filled >> chunk_bits != 0) {
    if (arena.chunks.size() >> (place_bits - chunk_bits) != 0) throw resource_error{"more than 2^48 bytes of string ids"};
    const std::size_t doubled = smallest_chunk_bytes << std::min<std::size_t>(arena.chunks.size(), chunk_bits - 12);
    buffer<char> fresh{std::max(doubled, bytes), memory_};
    arena.chunks.reserve(arena.chunks.size() + 1);
    if (!arena.chunks.empty()) arena.chunks.back().shrink(arena.filled);
    arena.chunks.push_back(std::move(fresh));
    arena.filled = 0;
  }
  const std::uint64_t place = std::uint64_t{arena.chunks.size() - 1} << chunk_bits | arena.filled;
  char* to = arena.chunks.back().data() + arena.filled;
  std::memcpy(to, header.data(), header_bytes);
  if (!key.empty()) std::memcpy(to + header_bytes, key.data(), key.size());
  arena.filled += bytes;
  return place;
}

std::uint64_t& string_table::find(shard& s, std::string_view key, std::uint64_t hash) const noexcept {
  std::uint64_t* slots = s.slots.data();
  const std::uint64_t capacity = s.slots.size();
  const std::uint64_t tag = tag_of(hash, place_bits);
  constexpr std::uint64_t place_mask = (std::uint64_t{1} << place_bits) - 1;
  for (std::uint64_t at = first_slot(hash, capacity);; at = at + 1 == capacity ? 0 : at + 1) {
    if (slots[at] == free_slot) return slots[at];
    if ((slots[at] & ~place_mask) == tag && read(s.arena, slots[at] & place_mask).bytes == key) return slots[at];
  }
}

void string_table::make_room(shard& s) {
  if ((s.used + 1) * 4 <= s.slots.size() * 3) return;
  buffer<std::uint64_t> old{std::max<std::uint64_t>(smallest_capacity, s.slots.size() + s.slots.size() / 2), memory_};
  std::fill(old.begin(), old.end(), free_slot);
  std::swap(old, s.slots);
  const std::uint64_t capacity = s.slots.size();
  for (const std::uint64_t slot : old) {
    if (slot == free_slot) continue;
    std::uint64_t at = first_slot(hash_(read(s.arena, slot & ((std::uint64_t{1} << place_bits) - 1)).bytes), capacity);
    while (s.slots[at] != free_slot) at = at + 1 == capacity ? 0 : at + 1;
    s.slots[at] = slot;
  }
}

void string_table::look_up(lookup_scratch<std::string_view>& piece, std::size_t count, unsigned first_shard, bool lock,
                           compact_forest& forest, compact_forest::run_of_indices& run) {
  for (std::size_t i = 0; i < count; ++i) piece.hashes[i] = hash_(piece.keys[i]);
  piece.groups.group({piece.hashes.data(), count});
  for (unsigned turn = 0; turn < shard_count; ++turn) {
    const unsigned number = (first_shard + turn) % shard_count;
    const auto members = piece.groups.of(number);
    if (members.empty()) continue;
    shard& s = shards_[number];
    std::unique_lock holding{s.guard, std::defer_lock};
    if (lock) holding.lock();
    const auto ask_for = [&](std::size_t k) {
      if (!s.slots.empty()) __builtin_prefetch(s.slots.data() + first_slot(piece.hashes[members[k]], s.slots.size()));
    };
    for (std::size_t k = 0; k < std::min(keys_ahead, members.size()); ++k) ask_for(k);
    for (std::size_t k = 0; k < members.size(); ++k) {
      if (k + keys_ahead < members.size()) ask_for(k + keys_ahead);
      const std::size_t i = members[k];
      make_room(s);
      std::uint64_t& slot = find(s, piece.keys[i], piece.hashes[i]);
      if (slot == free_slot) {
        const std::uint32_t index = forest.add(run);
        slot = tag_of(piece.hashes[i], place_bits) | write(s.arena, piece.keys[i], index);
        ++s.used;
        piece.indices[i] = index;
      } else {
        piece.indices[i] = read(s.arena, slot & ((std::uint64_t{1} << place_bits) - 1)).index;
      }
    }
  }
}

void string_table::append(std::span<const std::string_view> keys, unsigned number, bool lock, compact_forest& forest,
                          compact_forest::run_of_indices& run, std::uint32_t* indices) {
  shard& s = shards_[number];
  std::unique_lock holding{s.guard, std::defer_lock};
  if (lock) holding.lock();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    indices[i] = forest.add(run);
    write(s.arena, keys[i], indices[i]);
    ++s.used;
  }
}

std::uint64_t string_table::size() const noexcept {
  std::uint64_t strings = 0;
  for (const shard& s : shards_) strings += s.used;
  return strings;
}

}  // namespace copse::streaming
