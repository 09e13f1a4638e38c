// An observer for work that is done a second time: it drops notes, which were already given the first time.
#pragma once
#include <copse/execution.hpp>

#include <cstdint>
#include <string_view>

namespace copse {

/// Passes on progress and requests to cancel, but no notes.
class without_notes final : public observer {
public:
  explicit without_notes(observer& behind) : behind_{behind} {}
  void progress(std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view unit) override {
    behind_.progress(stage, done, total, unit);
  }
  [[nodiscard]] bool cancel_requested() const noexcept override { return behind_.cancel_requested(); }

private:
  observer& behind_;
};

}  // namespace copse
