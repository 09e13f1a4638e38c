// Preloaded before a program: every second write() is interrupted by a signal, the others take a few bytes only.
#include <dlfcn.h>
#include <sys/types.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>

extern "C" ssize_t write(int descriptor, const void* bytes, std::size_t count) {
  static const auto real = reinterpret_cast<ssize_t (*)(int, const void*, std::size_t)>(dlsym(RTLD_NEXT, "write"));
  static std::atomic<unsigned> calls{0};
  if (calls.fetch_add(1) % 2 == 0) {
    errno = EINTR;
    return -1;
  }
  return real(descriptor, bytes, std::min<std::size_t>(count, 7));
}
