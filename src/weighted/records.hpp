// Edges that are candidates for a forest: 16 bytes each (24 if positions need 64 bits, 32 if ids do), in chunks of one size, so that
// threads append without waiting, lists shrink in place, and a record has a number below 2^32 that stays valid while its chunk is being
// compacted.
#pragma once
#include <copse/memory.hpp>
#include <copse/types.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

namespace copse::weighted {

/// An edge. `u` and `v` are its ends, or the trees to which these have been contracted; `at` is its position in the input.
template <unsigned_index Id, unsigned_index Position>
struct record {
  std::uint32_t prefix;
  Id u, v;
  Position at;
};

/// Replaces the ends of records by their numbers, for example those of trees, removes the records whose ends have one number, and returns
/// how many are left. There is no branch, because it would be unpredictable, and so that several loads are in flight at once.
template <class Record, unsigned_index Id>
std::size_t renumber(Record* records, std::size_t size, const Id* number) noexcept {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < size; ++i) {
    Record r = records[i];
    r.u = number[r.u];
    r.v = number[r.v];
    records[kept] = r;
    kept += r.u != r.v ? 1 : 0;
  }
  return kept;
}

template <class Record>
class record_list {
  using id = decltype(Record::u);

public:
  static constexpr std::size_t chunk_records = 4096;

  struct chunk {
    Record* first;
    std::size_t size;
  };

  /// `number`: null, or the tree of each vertex, by which renumber() replaces the ends of appended records. It takes many records at once,
  /// so that their cache misses overlap.
  record_list(unsigned threads, std::pmr::memory_resource* memory, const id* number = nullptr)
      : memory_{memory}, number_{number}, hands_(threads) {}
  record_list(const record_list&) = delete;

  /// The chunk of the list to which one thread appends. Its records are not among chunks() before close() or before the chunk is full.
  class hand {
  public:
    /// Returns room for at least one record.
    [[nodiscard]] Record* next(record_list& list) {
      if (size_ == chunk_records || first_ == nullptr) list.make_room(*this);
      return first_ + size_;
    }
    [[nodiscard]] std::size_t room() const noexcept { return chunk_records - size_; }
    void add(std::size_t count) noexcept { size_ += count; }

  private:
    friend record_list;
    Record* first_ = nullptr;
    std::size_t size_ = 0, renumbered_ = 0;
    Record* spare_ = nullptr;  // unused chunks behind the current one
    std::size_t spare_chunks_ = 0;
    char padding_[24]{};  // fills the cache line, so that threads do not share one
  };

  [[nodiscard]] hand& hand_of(unsigned thread) noexcept { return hands_[thread]; }

  /// Ends a loop that appended: afterwards chunks() has all records.
  template <class Backend>
  void close(const Backend& loops) {
    if (number_ != nullptr) loops.for_chunks(hands_.size(), 1, [this](std::size_t h, std::size_t) { renumber_last(hands_[h]); });
    for (hand& h : hands_) {
      if (h.first_ != nullptr && h.size_ != 0) chunks_.push_back({h.first_, h.size_});
      h = hand{};
    }
    recount();
  }
  /// Ends a loop that shrank chunks: removes empty chunks and counts the records.
  void recount() {
    std::erase_if(chunks_, [](const chunk& c) { return c.size == 0; });
    count_only();
  }
  /// Counts the records without removing empty chunks, so that the numbers of records stay valid.
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
  /// If renumber() leaves more records than this in a full chunk, the thread goes on with a new chunk; otherwise it appends to this one.
  static constexpr std::size_t enough_records = chunk_records / 4 * 3;

  void make_room(hand& h) {
    if (number_ != nullptr) renumber_last(h);
    if (h.first_ == nullptr || h.size_ > enough_records) refill(h);
  }

  /// Calls renumber() for the records that were appended to the chunk of `h` since the last call.
  void renumber_last(hand& h) noexcept { h.size_ = h.renumbered_ += renumber(h.first_ + h.renumbered_, h.size_ - h.renumbered_, number_); }

