// Lines made by many threads, and written in their order: what one thread formats while another writes costs no time. A thread that has
// made its lines waits until those before have been written; the one whose turn it is never waits, so there is no deadlock, and one thread
// does both in turn.
#pragma once
#include "core/parallel.hpp"
#include "io/text_writer.hpp"

#include <copse/io.hpp>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <string>

namespace copse::io {

/// Calls `make(begin, end, out)` for consecutive ranges of [0, count), by `threads` threads at once. The error that comes out is that of
/// the first range that failed; nothing behind it is written.
template <class Make>
void write_lines_in_order(output_file& file, unsigned threads, std::uint64_t count, write_progress& progress, Make make) {
  constexpr std::uint64_t range = std::uint64_t{1} << 15;
  const std::uint64_t ranges = (count + range - 1) / range;
  std::atomic<std::uint64_t> next{0};
  std::mutex guard;
  std::condition_variable moved_on;
  std::uint64_t turn = 0;  // the range to be written next; beyond all after an error
  on_workers(static_cast<unsigned>(std::clamp<std::uint64_t>(ranges, 1, threads)), [&](unsigned) {
    std::string text;
    text_writer out{text};
    for (std::uint64_t r = next.fetch_add(1); r < ranges; r = next.fetch_add(1)) {
      std::exception_ptr error;
      try {
        make(r * range, std::min(count, (r + 1) * range), out);
        out.flush();
      } catch (...) {
        error = std::current_exception();
      }
      std::unique_lock lock{guard};
      moved_on.wait(lock, [&] { return turn >= r; });
      if (turn > r) return;  // an earlier range has failed
      try {
        if (error) std::rethrow_exception(error);
        progress.at(r * range);
        file.write(text.data(), text.size());
        turn = r + 1;
      } catch (...) {
        turn = UINT64_MAX;
        moved_on.notify_all();
        throw;
      }
      moved_on.notify_all();
      text.clear();
    }
  });
}

}  // namespace copse::io
