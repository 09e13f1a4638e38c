// System calls that a signal interrupts are made again.
#pragma once
#include <cerrno>

namespace copse::io {

/// What `call` returns once it is not interrupted.
template <class Call>
auto uninterrupted(Call call) {
  for (;;) {
    const auto result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
}

}  // namespace copse::io
