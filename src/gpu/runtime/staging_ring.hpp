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

/// On 16 Xeon cores less memory was slower, down to half the speed. The cause is not known; second-level caches may hold the slots.
inline constexpr unsigned most_slots = 32;
inline constexpr std::size_t most_slot_bytes = std::size_t{16} << 20, staging_bytes = std::size_t{64} << 20;

/// The shape for `bytes` bytes in all, of which a slot takes at most `most`. Short copies use small slots, so that the GPU starts early.
/// Slots are multiples of 64 bytes.
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
  /// `room`: shape.bytes() at least.
  staging_ring(std::span<std::byte> room, const staging_shape& shape, slot_sender& sender);
  staging_ring(const staging_ring&) = delete;

  // The functions up to the next heading are for one thread at a time: callers hold a lock.

  /// The bytes of the open slot that no thread has taken; 0 if no slot is open.
  [[nodiscard]] std::size_t left() const noexcept;
  /// Opens the next slot when it is free; its contents will go to `to`. Returns false if fail() was called. Precondition: left() == 0. It
  /// waits for the GPU and for threads that fill their places; those need no lock to finish.
  [[nodiscard]] bool open(std::byte* to);
  struct place {
    unsigned slot;
    std::span<std::byte> bytes;
  };
  /// Takes that many bytes of the open slot, or the most that a place has. The slot is closed when no bytes are left.
  [[nodiscard]] place take(std::size_t bytes) noexcept;
  /// Closes the open slot, if there is one, for further places. Returns true if all its places were filled, so that it was sent.
  bool close();

  // The functions from here on may be called by any thread.

  /// True while open() waits for the GPU.
  [[nodiscard]] const std::atomic<bool>& waiting() const noexcept { return waiting_; }
  /// Reports that the place is filled. Returns true if it was the slot's last one, so that the slot was sent.
  bool done(const place& filled);
  /// Ends all waiting for slots, because a thread has failed and will not fill its place.
  void fail() noexcept;

private:
  /// `fillers` is 1 for an open slot, plus 1 for each place that is not filled. The thread that makes it 0 sends the slot. `to` and `used`
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

/// A lock that is held briefly, so that threads spin for it: a sleeping thread would wake up too late for the link. `long_held` is set
/// while its holder waits for the GPU; other threads then poll this flag only.
std::unique_lock<std::mutex> soon_locked(std::mutex& guard, const std::atomic<bool>& long_held);

}  // namespace copse::backend
