// Text cut into blocks of whole lines, or of whole records where a field in quotes may hold line ends, that workers take one after the
// other: of a mapping, or of a stream that the taker itself decompresses, or all takers together where the file has parts that allow it.
// Memory: a few blocks per worker, whatever the size of the file.
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

/// Whole lines or records; only the last line of the file may lack its end.
struct text_block {
  std::uint64_t index = 0;       ///< in file order, without gaps
  std::uint64_t first_line = 0;  ///< number of the first line, from 1 (not kept for a mapping, where line_of counts)
  std::string_view text;
  buffer<char> held;  ///< the bytes behind `text`, unless they are mapped
};

class text_source {
public:
  text_source(const std::filesystem::path& path, const read_request& options);
  text_source(const text_source&) = delete;
  text_source& operator=(const text_source&) = delete;
  ~text_source();

  /// The next block in file order; false at the end. Any thread may call it. Reports progress; throws cancelled when asked to, and
  /// input_error where the compressed bytes are damaged. `block.index` is set even then. `block` may be one used before.
  bool next(text_block& block);
  /// The first `least` bytes of the text (a byte order mark taken off), or all that there are, and whether that is all. Before the first
  /// block only; valid until the next call of a member.
  std::pair<std::string_view, bool> head(std::size_t least);
  /// Passes over the first bytes of the text, whole lines that head() showed.
  void drop(std::size_t bytes);
  /// Lets blocks end where records do. Before the first block only.
  void cut_records(const record_syntax& syntax) { syntax_ = syntax; }
  /// Leaves a part of the text, whole records of it; false, and all of it, where the text is not mapped. Before the first block, after
  /// cut_records() and drop().
  bool keep(part_of_file part);
  /// Leaves nothing.
  void keep_nothing();
  /// Puts blocks back; they come next, the last one put back first. For the lines a reader looks at before its workers start.
  void put_back(text_block block);
  /// Lets the next block have index 0.
  void renumber();

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// Number of the line that `at`, inside `block.text`, lies on. Linear in the file for a mapping: for errors only.
  [[nodiscard]] std::uint64_t line_of(const text_block& block, const char* at) const noexcept;
  /// Number of the last line, once all blocks were taken (for a mapping at any time).
  [[nodiscard]] std::uint64_t last_line() const noexcept;
  /// Bytes of the text; all ones when a stream does not tell.
  [[nodiscard]] std::uint64_t text_bytes() const noexcept { return text_bytes_; }
  /// A part of `block` that outlives it.
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
  bool started_ = false;             // a byte order mark was looked for
  bool ended_ = false;               // nothing is left
  std::uint64_t lines_ = 0;          // in blocks handed out, streams only
  std::size_t at_ = 0;               // in the mapping
  std::size_t end_ = 0;              // end of the part of the mapping that has been read
  std::pmr::string carry_{memory_};  // decompressed, but in no block yet
  bool stream_ended_ = false;
  record_syntax syntax_;  // without quotes: blocks of lines
  std::chrono::steady_clock::time_point reported_ = std::chrono::steady_clock::now();
};

/// Throws `file:line: found X, expected Y` for the line that `at` lies on.
[[noreturn]] void refuse(const text_source& source, const text_block& block, const char* at, std::string_view found,
                         std::string_view expected);

/// Lines one by one, for the head of a file. After the head, `leave` puts the unread rest back, and the blocks are counted from 0.
class line_reader {
public:
  explicit line_reader(text_source& source) noexcept : source_{source} {}
  /// Reads the next line, without its line end; returns false at the end of the file.
  bool next(std::string_view& line);
  [[nodiscard]] const text_block& block() const noexcept { return block_; }
  void leave();
  /// Leaves the block when only a part of its last line was used.
  void leave(std::string_view rest_of_line);

private:
  text_source& source_;
  text_block block_;
  std::string_view rest_;
};

/// What must happen in file order although workers parse blocks side by side: counts and positions that add up from block to block.
/// Turns go to the blocks 0, 1, 2, ... A block that waits has a worker of its own, and those before it are being parsed: no deadlock.
class file_order {
public:
  /// Calls `work` when every block before `index` has had its turn. Throws when one of them failed; that block's own error is the one
  /// that on_blocks reports.
  template <class Work>
  void in_turn(std::uint64_t index, Work work) {
    std::unique_lock lock{guard_};
    changed_.wait(lock, [&] { return turn_ == index || failed_ < index; });
    if (failed_ < index) throw error{"a block before this one failed"};
    work();
    turn_ = index + 1;
    changed_.notify_all();
  }
  /// Block `index` will not take its turn.
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

/// Runs `work()` for block `index`; when it throws, tells the order.
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
