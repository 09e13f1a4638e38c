#include "value_table.hpp"

#include <copse/errors.hpp>
#include <copse/types.hpp>

#include <algorithm>
#include <cstring>

namespace copse::streaming {
namespace {

constexpr std::uint64_t smallest_capacity = 64;
constexpr std::size_t keys_ahead = 16;
constexpr std::size_t chunk_bytes = std::size_t{64} << 10;

using text = string_slot::text;
constexpr unsigned last_byte = 56;
static_assert(std::endian::native == std::endian::little, "the last byte of a text is the highest of its last word");

bool is_long(const text& value) noexcept { return value.words[2] >> last_byte == string_slot::is_long; }

/// A string as its slot would hold it: by itself, or by its hash, its bytes and its length.
text text_of(std::string_view value, std::uint64_t hash) noexcept {
  text image{};
  if (value.size() <= string_slot::inline_bytes) {
    if (!value.empty()) std::memcpy(image.words.data(), value.data(), value.size());
    image.words[2] |= std::uint64_t{value.size()} << last_byte;
  } else {
    image.words = {hash, std::bit_cast<std::uint64_t>(value.data()), value.size() | string_slot::is_long << last_byte};
  }
  return image;
}

std::string_view long_string(const text& value) noexcept {
  return {std::bit_cast<const char*>(value.words[1]), static_cast<std::size_t>(value.words[2] & ((std::uint64_t{1} << last_byte) - 1))};
}

}  // namespace

template <>
std::uint64_t value_table<integer_slot>::value_of(const integer_slot& slot) noexcept {
  return slot.value;
}

template <>
std::string_view value_table<string_slot>::value_of(const string_slot& slot) noexcept {
  if (is_long(slot.value)) return long_string(slot.value);
  return {reinterpret_cast<const char*>(slot.value.words.data()), static_cast<std::size_t>(slot.value.words[2] >> last_byte)};
}

// The slot of the value, or the free slot where it belongs. There is always a free one.
template <>
integer_slot& value_table<integer_slot>::find(shard& s, const std::uint64_t& value, std::uint64_t hash) const noexcept {
  integer_slot* slots = s.slots.data();
  const std::uint64_t capacity = s.slots.size();
  for (std::uint64_t at = first_slot(hash, capacity);; at = at + 1 == capacity ? 0 : at + 1) {
    if (slots[at].count == 0 || slots[at].value == value) return slots[at];
  }
}

template <>
string_slot& value_table<string_slot>::find(shard& s, const std::string_view& value, std::uint64_t hash) const noexcept {
  string_slot* slots = s.slots.data();
  const std::uint64_t capacity = s.slots.size();
  const text wanted = text_of(value, hash);
  const bool by_itself = !is_long(wanted);
  for (std::uint64_t at = first_slot(hash, capacity);; at = at + 1 == capacity ? 0 : at + 1) {
    string_slot& slot = slots[at];
    if (slot.count == 0) return slot;
    if (by_itself ? slot.value == wanted
                  : slot.value.words[0] == hash && slot.value.words[2] == wanted.words[2] && long_string(slot.value) == value) {
      return slot;
    }
  }
}

template <>
void value_table<integer_slot>::fill(shard&, integer_slot& slot, const std::uint64_t& value, std::uint64_t) {
  slot.value = value;
}

template <>
void value_table<string_slot>::fill(shard& s, string_slot& slot, const std::string_view& value, std::uint64_t hash) {
  std::string_view kept = value;
  if (value.size() > string_slot::inline_bytes) {
    if (s.chunks.empty() || value.size() > s.chunks.back().size() - s.filled) {
      s.chunks.reserve(s.chunks.size() + 1);
      s.chunks.emplace_back(std::max(chunk_bytes, value.size()), memory_);
      s.filled = 0;
    }
    char* const to = s.chunks.back().data() + s.filled;
    std::memcpy(to, value.data(), value.size());
    s.filled += value.size();
    kept = {to, value.size()};
  }
  slot.value = text_of(kept, hash);
}

template <class Slot>
void value_table<Slot>::make_room(shard& s) {
  if ((s.used + 1) * 4 <= s.slots.size() * 3) return;
  buffer<Slot> old{std::max<std::uint64_t>(smallest_capacity, s.slots.size() + s.slots.size() / 2), memory_};
  std::fill(old.begin(), old.end(), Slot{});
  std::swap(old, s.slots);
  const std::uint64_t capacity = s.slots.size();
  for (const Slot& slot : old) {
    if (slot.count == 0) continue;
    std::uint64_t at = first_slot(hash_(value_of(slot)), capacity);
    while (s.slots[at].count != 0) at = at + 1 == capacity ? 0 : at + 1;
    s.slots[at] = slot;
  }
}

template <class Slot>
void value_table<Slot>::look_up(scratch& piece, std::size_t count, unsigned first_shard, bool lock, value_use use, std::uint32_t limit) {
  constexpr std::uint32_t nobody = no_vertex<std::uint32_t>;
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
      if (!s.slots.empty()) __builtin_prefetch(s.slots.data() + first_slot(piece.hashes[members[k]], s.slots.size()), 1);
    };
    for (std::size_t k = 0; k < std::min(keys_ahead, members.size()); ++k) ask_for(k);
    for (std::size_t k = 0; k < members.size(); ++k) {
      if (k + keys_ahead < members.size()) ask_for(k + keys_ahead);
      const std::size_t i = members[k];
      make_room(s);
      Slot& slot = find(s, piece.keys[i], piece.hashes[i]);
      if (slot.count == 0) {
        if (use == value_use::unite_counted)
          throw input_error{"found a value that the first reading did not, expected the same input twice"};
        fill(s, slot, piece.keys[i], piece.hashes[i]);
        slot.holder = nobody;
        ++s.used;
      }
      if (use == value_use::unite_counted) {
        if (slot.count > limit) continue;
      } else {
        if (slot.count != UINT32_MAX) ++slot.count;
        if (use == value_use::count) continue;
      }
      if (slot.holder == nobody) {
        slot.holder = piece.indices[i];
      } else {
        piece.indices[i] = slot.holder;
      }
    }
  }
}

template <class Slot>
std::uint64_t value_table<Slot>::size() const noexcept {
  std::uint64_t values = 0;
  for (const shard& s : shards_) values += s.used;
  return values;
}

template class value_table<integer_slot>;
template class value_table<string_slot>;

}  // namespace copse::streaming
