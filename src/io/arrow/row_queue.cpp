#include "io/arrow/row_queue.hpp"

#include <copse/errors.hpp>

#include <algorithm>

namespace copse::arrow {

row_queue::row_queue(const std::vector<table_part>& parts, const row_rules& rules, unsigned workers, observer& watcher)
    : rules_{&rules}, watcher_{&watcher}, ahead_{workers > 1 ? 2u : 1u}, readers_{parts.size() == 1 ? 1 : (3 * workers + 8) / 10} {
  for (const auto& [stream, first_row] : parts) parts_.push_back({stream, first_row});
}

bool row_queue::is_for_several() {
  std::unique_lock lock{mutex_};
  part_state& first = parts_.front();
  const auto rows = [&first, begin = first.next_row] { return static_cast<std::int64_t>(first.next_row - begin); };
  while (!first.ended && rows() < rows_of_piece) read(first, lock);
  return rows() > rows_of_piece || !is_over();
}

// Chooses the first part of the table (such as a row group) that has rows left and that no worker reads now. As parts are begun in order,
// few of them are open at a time.
row_queue::part_state* row_queue::next_part(unsigned worker) {
  if (waiting_.size() >= ahead_ || worker >= readers_) return nullptr;
  while (first_open_part_ < parts_.size() && parts_[first_open_part_].ended) ++first_open_part_;
  const auto free = std::find_if(parts_.begin() + static_cast<std::ptrdiff_t>(first_open_part_), parts_.end(),
                                 [](const part_state& part) { return !part.read_now && !part.ended; });
  return free == parts_.end() ? nullptr : &*free;
}

void row_queue::read(part_state& part, std::unique_lock<std::mutex>& lock) {
  part.read_now = true;
  lock.unlock();
  std::shared_ptr<const open_batch> batch;
  std::exception_ptr failure;
  try {
    expect_no_cancel();
    if (arrow_owner<ArrowArray> next = part.stream->next()) {
      batch = std::make_shared<const open_batch>(*rules_, std::move(next), part.next_row);
    }
  } catch (const row_error&) {
    failure = std::current_exception();
  } catch (const input_error& error) {
    failure = std::make_exception_ptr(row_error{part.next_row, rules_->address(part.next_row).source + error.what()});
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  part.read_now = false;
  if (batch != nullptr && batch->rows() != 0 && part.next_row < end_row_) waiting_.push_back({batch, 0});
  if (batch != nullptr) part.next_row += static_cast<std::uint64_t>(batch->rows());
  part.ended = batch == nullptr || part.next_row >= end_row_;
  if (failure) fail(failure);
  changed_.notify_all();
}

row_queue::piece row_queue::next_piece() {
  if (waiting_.empty()) return {};
  waiting_batch& first = waiting_.front();
  const std::int64_t begin = first.next, end = std::min(begin + rows_of_piece, first.batch->rows());
  if (end < first.batch->rows()) {
    first.next = end;
    return piece{first.batch, begin, end};
  }
  piece last{std::move(first.batch), begin, end};
  waiting_.pop_front();
  return last;
}

bool row_queue::is_over() const {
  return std::all_of(parts_.begin() + static_cast<std::ptrdiff_t>(first_open_part_), parts_.end(),
                     [](const part_state& part) { return part.ended; });
}

void row_queue::wait(unsigned worker, std::unique_lock<std::mutex>& lock) {
  if (worker != 0) {
    changed_.wait(lock);
    return;
  }
  // Worker 0 is the caller's thread, which checks for cancellation, so it waits for a limited time only.
  changed_.wait_for(lock, between_looks);
  lock.unlock();
  const bool cancel = watcher_->cancel_requested();
  lock.lock();
  if (cancel) fail(std::make_exception_ptr(cancelled{}));
}

// Stops the processing of the wrong row and of all rows after it, or of all rows if the failure is not that of a row. Rows before a wrong
// one are still processed, because the first wrong row of the table is to be reported, whatever the number of workers.
void row_queue::fail(const std::exception_ptr& failure) {
  std::uint64_t row = 0;
  try {
    std::rethrow_exception(failure);
  } catch (const row_error& error) {
    row = error.row();
  } catch (...) {
  }
  if (failure_ && row >= end_row_) return;
  failure_ = failure;
  end_row_ = row;
  std::erase_if(waiting_, [row](const waiting_batch& w) { return w.batch->first_row + static_cast<std::uint64_t>(w.next) >= row; });
  for (part_state& part : parts_) part.ended |= part.next_row >= row;
  changed_.notify_all();
}

}  // namespace copse::arrow
