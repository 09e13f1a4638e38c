// An observer of work that the caller did not ask for.
#pragma once
#include <copse/execution.hpp>

namespace copse {

/// Hands on whether to cancel, but neither progress nor notes.
class cancelling_observer final : public observer {
public:
  /// Passes calls on to `behind`, which may be null.
  explicit cancelling_observer(const observer* behind) noexcept : behind_{behind} {}

  void progress(std::string_view, std::uint64_t, std::uint64_t, std::string_view) override {}
  [[nodiscard]] bool cancel_requested() const noexcept override { return behind_ != nullptr && behind_->cancel_requested(); }

private:
  const observer* behind_;
};

}  // namespace copse
