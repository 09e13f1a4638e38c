// Lines made by many threads, and written in their order by one thread at a time. A thread hands in what it has made; if nobody writes and
// its turn has come, it writes, and then all that others have handed in behind it, while they go on making lines: nobody is woken for a
// turn. A thread that is far ahead of what is written waits, which bounds the memory; the one who writes never waits, so there is no
// deadlock, and one thread does both in turn.
#pragma once
#include "core/team.hpp"
#include "io/text_writer.hpp"

#include <copse/io.hpp>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace copse::io {

namespace detail {

/// Texts handed in by number, written in order. All members but the writing itself are behind one lock.
class ordered_texts {
public:
  /// At most twice `half` texts wait to be written.
  explicit ordered_texts(std::size_t half) : waiting_(2 * half) {}

  /// Takes the text (or the error that came instead) of `number`, and leaves an empty one. Calls `write(number, text)` for all whose turn
  /// has come, unless another thread is about to. Throws what `write` throws, or the error of a text whose turn has come. False: another
  /// thread has thrown.
  template <class Write>
  bool hand_in(std::uint64_t number, std::string& text, std::exception_ptr error, Write write) {
    std::unique_lock lock{guard_};
    moved_on_.wait(lock, [&] { return number < turn_ + waiting_.size() || failed_; });
    if (failed_) return false;
    entry& place = waiting_[number % waiting_.size()];
    std::swap(place.text, text);
    text.clear();
    place.error = std::move(error);
    place.ready = true;
    if (writing_) return true;
    writing_ = true;
    try {
      write_ready(lock, write);
    } catch (...) {
      if (!lock.owns_lock()) lock.lock();
      failed_ = true;
      moved_on_.notify_all();
      throw;
    }
    writing_ = false;
    return true;
  }

private:
  struct entry {
    std::string text;
    std::exception_ptr error;
    bool ready = false;
  };

  // Its place stays taken while a text is written without the lock: turn_ moves on after that.
  template <class Write>
  void write_ready(std::unique_lock<std::mutex>& lock, Write write) {
    for (;;) {
      entry& first = waiting_[turn_ % waiting_.size()];
      if (!first.ready) break;
      if (first.error) std::rethrow_exception(first.error);
      lock.unlock();
      write(turn_, first.text);
      lock.lock();
      first.ready = false;
      ++turn_;
      if (turn_ % (waiting_.size() / 2) == 0) moved_on_.notify_all();  // to wake the others at each text would hold up who writes
    }
    moved_on_.notify_all();
  }

  std::mutex guard_;
  std::condition_variable moved_on_;
  std::uint64_t turn_ = 0;  // the number to be written next; only who writes changes it
  bool writing_ = false, failed_ = false;
  std::vector<entry> waiting_;  // that of a number is at its remainder
};

}  // namespace detail

/// Calls `make(begin, end, out)` for consecutive ranges of [0, count), by `threads` threads at once. The error that comes out is that of
/// the first range that failed; nothing behind it is written.
template <class Make>
void write_lines_in_order(output_file& file, unsigned threads, std::uint64_t count, write_progress& progress, Make make) {
  constexpr std::uint64_t range = std::uint64_t{1} << 14;
  const std::uint64_t ranges = (count + range - 1) / range;
  const auto workers = static_cast<unsigned>(std::clamp<std::uint64_t>(ranges, 1, threads));
  std::atomic<std::uint64_t> next{0};
  detail::ordered_texts texts{workers};
  on_workers(workers, [&](unsigned) {
    std::string text;
    text_writer out{text};
    std::size_t longest = 0;
    for (std::uint64_t r = next.fetch_add(1); r < ranges; r = next.fetch_add(1)) {
      std::exception_ptr error;
      try {
        text.reserve(longest);  // the next is about as long; to grow is to copy
        make(r * range, std::min(count, (r + 1) * range), out);
        out.flush();
        longest = std::max(longest, text.size() + text.size() / 16);
      } catch (...) {
        error = std::current_exception();
      }
      const bool going_on = texts.hand_in(r, text, error, [&](std::uint64_t number, const std::string& lines) {
        progress.at(number * range);
        file.write(lines.data(), lines.size());
      });
      if (!going_on || error) return;
    }
  });
}

}  // namespace copse::io
