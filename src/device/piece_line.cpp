#include <device/piece_line.hpp>
#include <gpu/runtime/checked.hpp>

#include <algorithm>
#include <cstring>

namespace copse::device {

using backend::checked;

chunk_lane::chunk_lane(std::span<std::byte> room) : room_{room} {
  checked(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "making a stream");
}
chunk_lane::~chunk_lane() {
  static_cast<void>(cudaStreamSynchronize(stream_));
  static_cast<void>(cudaStreamDestroy(stream_));
}

piece_line::open_piece* piece_line::free_piece(std::unique_lock<std::mutex>& lock) {
  open_piece& next = pieces_[turn_ % pieces_.size()];
  if (next.to == nullptr) return &next;
  closed_.wait(lock);  // copies to the piece before the last are not all enqueued
  return nullptr;
}

void piece_line::open(open_piece& fresh, const host_piece& from) { fresh = {.to = &part_.open(), .from = from, .number = ++turn_}; }

std::optional<piece_line::place> piece_line::take(const next_piece& next, std::size_t most_bytes) {
  std::unique_lock lock{guard_};
  for (;;) {
    if (failed_) return std::nullopt;
    if (open_piece& now = current(); now.to != nullptr && !now.whole) {
      const auto [first, second] = now.from.arrays;
      const std::size_t at = now.given;
      const auto rest = at < first.size() ? first.subspan(at) : second.subspan(at - first.size());
      const auto part = rest.first(std::min(rest.size(), most_bytes));
      now.given += part.size();
      now.whole = now.given == now.from.bytes();
      ++now.outstanding;
      return place{&now, at, part};
    }
    if (ended_) return std::nullopt;
    open_piece* const fresh = free_piece(lock);
    if (fresh == nullptr) continue;
    const auto found = next();
    if (found) open(*fresh, *found);
    ended_ = !found;
  }
}

void piece_line::copy(chunk_lane& lane, const place& to, std::size_t bytes) {
  if (lane.seen_ != to.of->number) {
    to.of->to->united.hold_back(lane.stream_);  // what was in this memory before
    lane.seen_ = to.of->number;
  }
  checked(cudaMemcpyAsync(to.of->to->bytes.data() + to.at, lane.chunk().data(), bytes, cudaMemcpyHostToDevice, lane.stream_),
          "copying a piece");
  lane.copied_[lane.turn_].set(lane.stream_);
  lane.turn_ = 1 - lane.turn_;
  const std::lock_guard lock{guard_};
  --to.of->outstanding;
  close_if_filled(*to.of);
}

void piece_line::close_if_filled(open_piece& piece) {
  if (failed_ || !piece.whole || piece.outstanding != 0) return;
  for (const chunk_lane* lane : lanes_) {
    for (const stream_mark& copied : lane->copied_) part_.hold_back(copied);
  }
  if (piece.grows && piece.largest >= part_.vertices()) part_.grow(piece.largest + 1);
  part_.close(*piece.to, piece.from);
  piece.to = nullptr;
  closed_.notify_all();
}

void piece_line::pass(chunk_lane& lane, const next_piece& next) {
  try {
    for (;;) {
      lane.wait_for_chunk();
      const std::span<std::byte> room = lane.chunk();
      const auto to = take(next, room.size());
      if (!to) return;
      std::memcpy(room.data(), to->from.data(), to->from.size());
      copy(lane, *to, to->from.size());
    }
  } catch (...) {
    fail();
    throw;
  }
}

std::optional<piece_line::place> piece_line::take_for_pairs(std::size_t count, std::uint32_t largest, bool grows) {
  const std::size_t bytes = count * pair_bytes;
  std::unique_lock lock{guard_};
  for (;;) {
    if (failed_) return std::nullopt;
    open_piece& now = current();
    if (now.to != nullptr && !now.whole && now.given + bytes <= part_.piece_bytes()) {
      const place to{&now, now.given, {}};
      now.given += bytes;
      now.from.count += count;
      now.largest = std::max(now.largest, largest);
      ++now.outstanding;
      return to;
    }
    if (now.to != nullptr && !now.whole) {
      now.whole = true;
      close_if_filled(now);
    }
    if (open_piece* const fresh = free_piece(lock); fresh != nullptr) {
      open(*fresh, {.what = host_piece::contents::pairs, .arrays = {}, .count = 0});
      fresh->grows = grows;
    }
  }
}

void piece_line::append(chunk_lane& lane, std::size_t count, std::uint32_t largest, bool grows) {
  try {
    if (const auto to = take_for_pairs(count, largest, grows)) copy(lane, *to, count * pair_bytes);
  } catch (...) {
    fail();  // or others would wait for a piece that nobody closes
    throw;
  }
}

void piece_line::flush() {
  const std::lock_guard lock{guard_};
  open_piece& last = current();
  if (last.to == nullptr) return;
  last.whole = true;
  close_if_filled(last);
}

void piece_line::fail() {
  const std::lock_guard lock{guard_};
  failed_ = true;
  closed_.notify_all();
}

}  // namespace copse::device
