// Cuts a text into blocks of whole lines, or of whole records if quoted fields may hold line ends, which workers take one after the other.
// The text is memory-mapped, or a stream: the worker that takes a block decompresses it, or all workers do so together if the file has
// parts that allow it. Memory: a few blocks per worker, whatever the size of the file.
#pragma once
#include "core/team.hpp"
#include "io/blocks.hpp"
#include "io/part_of_file.hpp"
#include "io/records.hpp"
#include "io/source.hpp"

#include <copse/errors.hpp>
#include <copse/io.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <string>
#include <string_view>

namespace copse::io {

/// A block of whole lines or records; only the last line of a file may lack its line end.
struct text_block {
  std::uint64_t index = 0;       ///< index of the block in file order, without gaps
  std::uint64_t first_line = 0;  ///< number of the first line, from 1 (not set if the text is mapped: line_of() counts then)
  std::string_view text;
  buffer<char> held;  ///< owns the bytes of `text`, unless the file is mapped
};

class text_source {
public:
  text_source(const std::filesystem::path& path, const read_request& options);
  text_source(const text_source&) = delete;
  text_source& operator=(const text_source&) = delete;
  ~text_source();

  /// Gets the next block in file order; returns false at the end. May be called by any thread. Reports progress, throws cancelled if the
  /// observer requests it, and input_error if compressed data are damaged; `block.index` is set even then. The memory of `block` is reused.
  bool next(text_block& block);
  /// Returns the first `least` bytes of the text without a byte order mark, or all of it if it is shorter, and whether that is the whole
  /// text. To be called before the first block is taken; valid until the next call of a member.
  std::pair<std::string_view, bool> head(std::size_t least);
  /// Skips the first bytes of the text, which must be whole lines that head() returned.
  void drop(std::size_t bytes);
  /// Makes blocks end at the ends of records. To be called before the first block is taken.
  void cut_records(const record_syntax& syntax) { syntax_ = syntax; }
  /// Restricts the source to a part of the text, which consists of whole records. If the text is not mapped, does nothing and returns
  /// false. To be called before the first block is taken, after cut_records() and drop().
  bool keep(part_of_file part);
  /// Makes the source empty.
  void keep_nothing();
  /// Puts a block back; blocks that were put back are taken next, the last one first. For lines that a reader reads before its workers
  /// start.
  void put_back(text_block block);
  /// Gives the next block the number 0.
  void renumber();

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// The number of the line that contains `at`, a position in `block.text`. Takes time linear in the size of a mapped file, so it is for
  /// errors only.
  [[nodiscard]] std::uint64_t line_of(const text_block& block, const char* at) const noexcept;
  /// The number of the last line. If the text is not mapped, all blocks must have been taken.
  [[nodiscard]] std::uint64_t last_line() const noexcept;
  /// The size of the text in bytes; all ones if it is not known, as for a stream.
  [[nodiscard]] std::uint64_t text_bytes() const noexcept { return text_bytes_; }
  /// A copy of some lines of `block` that outlives it.
  [[nodiscard]] text_block part(const text_block& block, std::string_view lines) const;

private:
  bool next_mapped(text_block& block);
  bool next_streamed(text_block& block);
  [[nodiscard]] bool read_more(std::pmr::string& text, std::size_t least);
  void start();
  void report();

  std::string name_;
  std::size_t block_bytes_;
  unsigned threads_;
  std::pmr::memory_resource* memory_;
  observer* observer_;
  std::optional<mapped_file> mapping_;
  std::unique_ptr<byte_stream> stream_;
  std::uint64_t total_bytes_ = 0;
  std::uint64_t text_bytes_ = UINT64_MAX;

  std::mutex guard_;  // protects everything below
  std::deque<text_block> returned_;
  std::uint64_t blocks_ = 0;
  bool started_ = false;             // true once a byte order mark was looked for
  bool ended_ = false;               // true if nothing is left to read
  std::uint64_t lines_ = 0;          // number of lines in the blocks so far; for streams only
  std::size_t at_ = 0;               // offset of the next block in the mapping
  std::size_t end_ = 0;              // end of the text to read in the mapping
  std::pmr::string carry_{memory_};  // text of a stream that is in no block yet
  bool stream_ended_ = false;
  record_syntax syntax_;  // the default has no quotes, so that blocks consist of lines
  std::chrono::steady_clock::time_point reported_ = std::chrono::steady_clock::now();
};

/// Throws `file:line: found X, expected Y` for the line that contains `at`.
[[noreturn]] void refuse(const text_source& source, const text_block& block, const char* at, std::string_view found,
                         std::string_view expected);

/// Reads the lines at the head of a file one by one. After that, leave() puts the unread rest back, and blocks are numbered from 0.
class line_reader {
public:
  explicit line_reader(text_source& source) noexcept : source_{source} {}
  /// Reads the next line, without its line end; returns false at the end of the file.
  bool next(std::string_view& line);
  [[nodiscard]] const text_block& block() const noexcept { return block_; }
  void leave();
  /// Puts the text from `rest_of_line` on, an unread end of the last line, back into the source; blocks are then numbered from 0.
  void leave(std::string_view rest_of_line);

private:
  text_source& source_;
  text_block block_;
  std::string_view rest_;
};

/// Runs code in file order while workers parse blocks concurrently: for counts and positions that add up from block to block. Blocks 0, 1,
/// 2, ... get their turns in this order. There is no deadlock, because each waiting block has its own worker, and all blocks before it are
/// being parsed.
class file_order {
public:
  /// Waits until all blocks before `index` have had their turn, and then calls `work`. If one of them failed, throws an error instead,
  /// which on_blocks() drops in favour of the error of the failed block.
  template <class Work>
  void in_turn(std::uint64_t index, Work work) {
    std::unique_lock lock{guard_};
    changed_.wait(lock, [&] { return turn_ == index || failed_ < index; });
    if (failed_ < index) throw error{"a block before this one failed"};
    work();
    turn_ = index + 1;
    changed_.notify_all();
  }
  /// Notes that block `index` failed: in_turn() then throws for all blocks after it instead of waiting for it.
  void fail(std::uint64_t index) {
    const std::lock_guard lock{guard_};
    if (index < failed_) failed_ = index;
    changed_.notify_all();
  }

private:
  std::mutex guard_;
  std::condition_variable changed_;
  std::uint64_t turn_ = 0;
  std::uint64_t failed_ = UINT64_MAX;
};

/// Runs `work()` for block `index`; if it throws, tells `order` that the block failed.
template <class Work>
void or_fail(file_order& order, std::uint64_t index, Work work) {
  try {
    work();
  } catch (...) {
    order.fail(index);
    throw;
  }
}

}  // namespace copse::io
