// Page-locked memory on the way of pageable memory to a GPU: a ring of slots. Several threads fill a slot together, place by place; the
// thread that fills its last place sends the whole slot by one copy. The link needs copies of megabytes, a thread's copy is fastest when it
// fits the core's cache: so a place is much smaller than a slot. Nothing here knows CUDA.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>

namespace copse::backend {

/// How staging memory is cut up.
struct staging_shape {
  std::size_t slot_bytes, place_bytes;
  unsigned slots;

  [[nodiscard]] std::size_t bytes() const noexcept { return slots * slot_bytes; }
};

/// On 16 Xeon cores less memory was slower, down to half the speed. The cause is not proven: perhaps what second-level caches still hold.
inline constexpr unsigned most_slots = 32;
inline constexpr std::size_t most_slot_bytes = std::size_t{16} << 20, staging_bytes = std::size_t{64} << 20;

/// The shape for `bytes` bytes in all, of which a slot takes `most` or less. Short copies take small slots, so that the GPU begins soon.
/// Slots are multiples of 64 bytes.
staging_shape staging_shape_for(std::uint64_t bytes, std::size_t most = most_slot_bytes) noexcept;

/// Where the slots of a ring go. Any thread calls it; calls for one slot never overlap.
class slot_sender {
public:
  virtual ~slot_sender() = default;
  /// Enqueues a copy of what the slot holds.
  virtual void send(unsigned slot, std::byte* to, std::span<const std::byte> filled) = 0;
  /// Until the last copy of the slot has been made. At once when there was none.
  virtual void wait(unsigned slot) = 0;
};

class staging_ring {
public:
  /// `room`: shape.bytes() at least.
  staging_ring(std::span<std::byte> room, const staging_shape& shape, slot_sender& sender);
  staging_ring(const staging_ring&) = delete;

  // For one thread at a time: callers hold a lock.

  /// Bytes of the open slot that no thread has taken; 0 if none is open.
  [[nodiscard]] std::size_t left() const noexcept;
  /// The next slot, when it is free. What comes into it goes to `to`. False: fail() was called. Precondition: left() == 0. It waits for
  /// the GPU and for threads that fill their places, which need no lock for that.
  [[nodiscard]] bool open(std::byte* to);
  struct place {
    unsigned slot;
    std::span<std::byte> bytes;
  };
  /// So many bytes of the open slot, or the most that a place has. It is closed when none are left.
  [[nodiscard]] place take(std::size_t bytes) noexcept;
  /// No more places of the open slot, if there is one. True: it was filled already, and is sent.
  bool close();

  // For any thread.

  /// open() waits for the GPU.
  [[nodiscard]] const std::atomic<bool>& waiting() const noexcept { return waiting_; }
  /// The place is filled. True: it was the slot's last, and the slot is sent.
  bool done(const place& filled);
  /// Nobody waits for a slot any more: a thread will not fill its place.
  void fail() noexcept;

private:
  /// `fillers`, of a slot that is open: 1, and 1 for each place that is not filled. Who makes it 0 sends the slot. `to` and `used`
  /// are written by the opener's side, and read by the sender after that.
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
  std::atomic<std::uint32_t> sent_{0};  ///< changes whenever a slot is sent, and when all has failed
  std::atomic<bool> failed_{false}, waiting_{false};
};

/// A lock that is soon free, so that a thread spins for it: one that sleeps would be woken too late for the link. `long_held`: its holder
/// waits, so that others look at this only.
std::unique_lock<std::mutex> soon_locked(std::mutex& guard, const std::atomic<bool>& long_held);

}  // namespace copse::backend
