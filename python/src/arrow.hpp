// The Arrow C data and stream interfaces (https://arrow.apache.org/docs/format/CDataInterface.html): structures that libraries of any kind
// exchange within a process, and their owners.
#pragma once
#include <nanobind/nanobind.h>

#include <cstdint>

extern "C" {
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};
struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};
struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema*);
  int (*get_next)(ArrowArrayStream*, ArrowArray*);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};
}

namespace copse::python {

/// Releases what it holds, unless it was released or moved on before.
template <class T>
class arrow_owner {
public:
  arrow_owner() noexcept = default;
  arrow_owner(arrow_owner&& other) noexcept : held_{other.held_} { other.held_.release = nullptr; }
  arrow_owner& operator=(arrow_owner&& other) noexcept {
    if (this != &other) {
      reset();
      held_ = other.held_;
      other.held_.release = nullptr;
    }
    return *this;
  }
  ~arrow_owner() { reset(); }

  void reset() noexcept {
    if (held_.release != nullptr) held_.release(&held_);
    held_.release = nullptr;
  }
  [[nodiscard]] T* get() noexcept { return &held_; }
  [[nodiscard]] const T& operator*() const noexcept { return held_; }
  [[nodiscard]] const T* operator->() const noexcept { return &held_; }
  [[nodiscard]] explicit operator bool() const noexcept { return held_.release != nullptr; }

  /// Takes what a capsule holds.
  static arrow_owner from(nanobind::handle capsule, const char* name) {
    auto* p = static_cast<T*>(PyCapsule_GetPointer(capsule.ptr(), name));
    if (p == nullptr) throw nanobind::python_error{};
    arrow_owner owner;
    owner.held_ = *p;
    p->release = nullptr;
    return owner;
  }

private:
  T held_{};
};

}  // namespace copse::python
