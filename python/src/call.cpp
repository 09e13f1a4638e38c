#include "call.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <string_view>

namespace copse::python {

void watch::progress(std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view unit) {
  if (callback_.is_none()) return;
  const std::lock_guard lock{mutex_};
  position_ = position{std::string{stage}, std::string{unit}, done, total};
}

void watch::note(std::string_view text) {
  const std::lock_guard lock{mutex_};
  // Each note is kept once: an input may be read twice, which gives the same notes again.
  if (std::find(notes_.begin(), notes_.end(), text) == notes_.end()) notes_.emplace_back(text);
}

bool watch::cancel_requested() const noexcept {
  // All threads of the library call this through a const reference. Only the thread of the caller calls look(), so its data is not shared.
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

namespace {

/// Returns the note without numbers and quoted texts, which is equal for all notes of one kind.
std::string kind_of(std::string_view note) {
  std::string kind;
  char quote = '\0', before = ' ';
  for (const char c : note) {
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if ((c == '"' || c == '\'') && (before == ' ' || before == '(')) {
      quote = c;
    } else if (c < '0' || c > '9') {
      kind += c;
    }
    before = c;
  }
  return kind;
}

}  // namespace

std::string in_python(std::string_view text) {
  // The text may have the name of a file, whose bytes need not be UTF-8.
  PyObject* decoded = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "backslashreplace");
  if (decoded == nullptr) throw nb::python_error{};
  return nb::cast<std::string>(nb::module_::import_("copse._texts").attr("in_python")(nb::steal(decoded)));
}

void watch::warn() {
  const std::size_t first = std::exchange(finished_notes_, notes_.size());
  for (std::size_t i = first; i < notes_.size(); ++i) notes_[i] = in_python(notes_[i]);
  for (std::size_t i = first; i < notes_.size(); ++i) {
    if (warned_.insert(kind_of(notes_[i])).second) nb::module_::import_("copse._texts").attr("warn")(notes_[i]);
  }
}

void watch::finish() {
  if (raised_) throw nb::python_error{std::move(*raised_)};
  tell();
  warn();
}

}  // namespace copse::python
