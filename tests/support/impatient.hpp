// A caller who asks a call to stop.
#pragma once
#include <copse/execution.hpp>

#include <atomic>
#include <cstdint>
#include <string_view>

namespace copse::test {

class impatient final : public observer {
public:
  /// So many questions are answered with: go on.
  explicit impatient(std::uint64_t patience = 0) noexcept : patience_{patience} {}
  void progress(std::string_view, std::uint64_t, std::uint64_t, std::string_view) override {}
  [[nodiscard]] bool cancel_requested() const noexcept override { return asked_++ >= patience_; }
  /// From now on it goes on for good.
  void calm_down() noexcept { patience_ = UINT64_MAX; }

private:
  std::uint64_t patience_;
  mutable std::atomic<std::uint64_t> asked_{0};
};

}  // namespace copse::test
