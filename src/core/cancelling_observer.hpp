// An observer for internal work that the caller did not ask for, and so should not be told about.
#pragma once
#include <copse/execution.hpp>

namespace copse {

/// Passes on requests to cancel, but neither progress nor notes.
class cancelling_observer final : public observer {
public:
  /// Asks `behind`, which may be null, whether to cancel.
  explicit cancelling_observer(const observer* behind) noexcept : behind_{behind} {}

  void progress(std::string_view, std::uint64_t, std::uint64_t, std::string_view) override {}
  [[nodiscard]] bool cancel_requested() const noexcept override { return behind_ != nullptr && behind_->cancel_requested(); }

private:
  const observer* behind_;
};

}  // namespace copse