  void refill(hand& h) {
    const std::lock_guard lock{guard_};
    if (h.first_ != nullptr) chunks_.push_back({h.first_, h.size_});
    if (h.spare_chunks_ == 0) take_spare(h);
    h.first_ = h.spare_;
    h.size_ = h.renumbered_ = 0;
    h.spare_ += chunk_records;
    --h.spare_chunks_;
  }

  /// Gives a thread unused chunks of the last slab, which is memory for many chunks. Of a large slab it gets a whole page of 2 MiB: if
  /// several threads touch a new page at the same time, the system clears a page for each of them, and drops all but one.
  void take_spare(hand& h) {
    constexpr std::size_t chunks_in_page = std::max<std::size_t>(1, (std::size_t{2} << 20) / (chunk_records * sizeof(Record)));
    if (free_chunks_ == 0) {
      slabs_.emplace_back(slab_chunks_ * chunk_records, memory_);
      free_ = slabs_.back().data();
      free_chunks_ = slab_chunks_;
      spare_chunks_ = std::clamp<std::size_t>(slab_chunks_ / hands_.size(), 1, chunks_in_page);
      slab_chunks_ = std::min<std::size_t>(2 * slab_chunks_, 512);
    }
    h.spare_ = free_;
    h.spare_chunks_ = std::min(spare_chunks_, free_chunks_);
    free_ += h.spare_chunks_ * chunk_records;
    free_chunks_ -= h.spare_chunks_;
  }

  std::pmr::memory_resource* memory_;
  const id* number_;
  std::vector<buffer<Record>> slabs_;
  std::vector<chunk> chunks_;
  std::vector<hand> hands_;
  std::mutex guard_;
  Record* free_ = nullptr;
  std::size_t free_chunks_ = 0, spare_chunks_ = 1, slab_chunks_ = 1, size_ = 0;
};

// The records are sorted in the order of edges: by a radix sort of prefixes, less the smallest, from the lowest digit up, in pieces that
// threads count and then distribute; records of equal prefix are then sorted by comparison. O(records) work for each digit of up to 11
// bits.

/// Makes one stable pass of a radix sort, by the digit at `shift` of prefix - low. `counts`: scratch memory.
template <class Backend, class Record>
void deal_out(const Backend& loops, std::span<const Record> from, std::span<Record> to, unsigned shift, unsigned bits, std::size_t piece,
              std::vector<std::size_t>& counts, std::uint32_t low = 0) {
  const std::size_t digits = std::size_t{1} << bits, pieces = (from.size() + piece - 1) / piece;
  const auto digit = [low, shift, digits](const Record& r) { return ((r.prefix - low) >> shift) & (digits - 1); };
  counts.assign(pieces * digits, 0);
  loops.for_chunks(from.size(), piece, [&](std::size_t begin, std::size_t end) {
    std::size_t* const mine = counts.data() + begin / piece * digits;
    for (std::size_t i = begin; i < end; ++i) ++mine[digit(from[i])];
  });
  std::size_t sum = 0;
  for (std::size_t d = 0; d < digits; ++d) {
    for (std::size_t p = 0; p < pieces; ++p) sum += std::exchange(counts[p * digits + d], sum);
  }
  loops.for_chunks(from.size(), piece, [&](std::size_t begin, std::size_t end) {
    std::size_t* const mine = counts.data() + begin / piece * digits;
    for (std::size_t i = begin; i < end; ++i) to[mine[digit(from[i])]++] = from[i];
  });
}

