// The boundary between C and C++: the options of a call, its arrays, and exceptions as status codes.
#pragma once
#include <copse.h>
#include <copse/errors.hpp>
#include <copse/execution.hpp>
#include <copse/memory.hpp>
#include <copse/options.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace copse::c {

/// Copies a structure of a caller that begins with its size; fields that the caller's version does not have keep their defaults. Throws
/// usage_error for an impossible size, and for fields that are set but unknown to this version of the library.
template <class Structure>
Structure sized(const Structure* given, const Structure& defaults, const char* name) {
  if (given == nullptr) return defaults;
  const std::size_t size = given->size;
  constexpr std::size_t largest = 4096;  // a larger size means that the structure was not initialised
  const auto refuse = [&](const char* expected) {
    throw usage_error{std::string{name} + ": found the size " + std::to_string(size) + ", expected " + expected};
  };
  if (size < sizeof size || size > largest) refuse("that of the structure: initialise it by its macro");
  const auto* bytes = reinterpret_cast<const unsigned char*>(given);
  for (std::size_t i = sizeof(Structure); i < size; ++i) {
    if (bytes[i] != 0) refuse("no fields that a later version has");
  }
  Structure known = defaults;
  std::memcpy(static_cast<void*>(&known), bytes, std::min(size, sizeof known));
  return known;
}

/// Passes progress and notes of the library to the callbacks of a caller, and asks them whether to cancel.
class callback_observer final : public observer {
public:
  explicit callback_observer(const copse_options& options) noexcept : options_{options} {}

  void progress(std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view unit) override;
  void note(std::string_view text) override;
  [[nodiscard]] bool cancel_requested() const noexcept override {
    return options_.cancel != nullptr && options_.cancel(options_.context) != 0;
  }

private:
  copse_options options_;
};

/// The options of one call, or of all calls on a handle. The object cannot be moved, because objects made with it point to it.
class caller_options {
public:
  explicit caller_options(const copse_options* options);
  caller_options(const caller_options&) = delete;
  caller_options& operator=(const caller_options&) = delete;

  [[nodiscard]] const execution& on() const noexcept { return on_; }
  [[nodiscard]] const solve_options& solve() const noexcept { return solve_; }
  [[nodiscard]] observer& watcher() noexcept { return observer_; }
  /// Throws usage_error unless the variant is auto and the device cpu or auto, because `what` (named in the message) has only one method,
  /// on the CPU.
  void expect_no_choice(const std::string& what) const;

private:
  callback_observer observer_;
  std::unique_ptr<tracked_memory> memory_;  ///< set if there is a memory limit
  solve_options solve_;
  execution on_;
};

/// Returns the status code for the exception that is being handled, and copies its text to `error`.
copse_status failure(copse_error* error) noexcept;
copse_status success(copse_error* error) noexcept;

/// Runs body() and converts an exception to a status code.
template <class Body>
copse_status guarded(copse_error* error, Body&& body) noexcept {
  try {
    std::forward<Body>(body)();
    return success(error);
  } catch (...) {
    return failure(error);
  }
}

/// Returns the object. Throws usage_error for a null pointer.
template <class T>
T& expect_given(T* pointer, const char* name) {
  if (pointer == nullptr) throw usage_error{std::string{name} + " must not be NULL"};
  return *pointer;
}

/// Stores the handle that make() returns in a unique_ptr at `to`. If make() throws, the caller's handle is null.
template <class Handle, class Make>
copse_status made(Handle** to, const char* name, copse_error* error, Make&& make) noexcept {
  if (to != nullptr) *to = nullptr;
  return guarded(error, [&] {
    Handle*& handle = expect_given(to, name);  // checked before make() creates a handle
    handle = make().release();
  });
}

/// A view of an array of the caller. Throws usage_error for a null pointer with a count other than 0, and for a count that exceeds any
/// memory.
template <class T>
std::span<T> array_of(T* first, std::uint64_t count, const char* name) {
  if (first == nullptr && count != 0) {
    throw usage_error{std::string{name} + " must not be NULL for a count of " + std::to_string(count)};
  }
  if (count > PTRDIFF_MAX / sizeof(T))
    throw usage_error{std::string{name} + " cannot have " + std::to_string(count) + " elements, which no memory holds"};
  return {first, static_cast<std::size_t>(count)};
}
template <class T>
std::span<const T> ids_of(const void* first, std::uint64_t count, const char* name) {
  return array_of(static_cast<const T*>(first), count, name);
}

/// Calls body(T{}) with the integer type T that `type` names. Throws usage_error if it names none.
template <class Body>
decltype(auto) with_type(copse_type type, Body&& body) {
  switch (type) {
    case COPSE_INT32:
      return body(std::int32_t{});
    case COPSE_UINT32:
      return body(std::uint32_t{});
    case COPSE_INT64:
      return body(std::int64_t{});
    case COPSE_UINT64:
      return body(std::uint64_t{});
    case COPSE_STRINGS:
      break;
  }
  throw usage_error{"type must be COPSE_INT32, COPSE_UINT32, COPSE_INT64 or COPSE_UINT64, not " + std::to_string(static_cast<int>(type))};
}

/// Calls body(sources, targets) with spans of two columns of the caller's ids.
template <class Body>
void with_columns(copse_type type, const void* sources, const void* targets, std::uint64_t count, Body&& body) {
  with_type(type, [&]<class Id>(Id) { body(ids_of<Id>(sources, count, "sources"), ids_of<Id>(targets, count, "targets")); });
}

}  // namespace copse::c
