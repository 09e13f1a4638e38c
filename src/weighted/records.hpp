// Edges on their way into a forest: 16 bytes each (24 where positions need 64 bits, 32 where ids do), in chunks of one size, so that
// threads append without waiting, lists shrink in place, and a record has a number below 2^32 that stays while its chunk is being
// compacted.
#pragma once
#include <copse/memory.hpp>
#include <copse/types.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace copse::weighted {

/// `u` and `v` are whatever the ends have been contracted to; `at` is where the edge stands in the input.
template <unsigned_index Id, unsigned_index Position>
struct record {
  std::uint32_t prefix;
  Id u, v;
  Position at;
};

template <class Record>
class record_list {
public:
  static constexpr std::size_t chunk_records = 4096;

  struct chunk {
    Record* first;
    std::size_t size;
  };

  record_list(unsigned threads, std::pmr::memory_resource* memory) : memory_{memory}, hands_(threads) {}
  record_list(const record_list&) = delete;

  /// One thread's place to write. take() ends a chunk; the list is complete after close().
  class hand {
  public:
    /// Room for at least one record.
    [[nodiscard]] Record* next(record_list& list) {
      if (size_ == chunk_records || first_ == nullptr) list.refill(*this);
      return first_ + size_;
    }
    [[nodiscard]] std::size_t room() const noexcept { return chunk_records - size_; }
    void add(std::size_t count) noexcept { size_ += count; }

  private:
    friend record_list;
    Record* first_ = nullptr;
    std::size_t size_ = 0;
    char padding_[48]{};  // a cache line of its own
  };

  [[nodiscard]] hand& hand_of(unsigned thread) noexcept { return hands_[thread]; }

  /// After a loop that appended: everything is in chunks().
  void close() {
    for (hand& h : hands_) {
      if (h.first_ != nullptr && h.size_ != 0) chunks_.push_back({h.first_, h.size_});
      h = hand{};
    }
    recount();
  }
  /// After a loop that shrank chunks: those that are empty go.
  void recount() {
    std::erase_if(chunks_, [](const chunk& c) { return c.size == 0; });
    count_only();
  }
  /// The same, but chunks and so the numbers of records stay.
  void count_only() noexcept {
    size_ = 0;
    for (const chunk& c : chunks_) size_ += c.size;
  }

  [[nodiscard]] std::vector<chunk>& chunks() noexcept { return chunks_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] const Record& operator[](std::size_t number) const noexcept {
    return chunks_[number / chunk_records].first[number % chunk_records];
  }

private:
  void refill(hand& h) {
    const std::lock_guard lock{guard_};
    if (h.first_ != nullptr) chunks_.push_back({h.first_, h.size_});
    if (free_chunks_ == 0) {
      slabs_.emplace_back(slab_chunks_ * chunk_records, memory_);
      free_ = slabs_.back().data();
      free_chunks_ = slab_chunks_;
      slab_chunks_ = std::min<std::size_t>(2 * slab_chunks_, 256);
    }
    h.first_ = free_;
    h.size_ = 0;
    free_ += chunk_records;
    --free_chunks_;
  }

  std::pmr::memory_resource* memory_;
  std::vector<buffer<Record>> slabs_;
  std::vector<chunk> chunks_;
  std::vector<hand> hands_;
  std::mutex guard_;
  Record* free_ = nullptr;
  std::size_t free_chunks_ = 0, slab_chunks_ = 1, size_ = 0;
};

}  // namespace copse::weighted
