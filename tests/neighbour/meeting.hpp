// How many threads does a loop get? Each worker waits until all have come, or for so long that they will not.
#pragma once
#include <sys/syscall.h>
#include <unistd.h>
#include <core/team.hpp>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>

namespace copse::test {

/// The system's numbers of the threads that are in a loop of `threads` workers at the same time.
inline std::set<long> meeting(unsigned threads, std::chrono::milliseconds patience = std::chrono::seconds{10}) {
  std::mutex guard;
  std::set<long> met;
  std::atomic<unsigned> come{0};
  const auto end = std::chrono::steady_clock::now() + patience;
  on_workers(threads, [&](unsigned) {
    {
      const std::lock_guard lock{guard};
      met.insert(syscall(SYS_gettid));
    }
    ++come;
    while (come < threads && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  });
  return met;
}

}  // namespace copse::test
