// The threads behind every parallel loop of the library: one pool for the process, asleep when there is nothing to do.
#pragma once
#include <memory>
#include <type_traits>

namespace copse {

namespace detail {

inline constinit thread_local unsigned worker_number = 0;

/// The number of this thread in a loop, for as long as the loop runs: loops nest.
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

/// Calls `work(number)` once for every number below `threads` and returns when all have returned. The caller is number 0. The others run on
/// threads of the pool, at the same time as far as the pool has threads; what no thread has begun when the caller is done with its own, the
/// caller does too. So it is right, if slow, where the system refuses threads, and no number may wait for a larger one. Rethrows the first
/// exception; after one, no further number is begun. Any thread may call it at any time, also from inside `work`.
template <class Work>
void on_workers(unsigned threads, Work&& work) {
  using type = std::remove_reference_t<Work>;
  detail::run_team(
      threads, [](void* task, unsigned number) { (*static_cast<type*>(task))(number); },
      const_cast<void*>(static_cast<const void*>(std::addressof(work))));
}

}  // namespace copse
