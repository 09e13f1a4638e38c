#include <copse/cuda_incremental.hpp>
#include <copse/options.hpp>
#include <core/team.hpp>
#include <device/piece_feed.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

namespace copse::device {
namespace {

constexpr unsigned most_workers_a_part = 16;

}  // namespace

chunk_pair::chunk_pair(std::span<std::byte> room) : room_{room} {}

std::span<std::byte> chunk_pair::next() {
  turn_ = 1 - turn_;
  copied_[turn_].wait();
  const std::size_t half = room_.size() / 2;
  return room_.subspan(turn_ * half, half);
}

std::optional<piece_feed::chunk> piece_feed::take(std::size_t most_bytes) {
  std::unique_lock lock{guard_};
  for (;;) {
    if (turn_ != 0) {
      open_piece& current = pieces_[(turn_ - 1) % pieces_.size()];
      if (!failed_ && current.from && current.given < current.from->bytes()) {
        const auto [first, second] = current.from->arrays;
        const std::size_t at = current.given;
        const auto rest = at < first.size() ? first.subspan(at) : second.subspan(at - first.size());
        const auto now = rest.first(std::min(rest.size(), most_bytes));
        current.given += now.size();
        return chunk{&current, now, at};
      }
    }
    if (ended_ || failed_) return std::nullopt;
    open_piece& fresh = pieces_[turn_ % pieces_.size()];
    if (fresh.from) {  // chunks of the piece before the last are still with other workers
      closed_.wait(lock);
      continue;
    }
    auto found = next_();
    if (!found) {
      ended_ = true;
      return std::nullopt;
    }
    const std::uint64_t bytes = found->bytes();
    fresh = {found, &part_.open(), 0, bytes};
    ++turn_;
  }
}

void piece_feed::enqueue(const chunk& now, std::span<const std::byte> copy, const stream_mark& copied) {
  const std::lock_guard lock{guard_};
  if (failed_) return;
  open_piece& of = *now.of;
  part_.copy(*of.to, now.at, copy);
  part_.mark(copied);
  of.left -= copy.size();
  if (of.left != 0) return;
  part_.close(*of.to, *of.from);
  of.from.reset();
  closed_.notify_all();
}

void piece_feed::work(chunk_pair& chunks) {
  try {
    for (;;) {
      const std::span<std::byte> room = chunks.next();
      const auto now = take(room.size());
      if (!now) return;
      std::memcpy(room.data(), now->from.data(), now->from.size());
      enqueue(*now, room.first(now->from.size()), chunks.copied());
    }
  } catch (...) {
    const std::lock_guard lock{guard_};
    failed_ = true;
    closed_.notify_all();
    throw;
  }
}

void feed(gpu_parts& parts, const next_piece& next, std::uint64_t bytes, unsigned threads) {
  static const std::size_t chunk_bytes = std::getenv("X_CHUNK") ? std::stoul(std::getenv("X_CHUNK")) : (std::size_t{1} << 19);
  const auto count = static_cast<unsigned>(parts.size());
  // So many that each has a few chunks to copy.
  const auto each = static_cast<unsigned>(
      std::clamp<std::uint64_t>(bytes / (4 * chunk_bytes * count), 1, std::clamp(usable_threads(threads) / count, 1u, most_workers_a_part)));
  std::mutex guard;
  const next_piece in_turn = [&]() -> std::optional<host_piece> {
    const std::lock_guard lock{guard};
    return next();
  };
  std::vector<stream_part::chunk_room> rooms;
  std::vector<std::unique_ptr<piece_feed>> feeds;
  for (unsigned k = 0; k < count; ++k) {
    const on_device here{parts[k].gpu()};
    rooms.push_back(parts[k].room_for_chunks(2 * chunk_bytes * each));
    feeds.push_back(std::make_unique<piece_feed>(parts[k], in_turn));
  }
  on_workers(each * count, [&](unsigned worker) {
    const unsigned k = worker % count;
    const on_device here{parts[k].gpu()};
    chunk_pair chunks{rooms[k].room().subspan(2 * chunk_bytes * (worker / count), 2 * chunk_bytes)};
    feeds[k]->work(chunks);
  });
  for (unsigned k = 0; k < count; ++k) {
    const on_device here{parts[k].gpu()};
    parts[k].wait_for_copies();
  }
}

}  // namespace copse::device
