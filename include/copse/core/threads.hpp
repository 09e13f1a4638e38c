// How many threads a call uses.
#pragma once

namespace copse {

/// `requested`, or for 0 the cores that this process may really use: affinity mask and container CPU quota (cgroup v1 and v2) respected, at
/// least 1.
unsigned usable_threads(unsigned requested) noexcept;

}  // namespace copse
