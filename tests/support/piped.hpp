// Bytes that come through a pipe, which can be read only once.
#pragma once
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

namespace copse::test {

/// A pipe with a writer beside it; a reader opens path(). Whoever reads no more leaves the writer where it is: the destructor ends it.
class piped {
public:
  explicit piped(std::string_view bytes) {
    std::signal(SIGPIPE, SIG_IGN);  // a reader may refuse before the end
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) throw std::system_error{errno, std::generic_category(), "pipe"};
    writer_ = std::thread{[bytes, to = ends_[1]] {
      std::size_t at = 0;
      while (at < bytes.size()) {
        const auto put = ::write(to, bytes.data() + at, bytes.size() - at);
        if (put <= 0) break;
        at += static_cast<std::size_t>(put);
      }
      ::close(to);
    }};
  }
  piped(const piped&) = delete;
  ~piped() {
    ::close(ends_[0]);
    writer_.join();
  }

  [[nodiscard]] std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(ends_[0]); }

private:
  std::array<int, 2> ends_{};
  std::thread writer_;
};

}  // namespace copse::test
