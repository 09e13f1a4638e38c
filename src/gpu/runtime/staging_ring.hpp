// A ring of slots in page-locked memory, through which pageable memory is copied to a GPU. Several threads fill a slot together, place by
// place; the thread that fills its last place sends the whole slot by one copy. The link to the GPU needs copies of megabytes, but a
// thread copies fastest what fits the core's cache, so a place is much smaller than a slot. Nothing here depends on CUDA.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>

namespace copse::backend {

/// How the page-locked memory of a ring is cut up: into slots, which are sent by one copy each, and slots into places, which are filled by
/// one thread each.
struct staging_shape {
  std::size_t slot_bytes, place_bytes;
  unsigned slots;

  [[nodiscard]] std::size_t bytes() const noexcept { return slots * slot_bytes; }
};

/// On 16 Xeon cores, rings with less memory were slower, down to half the speed. The cause is not known; second-level caches may hold the
/// slots.
inline constexpr unsigned most_slots = 32;
inline constexpr std::size_t most_slot_bytes = std::size_t{16} << 20, staging_bytes = std::size_t{64} << 20;

/// Returns the shape of a ring for a copy of `bytes` bytes, with slots of at most `most` bytes. Short copies use small slots, so that the
/// GPU starts early. The size of a slot is a multiple of 64 bytes.
staging_shape staging_shape_for(std::uint64_t bytes, std::size_t most = most_slot_bytes) noexcept;

/// Sends the slots of a ring. Any thread may call it; calls for one slot never overlap.
class slot_sender {
public:
  virtual ~slot_sender() = default;
  /// Enqueues a copy of the slot's contents.
  virtual void send(unsigned slot, std::byte* to, std::span<const std::byte> filled) = 0;
  /// Waits until the last copy of the slot is complete. Returns at once if there was none.
  virtual void wait(unsigned slot) = 0;
};

class staging_ring {
public:
  /// `room` must have at least shape.bytes() bytes.
  staging_ring(std::span<std::byte> room, const staging_shape& shape, slot_sender& sender);
  staging_ring(const staging_ring&) = delete;

  // left(), open(), take() and close() may be called by one thread at a time, so callers hold a lock.

  /// The bytes of the open slot that no thread has taken; 0 if no slot is open.
  [[nodiscard]] std::size_t left() const noexcept;
  /// Opens the next slot of the ring, whose contents will be copied to `to`. First waits until threads have filled all places of the slot's
  /// previous use (they need no lock for that) and the GPU has copied it. Returns false if fail() was called. Precondition: left() == 0.
  [[nodiscard]] bool open(std::byte* to);
  struct place {
    unsigned slot;
    std::span<std::byte> bytes;
  };
  /// Returns a place: the next `bytes` bytes of the open slot, which the caller must fill, or fewer if the slot has fewer left or if
  /// staging_shape::place_bytes is smaller. The slot is closed when no bytes are left.
  [[nodiscard]] place take(std::size_t bytes) noexcept;
  /// Closes the open slot, if there is one, so that no more of it can be taken. Returns true if everything taken from it was filled, so
  /// that it was sent.
  bool close();

  // waiting(), done() and fail() may be called by any thread, without the lock.

  /// True while open() waits for the GPU.
  [[nodiscard]] const std::atomic<bool>& waiting() const noexcept { return waiting_; }
  /// Reports that the caller has filled a place, its part of a slot. Returns true if the slot is closed and all of it is filled now, so
  /// that it was sent.
  bool done(const place& filled);
  /// Called when a thread has failed and will not fill its part of a slot: from now on open() returns false instead of waiting for a free
  /// slot.
  void fail() noexcept;

private:
  /// `fillers` is 1 for an open slot, plus 1 for each place that is not filled. The thread that finds it at 1 sends the slot and then sets
  /// it to 0. `to` and `used` are written by threads that hold the lock, and read by the sending thread later.
  struct alignas(64) slot {
    std::atomic<unsigned> fillers{0};
    std::byte* to = nullptr;
    std::size_t used = 0;
  };
  bool drop(unsigned slot);

  std::span<std::byte> room_;
  staging_shape shape_;
  slot_sender& sender_;
  std::array<slot, most_slots> slots_;
  unsigned turn_ = 0;  ///< slots opened so far
  bool open_ = false;
  std::atomic<std::uint32_t> sent_{0};  ///< counts slots sent and calls of fail(); open() sleeps until it changes
  std::atomic<bool> failed_{false}, waiting_{false};
};

/// Locks a mutex that is held briefly. Threads spin for it, because a sleeping thread would wake up too late to keep the link busy.
/// `long_held` is set while the holder waits for the GPU; other threads then poll this flag only.
std::unique_lock<std::mutex> soon_locked(std::mutex& guard, const std::atomic<bool>& long_held);

}  // namespace copse::backend
