// Threads of the library leave signals to those of the program.
#pragma once
#include <pthread.h>

#include <csignal>

namespace copse {

/// Blocks signals for threads that are started in its scope, except those that a thread causes itself: signals are meant for the threads of
/// the program.
class signals_blocked {
public:
  signals_blocked() noexcept {
    sigset_t all;
    sigfillset(&all);
    for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT, SIGPROF}) sigdelset(&all, own);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  signals_blocked(const signals_blocked&) = delete;
  ~signals_blocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

private:
  sigset_t before_;
};

}  // namespace copse
