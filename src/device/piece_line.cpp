#include <device/piece_line.hpp>

#include <algorithm>
#include <atomic>
#include <cstring>

namespace copse::device {

using backend::soon_locked;

piece_line::piece_line(stream_part& part, std::span<std::byte> room, const backend::staging_shape& shape)
    : part_{part}, ring_{room, shape, *this} {}

piece_line::~piece_line() { part_.finish_copies(); }

piece_line::open_piece* piece_line::free_piece(std::unique_lock<std::mutex>& lock) {
  open_piece& next = pieces_[turn_ % pieces_.size()];
  if (next.to == nullptr) return &next;
  // Both elements of pieces_ are in use: wait until the older piece is closed, which happens when all of its bytes were sent to the GPU.
  closed_.wait(lock);
  return nullptr;
}

void piece_line::open(open_piece& fresh, const host_piece& from) {
  fresh = {.to = &part_.open(), .from = from};
  ++turn_;
}

std::optional<piece_line::place> piece_line::place_in(open_piece& now, std::size_t bytes, std::uint64_t piece_bytes) {
  if (ring_.left() == 0) {
    if (!ring_.open(now.to->bytes.data() + now.given)) return std::nullopt;
    ++now.slots;
  }
  const place taken{&now, ring_.take(bytes), {}};
  now.given += taken.room.bytes.size();
  if (now.given == piece_bytes) {
    now.whole = true;
    ring_.close();  // the slot is not sent here: this thread has yet to fill its part, and the last thread that fills one sends the slot
  }
  return taken;
}

std::optional<piece_line::place> piece_line::take(const next_piece& next) {
  std::unique_lock lock = soon_locked(guard_, ring_.waiting());
  for (;;) {
    if (failed_) return std::nullopt;
    if (open_piece& now = current(); now.to != nullptr && !now.whole) {
      const auto [first, second] = now.from.arrays;
      const std::size_t at = now.given;
      const auto rest = at < first.size() ? first.subspan(at) : second.subspan(at - first.size());
      auto taken = place_in(now, rest.size(), now.from.bytes());
      if (taken) taken->from = rest.first(taken->room.bytes.size());
      return taken;
    }
    if (ended_) return std::nullopt;
    open_piece* const fresh = free_piece(lock);
    if (fresh == nullptr) continue;
    const auto found = next();
    if (found) open(*fresh, *found);
    ended_ = !found;
  }
}

/// Sends a slot of page-locked memory to the GPU. Called by the thread that filled its last part, without the lock, because other threads
/// take parts of the next slot at the same time.
void piece_line::send(unsigned slot, std::byte* to, std::span<const std::byte> filled) { part_.copy(to, filled, copied_[slot]); }

void piece_line::finish(const place& filled) {
  if (!ring_.done(filled.room)) return;
  const std::lock_guard lock{guard_};
  --filled.of->slots;
  close_if_filled(*filled.of);
}

void piece_line::close_if_filled(open_piece& piece) {
  if (failed_ || !piece.whole || piece.slots != 0) return;
  if (piece.grows && piece.largest >= part_.vertices()) part_.grow(piece.largest + 1);
  part_.close(*piece.to, piece.from);
  piece.to = nullptr;
  closed_.notify_all();
}

void piece_line::pass(const next_piece& next) {
  try {
    while (const auto now = take(next)) {
      std::memcpy(now->room.bytes.data(), now->from.data(), now->from.size());
      finish(*now);
    }
  } catch (...) {
    fail();
    throw;
  }
}

std::optional<piece_line::pairs_place> piece_line::take_pairs(std::size_t most, bool grows) {
  std::unique_lock lock = soon_locked(guard_, ring_.waiting());
  for (;;) {
    if (failed_) return std::nullopt;
    open_piece& now = current();
    if (now.to != nullptr && !now.whole) {
      const std::uint64_t rest = part_.piece_bytes() - now.given;
      const auto taken = place_in(now, std::min<std::uint64_t>(most * pair_bytes, rest), part_.piece_bytes());
      if (!taken) return std::nullopt;
      const std::size_t count = taken->room.bytes.size() / pair_bytes;
      now.from.count += count;
      pairs_place found;
      found.room = {reinterpret_cast<edge<std::uint32_t>*>(taken->room.bytes.data()), count};
      found.of = *taken;
      return found;
    }
    if (open_piece* const fresh = free_piece(lock); fresh != nullptr) {
      open(*fresh, {.what = host_piece::contents::pairs, .arrays = {}, .count = 0});
      fresh->grows = grows;
    }
  }
}

void piece_line::finish(const pairs_place& filled, std::uint32_t largest) {
  const std::atomic_ref<std::uint32_t> of_piece{filled.of.of->largest};
  std::uint32_t seen = of_piece.load(std::memory_order_relaxed);
  while (seen < largest && !of_piece.compare_exchange_weak(seen, largest, std::memory_order_relaxed)) {
  }
  finish(filled.of);
}

void piece_line::flush() {
  const std::lock_guard lock{guard_};
  open_piece& last = current();
  if (last.to == nullptr) return;
  last.whole = true;
  if (ring_.close()) --last.slots;
  close_if_filled(last);
}

void piece_line::fail() {
  ring_.fail();  // without the lock: the thread that holds it may be waiting for a slot, until this call wakes it
  const std::lock_guard lock{guard_};
  failed_ = true;
  closed_.notify_all();
}

}  // namespace copse::device
