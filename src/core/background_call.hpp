// A call that runs on a thread of its own while its caller goes on with other work.
#pragma once
#include <functional>
#include <memory>

namespace copse {

class background_call {
public:
  /// Begins to run `call`. If the system refuses to start a thread, the call has ended when this returns.
  explicit background_call(std::function<void()> call);
  background_call(const background_call&) = delete;
  /// Waits until the call has ended.
  ~background_call();

  [[nodiscard]] bool has_ended() const noexcept;
  /// Waits until the call has ended, and rethrows its exception. Throws std::logic_error in a child of the process that began the call.
  void finish();

private:
  struct state;
  void wait() const noexcept;

  std::shared_ptr<state> state_;
};

}  // namespace copse
