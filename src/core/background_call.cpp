#include <unistd.h>
#include <core/background_call.hpp>
#include <core/signals_blocked.hpp>

#include <atomic>
#include <exception>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

namespace copse {

struct background_call::state {
  std::function<void()> call;
  std::atomic<bool> has_ended{false};
  std::exception_ptr error;
  pid_t process = getpid();

  void run() noexcept {
    try {
      call();
    } catch (...) {
      error = std::current_exception();
    }
    call = nullptr;
    has_ended.store(true, std::memory_order_release);
    has_ended.notify_all();
  }
};

background_call::background_call(std::function<void()> call) : state_{std::make_shared<state>()} {
  state_->call = std::move(call);
  const signals_blocked meanwhile;
  try {
    std::thread{[its = state_] { its->run(); }}.detach();
  } catch (const std::system_error&) {
    state_->run();
  }
}

background_call::~background_call() { wait(); }

bool background_call::has_ended() const noexcept { return state_->has_ended.load(std::memory_order_acquire); }

// A child of fork() has no such thread, and would wait forever.
void background_call::wait() const noexcept {
  if (state_->process == getpid()) state_->has_ended.wait(false, std::memory_order_acquire);
}

void background_call::finish() {
  if (state_->process != getpid()) throw std::logic_error{"a call that runs in the parent of this process"};
  wait();
  if (state_->error) std::rethrow_exception(state_->error);
}

}  // namespace copse
