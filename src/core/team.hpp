// The thread pool behind all parallel loops of the library: one per process, whose threads sleep when there is nothing to do.
#pragma once
#include <memory>
#include <type_traits>

namespace copse {

namespace detail {

inline constinit thread_local unsigned worker_number = 0;

/// Sets the worker number of this thread during a loop, and restores it afterwards, because loops can be nested.
class numbered {
public:
  explicit numbered(unsigned number) noexcept : before_{worker_number} { worker_number = number; }
  numbered(const numbered&) = delete;
  ~numbered() { worker_number = before_; }

private:
  unsigned before_;
};

void run_team(unsigned threads, void (*call)(void* work, unsigned number), void* work);

}  // namespace detail

/// The number of the calling worker inside on_workers; 0 outside.
[[nodiscard]] inline unsigned worker_number() noexcept { return detail::worker_number; }

/// Calls `work(number)` once for every number below `threads`, and returns when all calls have returned. The caller runs number 0; the
/// others run concurrently on threads of the pool, as far as it has idle threads. When the caller has finished its own number, it also runs
/// those that no thread has begun. So the loop completes even if the system refuses to start threads, but no number may wait for a larger
/// one. Rethrows the first exception; after it, no further number is begun. May be called by any thread at any time, also from inside
/// `work`.
template <class Work>
void on_workers(unsigned threads, Work&& work) {
  using type = std::remove_reference_t<Work>;
  detail::run_team(
      threads, [](void* task, unsigned number) { (*static_cast<type*>(task))(number); },
      const_cast<void*>(static_cast<const void*>(std::addressof(work))));
}

}  // namespace copse
