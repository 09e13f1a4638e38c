#include <copse/errors.hpp>
#include <copse/execution.hpp>
#include <core/team.hpp>
#include <gpu/runtime/gpu.hpp>
#include <gpu/runtime/staged_copy.hpp>
#include <gpu/runtime/staging_ring.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

namespace copse::backend {
namespace {

constexpr unsigned most_workers = 16, pieces_a_worker = 2;
constexpr std::size_t most_piece_bytes = std::size_t{1} << 20, huge_page_bytes = std::size_t{2} << 20;
// the rest of the staging memory is used by borrowed_pieces only
static_assert(most_workers * pieces_a_worker * most_piece_bytes <= staging_bytes);

struct piece {
  char* bytes = nullptr;
  cudaEvent_t done = nullptr;  ///< occurs when the GPU has fetched or filled the piece
};

/// The page-locked pieces of one worker and a stream of its own, so that its copies do not wait for those of other workers.
struct lane {
  std::array<piece, pieces_a_worker> pieces{};
  cudaStream_t stream = nullptr;
};

/// The page-locked pieces and the streams of all workers that copy to or from one device. They are used by one copy at a time.
class lane_set {
public:
  lane_set() = default;
  /// Allocates the page-locked memory and makes the streams, for the calling thread's device. usable() returns false afterwards if the
  /// system had no page-locked memory left. Precondition: called once.
  void open() {
    void* bytes = nullptr;
    if (cudaHostAlloc(&bytes, staging_bytes + locked_room::most_bytes, cudaHostAllocDefault) != cudaSuccess) {
      static_cast<void>(cudaGetLastError());
      return;
    }
    bytes_ = static_cast<char*>(bytes);
    checked(cudaEventCreateWithFlags(&begun_, cudaEventDisableTiming), "making an event");
    char* next = bytes_;
    for (lane& d : lanes_) {
      checked(cudaStreamCreateWithFlags(&d.stream, cudaStreamNonBlocking), "making a stream");
      for (piece& p : d.pieces) {
        p.bytes = std::exchange(next, next + most_piece_bytes);
        checked(cudaEventCreateWithFlags(&p.done, cudaEventDisableTiming), "making an event");
      }
    }
  }
  lane_set(const lane_set&) = delete;
  ~lane_set() {
    for (const lane& d : lanes_) {
      for (const piece& p : d.pieces) {
        if (p.done != nullptr) static_cast<void>(cudaEventDestroy(p.done));
      }
      if (d.stream != nullptr) static_cast<void>(cudaStreamDestroy(d.stream));
    }
    if (begun_ != nullptr) static_cast<void>(cudaEventDestroy(begun_));
    static_cast<void>(cudaFreeHost(bytes_));  // waits for the GPU
  }

  /// True if the page-locked memory was allocated: false if the system had none left.
  [[nodiscard]] bool usable() const noexcept { return bytes_ != nullptr; }
  [[nodiscard]] std::span<std::byte> room() const noexcept { return {reinterpret_cast<std::byte*>(bytes_), staging_bytes}; }
  [[nodiscard]] std::span<std::byte> room_beside() const noexcept {
    return {reinterpret_cast<std::byte*>(bytes_) + staging_bytes, locked_room::most_bytes};
  }
  [[nodiscard]] const lane& of(unsigned worker) const noexcept { return lanes_[worker]; }

  /// Notes the work that is in `stream` now, for which wait_for_begin() makes the stream of a worker wait.
  void begin_after(cudaStream_t stream) const { checked(cudaEventRecord(begun_, stream), "recording an event"); }
  void wait_for_begin(const lane& d) const { checked(cudaStreamWaitEvent(d.stream, begun_, 0), "waiting for an event"); }
  /// Makes later work in `stream` wait for the copies that all workers have enqueued.
  void end_before(cudaStream_t stream) const {
    for (const lane& d : lanes_) {
      for (const piece& p : d.pieces) checked(cudaStreamWaitEvent(stream, p.done, 0), "waiting for an event");
    }
  }
  void wait(const char* doing) const {
    for (const lane& d : lanes_) checked(cudaStreamSynchronize(d.stream), doing);
  }
  /// Waits for the copies of all workers, as wait() does, but ignores errors: it is called after a failure.
  void finish() const noexcept {
    for (const lane& d : lanes_) static_cast<void>(cudaStreamSynchronize(d.stream));
  }

