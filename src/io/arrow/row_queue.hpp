// Rows of a table for several workers: each reads the next batch of some part of the table while few rows wait, and otherwise takes a piece
// of a batch that was read. So parts are read concurrently and ahead of the work, and a batch that is one long column is still shared.
#pragma once
#include <copse/errors.hpp>
#include <copse/execution.hpp>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "io/arrow/rows.hpp"

namespace copse::arrow {

/// Consecutive rows of a table: a stream, and where they begin.
using table_part = std::pair<arrow_stream*, std::uint64_t>;

class row_queue {
public:
  /// Parts in the order of their rows, of one schema. One part alone is read by worker 0 only, as its library may ask for the thread that
  /// made it; several are read by any.
  row_queue(const std::vector<table_part>& parts, const row_rules& rules, unsigned workers, observer& watcher);

  /// Called before serve(): reads until there is a piece for a worker, and returns true if other workers would find work, too.
  bool is_for_several();

  /// Workers below read, all others take rows.
  [[nodiscard]] unsigned readers() const noexcept { return readers_; }

  /// Calls work(batch, begin, end) for rows of a batch again and again, until nothing is left or a worker has failed. To be called once by
  /// each worker, each on a thread of its own or one after the other.
  template <class Work>
  void serve(unsigned worker, Work work) {
    std::unique_lock lock{mutex_};
    for (;;) {
      if (part_state* const part = next_part(worker)) {
        read(*part, lock);
      } else if (piece mine = next_piece(); mine.batch != nullptr) {
        lock.unlock();
        std::exception_ptr failure;
        try {
          expect_no_cancel();
          work(*mine.batch, mine.begin, mine.end);
        } catch (...) {
          failure = std::current_exception();
        }
        mine.batch.reset();
        lock.lock();
        if (failure) fail(failure);
      } else if (is_over()) {
        return;
      } else {
        wait(worker, lock);
      }
    }
  }

  /// Called after all workers have served: throws the fault of the first wrong row, or another failure.
  void finish() const {
    if (failure_) std::rethrow_exception(failure_);
  }

private:
  struct part_state {
    arrow_stream* stream;
    std::uint64_t next_row;
    bool read_now = false, ended = false;
  };
  struct waiting_batch {
    std::shared_ptr<const open_batch> batch;
    std::int64_t next;
  };
  struct piece {
    std::shared_ptr<const open_batch> batch;
    std::int64_t begin = 0, end = 0;
  };

  static constexpr std::int64_t rows_of_piece = std::int64_t{1} << 14;
  static constexpr std::chrono::milliseconds between_looks{20};

  void expect_no_cancel() const {
    if (watcher_->cancel_requested()) throw cancelled{};
  }
  // The functions below are called with the lock.
  [[nodiscard]] part_state* next_part(unsigned worker);
  void read(part_state& part, std::unique_lock<std::mutex>& lock);
  /// Takes the next piece; it has no batch if no rows wait.
  [[nodiscard]] piece next_piece();
  [[nodiscard]] bool is_over() const;
  void wait(unsigned worker, std::unique_lock<std::mutex>& lock);
  void fail(const std::exception_ptr& failure);

  const row_rules* rules_;
  observer* watcher_;
  std::size_t ahead_;  ///< no batch is begun while as many wait
  unsigned readers_;   ///< workers below read; not all of them: each takes memory for it, and it is 0.3 of the work
  std::mutex mutex_;
  std::condition_variable changed_;  ///< there are rows, or a part or all has ended
  std::vector<part_state> parts_;
  std::size_t first_open_part_ = 0;  ///< those before have ended
  std::deque<waiting_batch> waiting_;
  std::exception_ptr failure_;
  std::uint64_t end_row_ = UINT64_MAX;  ///< rows from here on are of no interest, as the one before is wrong
};

}  // namespace copse::arrow
