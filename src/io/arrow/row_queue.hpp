// Distributes the rows of a table to several workers. A worker reads the next batch of a part while few rows are waiting, and otherwise
// takes a piece of a batch that was read. So parts are read concurrently and ahead of the work, and even a table of one large batch is
// shared among the workers.
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

/// Consecutive rows of a table: their stream, and the number of the first row.
using table_part = std::pair<arrow_stream*, std::uint64_t>;

class row_queue {
public:
  /// `parts` are in the order of their rows, and have one schema. A single part is read by worker 0 only, because its library may need the
  /// thread that created the stream; if there are several, each may be read by any worker whose number is below readers().
  row_queue(const std::vector<table_part>& parts, const row_rules& rules, unsigned workers, observer& watcher);

  /// Reads from the first part as many rows as one worker takes at a time, and returns true if there may be rows for other workers, too. To
  /// be called before serve().
  bool is_for_several();

  /// Workers with an index below this number read; all others only process rows.
  [[nodiscard]] unsigned readers() const noexcept { return readers_; }

  /// Calls work(batch, begin, end) for pieces of batches until no rows are left or a worker has failed. To be called once by each worker,
  /// concurrently or one after the other.
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

  /// Throws the fault of the first wrong row, or another failure, if there was one. To be called after all workers have served.
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
  // The functions below must be called with the mutex locked.
  [[nodiscard]] part_state* next_part(unsigned worker);
  void read(part_state& part, std::unique_lock<std::mutex>& lock);
  /// Takes the next rows that wait to be processed: a range of rows of one batch. The batch is null if no rows are waiting.
  [[nodiscard]] piece next_piece();
  [[nodiscard]] bool is_over() const;
  void wait(unsigned worker, std::unique_lock<std::mutex>& lock);
  void fail(const std::exception_ptr& failure);

  const row_rules* rules_;
  observer* watcher_;
  std::size_t ahead_;  ///< no further batch is read while this many batches wait to be processed
  /// workers below this index read; the others do not, as each reader takes memory, and reading is only 30 % of the work
  unsigned readers_;
  std::mutex mutex_;
  std::condition_variable changed_;  ///< notified when rows arrive, and when a part or the whole table ends
  std::vector<part_state> parts_;
  std::size_t first_open_part_ = 0;  ///< all parts (row groups or record batches) before this one were read to the end
  std::deque<waiting_batch> waiting_;
  std::exception_ptr failure_;
  std::uint64_t end_row_ = UINT64_MAX;  ///< rows from this one on are not processed: the first wrong row so far, or 0 after another failure
};

}  // namespace copse::arrow
