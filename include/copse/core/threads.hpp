// How many threads a call uses.
#pragma once

namespace copse {

/// The most threads that a call uses, whatever it asks for.
inline constexpr unsigned most_threads = 1024;

/// `requested`, at most most_threads, or for 0 the cores that this process may really use: affinity mask and container CPU quota (cgroup v1 and v2) respected, at
/// least 1.
unsigned usable_threads(unsigned requested) noexcept;

}  // namespace copse
