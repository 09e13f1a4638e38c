#include "call.hpp"

#include <nanobind/stl/string.h>

#include <string_view>

namespace copse::python {

void watch::progress(std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view unit) {
  if (callback_.is_none()) return;
  const std::lock_guard lock{mutex_};
  position_ = position{std::string{stage}, std::string{unit}, done, total};
}

bool watch::cancel_requested() const noexcept {
  // The library asks from all its threads through a const reference; only the caller's own thread goes on, so nothing here is shared.
  if (std::this_thread::get_id() == caller_) const_cast<watch*>(this)->look();
  return stopped_.load(std::memory_order_relaxed);
}

void watch::look() noexcept {
  const auto now = clock::now();
  if (now < next_look_ || raised_) return;
  next_look_ = now + interval;
  const nb::gil_scoped_acquire locked;
  try {
    if (PyErr_CheckSignals() != 0) throw nb::python_error{};
    tell();
  } catch (nb::python_error& error) {
    raised_.emplace(std::move(error));
    stopped_.store(true, std::memory_order_relaxed);
  }
}

void watch::tell() {
  std::optional<position> now;
  {
    const std::lock_guard lock{mutex_};
    now.swap(position_);
  }
  if (now) callback_(now->stage, now->done, now->total, now->unit);
}

void watch::finish() {
  if (raised_) throw nb::python_error{std::move(*raised_)};
  tell();
}

}  // namespace copse::python
