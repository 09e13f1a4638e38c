// How a long call tells its caller where it stands, and how the caller stops it. The library itself never prints.
#pragma once
#include <cstdint>
#include <string_view>

namespace copse {

/// Receives progress. Called from any thread, a few times a second at most; must be thread-safe and cheap.
class observer {
public:
  virtual ~observer() = default;

  /// `stage` is a short word ("read", "build", "solve", "write"); `done` of `total` are in `unit` ("bytes", "vertices"); total 0: unknown.
  virtual void progress(std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view unit) = 0;

  /// Something the user should know although nothing is wrong ("ids are not numeric: read as strings"). One line, no newline.
  virtual void note(std::string_view text) { static_cast<void>(text); }

  /// Polled between blocks of work; true makes the call throw copse::cancelled.
  [[nodiscard]] virtual bool cancel_requested() const noexcept { return false; }
};

}  // namespace copse
