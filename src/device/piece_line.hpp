// Pageable memory on its way to a GPU. The driver copies such memory by one thread; here several copy chunks of it to page-locked ones of
// their own, two each by turns, while the GPU fetches others. Each has a stream, so that no copy waits for another thread; they meet only
// to take a place in a piece, and to say that it is filled. Chunk follows chunk through all pieces: the link does not wait for a piece to
// begin.
#pragma once
#include <copse/views.hpp>
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
#include <vector>

namespace copse::device {

/// The chunks of one worker, and its stream. Made and used while an on_device of the GPU lives that it copies to.
class chunk_lane {
public:
  explicit chunk_lane(std::span<std::byte> room);
  chunk_lane(const chunk_lane&) = delete;
  ~chunk_lane();
  /// The chunk to be filled; wait_for_chunk() first.
  [[nodiscard]] std::span<std::byte> chunk() const noexcept { return room_.subspan(turn_ * (room_.size() / 2), room_.size() / 2); }
  void wait_for_chunk() const { copied_[turn_].wait(); }

private:
  friend class piece_line;
  std::span<std::byte> room_;
  cudaStream_t stream_ = nullptr;
  std::array<stream_mark, 2> copied_;
  std::size_t turn_ = 0;
  std::uint64_t seen_ = 0;  ///< the last piece that it waited for
};

/// The pieces of one part that are filled now: two at most.
class piece_line {
public:
  /// Gives the pieces one after the other; to one thread at a time.
  using next_piece = std::function<std::optional<host_piece>()>;

  explicit piece_line(stream_part& part) : part_{part} {}
  /// Before any work.
  void add(const chunk_lane& lane) { lanes_.push_back(&lane); }

  /// What a worker does until there are no more pieces.
  void pass(chunk_lane& lane, const next_piece& next);
  /// For edges whose number nobody knows before: copies the first `count` of the lane's chunk. `largest`: id of them; vertices are added as
  /// far as that, if `grows`.
  void append(chunk_lane& lane, std::size_t count, std::uint32_t largest, bool grows);
  /// Unites what was appended. By one thread, when no other appends.
  void flush();

private:
  struct open_piece {
    stream_part::piece* to = nullptr;  ///< null: not open
    host_piece from = {};
    std::uint64_t number = 0;
    std::uint64_t given = 0;   ///< bytes of it that workers have taken places for
    unsigned outstanding = 0;  ///< places whose copies are not enqueued yet
    bool whole = false;        ///< no more places
    std::uint32_t largest = 0;
    bool grows = false;
  };
  struct place {
    open_piece* of;
    std::size_t at;
    std::span<const std::byte> from;
  };
  /// The next one, when it is free; null: it was waited for, look again.
  open_piece* free_piece(std::unique_lock<std::mutex>& lock);
  void open(open_piece& fresh, const host_piece& from);
  std::optional<place> take(const next_piece& next, std::size_t most_bytes);
  std::optional<place> take_for_pairs(std::size_t count, std::uint32_t largest, bool grows);
  void copy(chunk_lane& lane, const place& to, std::size_t bytes);
  void close_if_filled(open_piece& piece);
  [[nodiscard]] open_piece& current() noexcept { return pieces_[(turn_ + 1) % pieces_.size()]; }
  void fail();

  stream_part& part_;
  std::vector<const chunk_lane*> lanes_;
  std::mutex guard_;
  std::condition_variable closed_;
  std::array<open_piece, 2> pieces_;
  std::uint64_t turn_ = 0;
  bool ended_ = false, failed_ = false;
};

}  // namespace copse::device