/// Sorts runs of equal prefixes by before(a, b), which compares positions. Each run is the work of the thread that has its first record: a
/// first loop finds where runs begin, as no thread may read a record that another thread moves.
template <class Backend, class Record, class Before>
void order_runs(const Backend& loops, std::span<Record> sorted, Before before) {
  constexpr std::size_t none = SIZE_MAX, least = 4096;
  const std::size_t count = sorted.size(), piece = std::max(least, count / (std::size_t{4} * loops.threads()) + 1);
  // for each piece, the position of the first record whose prefix differs from that of the record before; none if there is no such record
  std::vector<std::size_t> begins((count + piece - 1) / piece + 1, count);
  loops.for_chunks(count, piece, [&](std::size_t begin, std::size_t end) {
    std::size_t at = begin;
    while (at > 0 && at < end && sorted[at].prefix == sorted[at - 1].prefix) ++at;
    begins[begin / piece] = at < end ? at : none;
  });
  for (std::size_t p = begins.size() - 1; p-- > 0;) {
    if (begins[p] == none) begins[p] = begins[p + 1];
  }
  loops.for_chunks(count, piece, [&](std::size_t begin, std::size_t) {
    const std::size_t last = begins[begin / piece + 1];
    for (std::size_t i = begins[begin / piece]; i < last;) {
      std::size_t j = i + 1;
      while (j < last && sorted[j].prefix == sorted[i].prefix) ++j;
      if (j - i > 1) std::sort(&sorted[i], &sorted[i] + (j - i), [&](const Record& a, const Record& b) { return before(a.at, b.at); });
      i = j;
    }
  });
}

template <class Backend, class Source>
buffer<typename Source::record_type> sorted_records(const Backend& loops, record_list<typename Source::record_type>& list,
                                                    const Source& source, std::pmr::memory_resource* memory) {
  using record_type = typename Source::record_type;
  constexpr unsigned digit_bits = 11;
  const std::size_t count = list.size();
  buffer<record_type> records{count, memory}, other;
  auto& chunks = list.chunks();
  std::vector<std::size_t> begins(chunks.size());
  for (std::size_t c = 1; c < chunks.size(); ++c) begins[c] = begins[c - 1] + chunks[c - 1].size;
  struct range {
    std::uint32_t low = UINT32_MAX, high = 0;
    void add(std::uint32_t least, std::uint32_t most) {
      low = std::min(low, least);
      high = std::max(high, most);
    }
  };
  std::vector<range> ranges(chunks.size());  // the smallest and the largest prefix (upper bits of a weight) in each chunk
  loops.for_chunks(chunks.size(), 1, [&](std::size_t c, std::size_t) {
    range own;
    for (std::size_t i = 0; i < chunks[c].size; ++i) {
      const record_type& r = records[begins[c] + i] = chunks[c].first[i];
      own.add(r.prefix, r.prefix);
    }
    ranges[c] = own;
  });
  constexpr std::size_t few = 2048;
  if (count <= few) {
    std::sort(records.begin(), records.end(), [&source](const record_type& a, const record_type& b) {
      return a.prefix != b.prefix ? a.prefix < b.prefix : source.before(a.at, b.at);
    });
    return records;
  }
  range all;
  for (const range& r : ranges) all.add(r.low, r.high);
  if (const unsigned bits = static_cast<unsigned>(std::bit_width(all.high - all.low)); bits != 0) {
    other = buffer<record_type>{count, memory};
    const unsigned passes = (bits + digit_bits - 1) / digit_bits, width = (bits + passes - 1) / passes;
    const std::size_t pieces = loops.threads() == 1 ? 1 : std::min<std::size_t>(std::size_t{2} * loops.threads(), count / few + 1);
    const std::size_t piece = (count + pieces - 1) / pieces;
    std::vector<std::size_t> counts;
    for (unsigned pass = 0; pass < passes; ++pass) {
      deal_out(loops, std::as_const(records).span(), other.span(), pass * width, width, piece, counts, all.low);
      std::swap(records, other);
    }
  }
  order_runs(loops, records.span(), [&source](std::size_t a, std::size_t b) { return source.before(a, b); });
  return records;
}

}  // namespace copse::weighted
