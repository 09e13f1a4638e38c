// Copies pageable memory to a GPU. The driver copies such memory by one thread. Here several threads fill slots of page-locked memory
// (staging_ring), and the GPU fetches slot after slot, across all pieces, so that the link does not wait between pieces.
#pragma once
#include <copse/views.hpp>
#include <device/pieces.hpp>
#include <device/stream_part.hpp>
#include <gpu/runtime/staging_ring.hpp>

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>

namespace copse::device {

/// The pieces of a graph that threads are copying to one GPU: at most two. Bytes are collected in slots, which are parts of page-locked
/// memory, and a full slot is sent to the GPU. Any thread may use this while it holds an on_device of the GPU. All state is under one lock,
/// except that a slot is sent without the lock, by the thread that filled the last bytes of it.
class piece_line final : backend::slot_sender {
public:
  /// Returns the pieces one after the other; called by one thread at a time.
  using next_piece = std::function<std::optional<host_piece>()>;

  /// `room`: page-locked memory of shape.bytes() bytes, which must outlive the line.
  piece_line(stream_part& part, std::span<std::byte> room, const backend::staging_shape& shape);
  piece_line(const piece_line&) = delete;
  ~piece_line() override;

  /// The loop of a worker: copies parts of pieces into slots of page-locked memory until there are no more pieces.
  void pass(const next_piece& next);

private:
  struct open_piece {
    stream_part::piece* to = nullptr;  ///< the piece's memory on the GPU; null while this element of pieces_ is free
    host_piece from = {};
    std::uint64_t given = 0;  ///< bytes of the piece for which threads have taken page-locked memory
    unsigned slots = 0;       ///< number of slots of page-locked memory with bytes of the piece that are not sent yet
    bool whole = false;       ///< true if threads have taken page-locked memory for all bytes of the piece
    std::uint32_t largest = 0;
    bool grows = false;
  };
  struct place {
    open_piece* of;
    backend::staging_ring::place room;
    std::span<const std::byte> from;
  };

public:
  // take_pairs() and finish() are for edges whose number is not known in advance.

  struct pairs_place {
    std::span<edge<std::uint32_t>> room;

  private:
    friend class piece_line;
    place of;
  };
  /// Returns page-locked memory for at most `most` pairs, which the caller fills and passes to finish() before anything else. If `grows`,
  /// vertices are added up to the largest id. Empty if another thread has failed.
  std::optional<pairs_place> take_pairs(std::size_t most, bool grows);
  void finish(const pairs_place& filled, std::uint32_t largest);
  /// Unites the edges of the last piece, which is not full. Called by one thread, when finish() was called for all that take_pairs() has
  /// returned.
  void flush();
  /// Wakes all threads that wait, because this thread has failed and will not fill the room that it took.
  void fail();

private:
  /// Returns the next element of pieces_ if it is free; null if the call had to wait for that, after which the caller tries again.
  open_piece* free_piece(std::unique_lock<std::mutex>& lock);
  void open(open_piece& fresh, const host_piece& from);
  std::optional<place> take(const next_piece& next);
  /// Returns page-locked memory for the next bytes of the open piece, at most `bytes` bytes. Empty if another thread has failed.
  std::optional<place> place_in(open_piece& now, std::size_t bytes, std::uint64_t piece_bytes);
  void finish(const place& filled);
  void close_if_filled(open_piece& piece);
  [[nodiscard]] open_piece& current() noexcept { return pieces_[(turn_ + 1) % pieces_.size()]; }
  void send(unsigned slot, std::byte* to, std::span<const std::byte> filled) override;
  void wait(unsigned slot) override { copied_[slot].wait(); }

  stream_part& part_;
  std::array<backend::stream_mark, backend::most_slots> copied_;
  backend::staging_ring ring_;
  std::mutex guard_;
  std::condition_variable closed_;
  std::array<open_piece, 2> pieces_;
  std::uint64_t turn_ = 0;
  bool ended_ = false, failed_ = false;
};

}  // namespace copse::device
