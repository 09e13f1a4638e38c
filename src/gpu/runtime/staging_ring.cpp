#include <gpu/runtime/staging_ring.hpp>

#include <algorithm>
#include <bit>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace copse::backend {
namespace {

constexpr std::size_t least_slot_bytes = std::size_t{256} << 10, least_place_bytes = std::size_t{64} << 10;
constexpr std::size_t most_place_bytes = std::size_t{512} << 10, alignment = 64;

void pause() noexcept {
#if defined(__x86_64__)
  _mm_pause();
#endif
}

}  // namespace

staging_shape staging_shape_for(std::uint64_t bytes, std::size_t most) noexcept {
  const std::uint64_t fitting = std::bit_floor(std::clamp<std::uint64_t>(bytes / most_slots, least_slot_bytes, most_slot_bytes));
  const std::size_t slot = std::max(alignment, std::min<std::size_t>(fitting, most) / alignment * alignment);
  return {slot, std::min(slot, std::clamp(slot / 32, least_place_bytes, most_place_bytes)),
          static_cast<unsigned>(std::min<std::size_t>(most_slots, staging_bytes / slot))};
}

staging_ring::staging_ring(std::span<std::byte> room, const staging_shape& shape, slot_sender& sender)
    : room_{room}, shape_{shape}, sender_{sender} {}

std::size_t staging_ring::left() const noexcept { return open_ ? shape_.slot_bytes - slots_[(turn_ - 1) % shape_.slots].used : 0; }

bool staging_ring::open(std::byte* to) {
  const unsigned next = turn_ % shape_.slots;
  slot& fresh = slots_[next];
  for (;;) {
    const std::uint32_t seen = sent_.load(std::memory_order_acquire);
    if (failed_.load(std::memory_order_relaxed)) return false;
    if (fresh.fillers.load(std::memory_order_acquire) == 0) break;
    sent_.wait(seen, std::memory_order_acquire);
  }
  waiting_.store(true, std::memory_order_relaxed);
  sender_.wait(next);
  waiting_.store(false, std::memory_order_relaxed);
  fresh.to = to;
  fresh.used = 0;
  fresh.fillers.store(1, std::memory_order_relaxed);
  open_ = true;
  ++turn_;
  return true;
}

staging_ring::place staging_ring::take(std::size_t bytes) noexcept {
  const unsigned at = (turn_ - 1) % shape_.slots;
  slot& now = slots_[at];
  const std::size_t size = std::min({bytes, left(), shape_.place_bytes});
  const place taken{at, room_.subspan(at * shape_.slot_bytes + now.used, size)};
  now.used += size;
  now.fillers.fetch_add(1, std::memory_order_relaxed);
  if (now.used == shape_.slot_bytes) close();  // the slot is sent later, as the place just taken is not filled
  return taken;
}

bool staging_ring::close() {
  if (!open_) return false;
  open_ = false;
  return drop((turn_ - 1) % shape_.slots);
}

bool staging_ring::done(const place& filled) { return drop(filled.slot); }

// Takes one from the slot's `fillers`, which are 1 for an open slot plus the places not filled yet; the caller that finds 1 sends the slot.
// It stores 0 only when the copy is enqueued, because the thread that opens the slot next must be able to wait for that copy.
bool staging_ring::drop(unsigned at) {
  slot& mine = slots_[at];
  unsigned fillers = mine.fillers.load(std::memory_order_acquire);
  while (fillers != 1) {
    if (mine.fillers.compare_exchange_weak(fillers, fillers - 1, std::memory_order_acq_rel, std::memory_order_acquire)) return false;
  }
  sender_.send(at, mine.to, room_.subspan(at * shape_.slot_bytes, mine.used));
  mine.fillers.store(0, std::memory_order_release);
  sent_.fetch_add(1, std::memory_order_release);
  sent_.notify_all();
  return true;
}

void staging_ring::fail() noexcept {
  failed_.store(true, std::memory_order_relaxed);
  sent_.fetch_add(1, std::memory_order_release);
  sent_.notify_all();
}

std::unique_lock<std::mutex> soon_locked(std::mutex& guard, const std::atomic<bool>& long_held) {
  constexpr unsigned tries = 1 << 13;  // attempts to lock before the thread sleeps; in all they take longer than the transfer of one slot
  for (unsigned i = 0; i < tries; ++i) {
    if (!long_held.load(std::memory_order_relaxed) && guard.try_lock()) return std::unique_lock{guard, std::adopt_lock};
    pause();
  }
  return std::unique_lock{guard};
}

}  // namespace copse::backend