  std::atomic_flag in_use, room_beside_in_use;

private:
  std::array<lane, most_workers> lanes_{};
  cudaEvent_t begun_ = nullptr;
  char* bytes_ = nullptr;
};

/// Returns the lanes of a device (one worker copies by each), which are made at the first call. The CUDA runtime is initialised by then
/// (`on` uses it), so they are destroyed before it is.
lane_set& lanes_of(const gpu& on) {
  static std::mutex guard;
  static std::map<int, std::unique_ptr<lane_set>> sets;
  const std::lock_guard lock{guard};
  auto& found = sets[on.index()];
  if (!found) {
    auto fresh = std::make_unique<lane_set>();
    fresh->open();
    found = std::move(fresh);
  }
  return *found;
}

/// Cuts a copy at host addresses that are multiples of a power of two, and hands out the parts.
class copy_turns {
public:
  copy_turns(const void* host, std::size_t bytes, std::size_t turn) noexcept
      : bytes_{bytes}, turn_{turn}, ahead_{reinterpret_cast<std::uintptr_t>(host) % turn_} {}

  /// Sets [begin, end) to the next part, in bytes from the start of the copy. Returns false if no part is left.
  bool take(std::size_t& begin, std::size_t& end) noexcept {
    const std::size_t k = next_.fetch_add(1, std::memory_order_relaxed);
    begin = k == 0 ? 0 : k * turn_ - ahead_;
    end = std::min(bytes_, (k + 1) * turn_ - ahead_);
    return begin < bytes_;
  }
  void stop() noexcept { next_.store(bytes_ / turn_ + 2, std::memory_order_relaxed); }

private:
  std::size_t bytes_, turn_, ahead_;
  std::atomic<std::size_t> next_{0};
};

/// A part of a copy, and the piece of page-locked memory through which its worker copies it.
struct copied_part {
  unsigned worker;
  std::size_t begin, bytes;
  const piece* through;
  cudaStream_t stream;
};

/// The bytes that justify waking another thread, and the size of the smallest part that a thread takes at a time.
struct shape {
  std::size_t bytes_a_worker, least_turn;
};
constexpr shape shape_in{std::size_t{1} << 20, std::size_t{128} << 10};
/// Parts end at page boundaries: the array may be new, and the operating system would clear a page twice if two threads touched it first at
/// the same time. Large arrays have huge pages.
constexpr shape shape_out(std::size_t bytes) noexcept {
  if (bytes >= 2 * huge_page_bytes) return {std::size_t{1} << 20, huge_page_bytes};
  return {std::size_t{256} << 10, std::size_t{128} << 10};
}

/// Several workers call step(part) for all parts of a copy, each worker whenever one of its pieces of page-locked memory is free. A worker
/// that finds no more parts calls last(worker). Copies between pieces and the GPU may still be in flight afterwards.
template <class Step, class Last>
void in_turns(const gpu& on, const lane_set& lanes, const void* host, std::size_t bytes, shape cut, const copy_settings& settings,
              Step step, Last last) {
  const auto workers = static_cast<unsigned>(
      std::min<std::size_t>({usable_threads(settings.threads), most_workers, std::max<std::size_t>(1, bytes / cut.bytes_a_worker)}));
  const std::size_t piece_bytes = std::clamp<std::size_t>(settings.piece_bytes, 1, most_piece_bytes);
  copy_turns all{host, bytes, std::bit_floor(std::clamp(bytes / (std::size_t{2} * workers), cut.least_turn, huge_page_bytes))};
  const auto work = [&](unsigned worker) {
    int before = 0;  // the calling thread's device, restored at the end because the thread may serve other callers, too
    checked(cudaGetDevice(&before), "asking for the device");
    checked(cudaSetDevice(on.index()), "choosing the device");
    const lane& mine = lanes.of(worker);
    if (!settings.beside) lanes.wait_for_begin(mine);
    std::size_t begin = 0, end = 0;
    for (unsigned turn = 0; all.take(begin, end);) {
      for (; begin < end; begin += std::min(piece_bytes, end - begin), ++turn) {
        const piece& p = mine.pieces[turn % pieces_a_worker];
        checked(cudaEventSynchronize(p.done), "waiting for an event");
        step(copied_part{worker, begin, std::min(piece_bytes, end - begin), &p, mine.stream});
      }
    }
    last(worker);
    checked(cudaSetDevice(before), "choosing the device");
  };
  if (!settings.beside) lanes.begin_after(on.stream());
  try {
    on_workers(workers, [&](unsigned worker) {
      try {
        work(worker);
      } catch (...) {
        all.stop();
        throw;
      }
    });
  } catch (...) {
    lanes.finish();  // after the exception the caller may free the memory that is being copied
    throw;
  }
}

void enqueue(void* to, const void* from, std::size_t bytes, cudaMemcpyKind way, cudaStream_t stream, const char* doing) {
  checked(cudaMemcpyAsync(to, from, bytes, way, stream), doing);
}
void enqueue(void* to, const void* from, const copied_part& now, cudaMemcpyKind way, const char* doing) {
  enqueue(to, from, now.bytes, way, now.stream, doing);
  checked(cudaEventRecord(now.through->done, now.stream), doing);
}

/// Calls staged(lanes), which copies by several threads through page-locked memory, and returns true. Returns false if the copy is left to
/// the driver: a small copy, a copy of memory that the GPU can access, one concurrent with another copy, or any if the system had no
/// page-locked memory left.
template <class Staged>
bool stage(const gpu& on, const void* host, std::size_t bytes, const copy_settings& settings, Staged staged) {
  if (bytes < settings.least_bytes || !pageable(host)) return false;
  lane_set& lanes = lanes_of(on);
  const sole_use mine{lanes.in_use};
  if (!mine || !lanes.usable()) return false;
  staged(lanes);
  return true;
}

}  // namespace

bool pageable(const void* at) {
  cudaPointerAttributes facts{};
  if (cudaPointerGetAttributes(&facts, at) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    return true;
  }
  return facts.type == cudaMemoryTypeUnregistered;
}

void copy_in(const gpu& on, void* to, const void* from, std::size_t bytes, const char* doing, const copy_settings& settings,
             const observer* watcher) {
  if (bytes == 0) return;
  const bool staged = stage(on, from, bytes, settings, [&](const lane_set& lanes) {
    const auto fill = [&](const copied_part& now) {
      if (watcher != nullptr && watcher->cancel_requested()) throw cancelled{};
      std::memcpy(now.through->bytes, static_cast<const char*>(from) + now.begin, now.bytes);
      enqueue(static_cast<char*>(to) + now.begin, now.through->bytes, now, cudaMemcpyHostToDevice, doing);
    };
    in_turns(on, lanes, from, bytes, shape_in, settings, fill, [](unsigned) {});
    settings.beside ? lanes.wait(doing) : lanes.end_before(on.stream());
  });
  if (staged) return;
  const cudaStream_t stream = settings.beside ? lanes_of(on).of(0).stream : on.stream();
  enqueue(to, from, bytes, cudaMemcpyHostToDevice, stream, doing);
  if (settings.beside) checked(cudaStreamSynchronize(stream), doing);
}

void copy_out(const gpu& on, void* to, const void* from, std::size_t bytes, const char* doing, const copy_settings& settings) {
  if (bytes == 0) return;
  const bool staged = stage(on, to, bytes, settings, [&](const lane_set& lanes) {
    std::array<copied_part, most_workers> before{};  // each worker copies this to `to` while the GPU fills its other piece
    const auto empty = [&](copied_part& p) {
      if (p.bytes == 0) return;
      checked(cudaEventSynchronize(p.through->done), doing);
      std::memcpy(static_cast<char*>(to) + p.begin, p.through->bytes, p.bytes);
      p.bytes = 0;
    };
    const auto send = [&](const copied_part& now) {
      enqueue(now.through->bytes, static_cast<const char*>(from) + now.begin, now, cudaMemcpyDeviceToHost, doing);
      empty(before[now.worker]);
      before[now.worker] = now;
    };
    in_turns(on, lanes, to, bytes, shape_out(bytes), settings, send, [&](unsigned worker) { empty(before[worker]); });
  });
  if (staged) return;
  enqueue(to, from, bytes, cudaMemcpyDeviceToHost, on.stream(), doing);
  checked(cudaStreamSynchronize(on.stream()), doing);
}

borrowed_pieces::borrowed_pieces(const gpu& on) {
  lane_set& lanes = lanes_of(on);
  sole_use mine{lanes.in_use};
  if (!mine || !lanes.usable()) return;
  lanes.wait("waiting for a copy");  // copies by the previous owner may still be in flight
  mine_ = std::move(mine);
  room_ = lanes.room();
}

locked_room::locked_room(const gpu& on, std::size_t bytes) {
  if (bytes == 0 || bytes > most_bytes) return;
  lane_set& lanes = lanes_of(on);
  sole_use mine{lanes.room_beside_in_use};
  if (!mine || !lanes.usable()) return;
  mine_ = std::move(mine);
  bytes_ = lanes.room_beside().first(bytes);
}

void prepare_copies(const gpu& on) { static_cast<void>(lanes_of(on)); }

}  // namespace copse::backend
