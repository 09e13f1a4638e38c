// Pageable memory on its way to GPUs. The driver copies such memory by one thread; here all threads copy chunks of it to page-locked ones of
// their own, two each by turns, which stay in their caches while the GPU fetches them. Chunk follows chunk through all pieces, so that the
// link never waits for a piece to begin: which is worth a third of its speed, beside a copy for each piece.
#pragma once
#include <copse/memory.hpp>
#include <device/gpu_parts.hpp>
#include <device/pieces.hpp>
#include <device/stream_part.hpp>

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>

namespace copse::device {

/// Gives the pieces one after the other; to one thread at a time.
using next_piece = std::function<std::optional<host_piece>()>;

/// The chunks of one worker. Made while an on_device of the GPU lives that it copies to.
class chunk_pair {
public:
  explicit chunk_pair(std::span<std::byte> room);
  /// Waits until it may be filled.
  [[nodiscard]] std::span<std::byte> next();
  /// The copy of the one that next() gave is reached then.
  [[nodiscard]] const stream_mark& copied() const noexcept { return copied_[turn_]; }

private:
  std::span<std::byte> room_;
  std::array<stream_mark, 2> copied_;
  std::size_t turn_ = 0;
};

/// What the workers of one part do together.
class piece_feed {
public:
  piece_feed(stream_part& part, const next_piece& next) : part_{part}, next_{next} {}

  /// Until there are no more pieces. By any number of threads, each with chunks of its own.
  void work(chunk_pair& chunks);

private:
  struct open_piece {
    std::optional<host_piece> from;     ///< nothing: closed
    stream_part::piece* to = nullptr;
    std::uint64_t given = 0, left = 0;  ///< bytes that workers have taken, and that are not yet enqueued
  };
  struct chunk {
    open_piece* of;
    std::span<const std::byte> from;
    std::size_t at;
  };
  /// Nothing when there is no more.
  std::optional<chunk> take(std::size_t most_bytes);
  void enqueue(const chunk& now, std::span<const std::byte> copy, const stream_mark& copied);

  stream_part& part_;
  const next_piece& next_;
  std::mutex guard_;
  std::condition_variable closed_;
  std::array<open_piece, 2> pieces_;
  std::size_t turn_ = 0;  ///< the piece that chunks are taken of is the one before
  bool ended_ = false, failed_ = false;
};

/// All pieces, of so many bytes together, to all parts. Returns when they were copied.
void feed(gpu_parts& parts, const next_piece& next, std::uint64_t bytes, unsigned threads);

}  // namespace copse::device
