#include "id_table.hpp"

#include <algorithm>

namespace copse::streaming {
namespace {

constexpr std::uint64_t smallest_capacity = 64;
constexpr std::size_t keys_ahead = 8;

}  // namespace

// The slot of `id`, or the free slot where it belongs. There is always a free one.
id_entry& id_table::find(shard& s, std::uint64_t id, std::uint64_t hash) const noexcept {
  id_entry* slots = s.slots.data();
  const std::uint64_t capacity = s.slots.size();
  for (std::uint64_t at = first_slot(hash, capacity);; at = at + 1 == capacity ? 0 : at + 1) {
    if (is_free(slots[at]) || slots[at].id() == id) return slots[at];
  }
}

void id_table::grow(shard& s, std::uint64_t capacity) {
  buffer<id_entry> old{capacity, memory_};
  std::fill(old.begin(), old.end(), id_entry{0, 0, free_index});
  std::swap(old, s.slots);
  for (const id_entry& entry : old) {
    if (!is_free(entry)) find(s, entry.id(), hash_(entry.id())) = entry;
  }
}

void id_table::make_room(shard& s) {
  if ((s.used + 1) * 4 > s.slots.size() * 3) grow(s, std::max<std::uint64_t>(smallest_capacity, s.slots.size() + s.slots.size() / 2));
}

void id_table::reserve(std::uint64_t ids) {
  for (shard& s : shards_) {
    const std::uint64_t capacity = ids / shard_count * 4 / 3 * 51 / 50 + smallest_capacity;
    if (s.slots.size() < capacity) grow(s, capacity);
  }
}

void id_table::add(std::uint64_t id, std::uint32_t index) {
  const std::uint64_t h = hash_(id);
  shard& s = shards_[shard_of(h)];
  make_room(s);
  find(s, id, h) = {static_cast<std::uint32_t>(id), static_cast<std::uint32_t>(id >> 32), index};
  ++s.used;
}

std::uint64_t id_table::look_up(lookup_scratch<std::uint64_t>& piece, std::size_t count, unsigned first_shard, bool lock,
                                compact_forest& forest, compact_forest::run_of_indices& run) {
  std::uint64_t added = 0;
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
      id_entry& entry = find(s, piece.keys[i], piece.hashes[i]);
      if (is_free(entry)) {
        const std::uint32_t index = forest.add(run);
        entry = {static_cast<std::uint32_t>(piece.keys[i]), static_cast<std::uint32_t>(piece.keys[i] >> 32), index};
        ++s.used;
        ++added;
      }
      piece.indices[i] = entry.index;
    }
  }
  return added;
}

buffer<id_entry> id_table::take(unsigned number) {
  shard& s = shards_[number];
  buffer<id_entry> entries{s.used, memory_};
  std::copy_if(s.slots.begin(), s.slots.end(), entries.begin(), [](const id_entry& slot) { return !is_free(slot); });
  s.slots = {};
  s.used = 0;
  return entries;
}

}  // namespace copse::streaming
