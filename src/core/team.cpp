// Idea: a pool of threads that belongs to the process. A parallel loop engages the idle ones for its own duration, works itself, and at the
// end takes back what nobody has begun: it waits only for threads that are at work, never for one that the system has not woken yet. A loop
// too short for help, or on a busy machine, costs little more than on one thread.
//
// Invariant: each thread has a seat with one word, which says everything: nobody (no thread yet) | idle | a ticket (engaged, not begun) |
// ticket + running. Only a caller turns idle into its ticket, only the thread turns the ticket into running and running into idle, and only
// the caller takes the ticket back. Tickets lie on the caller's stack: a thread reads one only while it is running, and the caller leaves
// only when its tickets are in no word. Who sleeps, the thread for a ticket or the caller for the end of running, sets the bit `sleeper`
// first, so that only who has to is woken. There is no lock, so none can be held in a child after fork: there all words become nobody.
//
// Several loops at once, nested or not, share the pool: each engages who is idle. There are never more threads than the largest number that
// a loop has asked for, or cores. The same loop gets the same threads in the same order while nobody else is here: caches stay warm.
//
// Memory order: what the caller wrote is seen by the work (engaging releases, beginning acquires); what the work wrote is seen by the caller
// (becoming idle releases, looking at the word acquires).
//
// Cost: a swap and a load of one cache line for each thread of a loop, beside a system call to wake each that sleeps. A thread spins for
// `spin` after its work, as the next loop of the same call mostly comes at once; then it sleeps. Where threads outnumber cores nobody spins.
#include <copse/core/threads.hpp>
#include <core/team.hpp>

#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstdint>
#include <exception>
#include <span>
#include <thread>

namespace copse {
namespace {

using clock = std::chrono::steady_clock;
using word = std::uintptr_t;
static_assert(std::endian::native == std::endian::little, "a futex is the low half of a word");

constexpr word nobody = 0, running = 1, sleeper = 2, idle = 4;  // tickets are at multiples of 8
constexpr std::chrono::microseconds spin{50};
constexpr std::chrono::seconds before_asking_again{1};

std::atomic<unsigned> started{0};                        // threads in the pool
std::atomic<clock::rep> refused_until{clock::rep{INT64_MIN}};  // the system gave no thread: do not ask in every loop

bool is_ticket(word w) noexcept { return w >= 8; }

void relax() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Waits a moment for `done()`; false when that was too short.
template <class Done>
bool spun_until(Done done) noexcept {
  if (done()) return true;
  static const unsigned cores = usable_threads(0);
  if (started.load(std::memory_order_relaxed) >= cores) return false;
  for (const auto end = clock::now() + spin; clock::now() < end;) {
    for (int i = 0; i < 16; ++i) {
      if (done()) return true;
      relax();
    }
  }
  return false;
}

void sleep_while(const std::atomic<word>& at, word value) noexcept {
  syscall(SYS_futex, &at, FUTEX_WAIT_PRIVATE, static_cast<std::uint32_t>(value), nullptr, nullptr, 0);
}
void wake(const std::atomic<word>& at) noexcept { syscall(SYS_futex, &at, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0); }

/// One parallel loop.
class loop {
public:
  loop(void (*call)(void*, unsigned), void* work) noexcept : call_{call}, work_{work} {}

  void run(unsigned number) noexcept {
    const detail::numbered here{number};
    try {
      call_(work_, number);
    } catch (...) {
      if (!failed_.exchange(true, std::memory_order_relaxed)) error_ = std::current_exception();
    }
  }
  [[nodiscard]] bool failed() const noexcept { return failed_.load(std::memory_order_relaxed); }
  /// When nobody runs any more.
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

private:
  void (*call_)(void*, unsigned);
  void* work_;
  std::atomic<bool> failed_{false};
  std::exception_ptr error_;
};

class seat;

struct ticket {
  loop* of;
  seat* at;
  unsigned number;
};

class alignas(128) seat {
public:
  /// False when its thread is busy, or there is none and the system gives none.
  bool engage(ticket& t) noexcept {
    const word engaged = reinterpret_cast<word>(&t);
    word now = word_.load(std::memory_order_relaxed);
    if (now == nobody) return fill(engaged);
    while ((now & ~sleeper) == idle) {
      if (!word_.compare_exchange_weak(now, engaged, std::memory_order_acq_rel, std::memory_order_relaxed)) continue;
      if (now & sleeper) wake(word_);
      return true;
    }
    return false;
  }

  /// True when its thread has not begun, and will not.
  bool take_back(const ticket& t) noexcept {
    word engaged = reinterpret_cast<word>(&t);
    return word_.load(std::memory_order_relaxed) == engaged && word_.compare_exchange_strong(engaged, idle, std::memory_order_relaxed);
  }

  /// Precondition: not taken back.
  void wait_for_end(const ticket& t) noexcept {
    const word busy = reinterpret_cast<word>(&t) | running;
    if (spun_until([&] { return word_.load(std::memory_order_acquire) != busy; })) return;
    for (word now = busy; (now & ~sleeper) == busy; now = word_.load(std::memory_order_acquire)) {
      if (now == busy && !word_.compare_exchange_strong(now, busy | sleeper, std::memory_order_acquire)) continue;
      sleep_while(word_, busy | sleeper);
    }
  }

  void forget() noexcept { word_.store(nobody, std::memory_order_relaxed); }

private:
  bool fill(word engaged) noexcept {
    const auto now = clock::now().time_since_epoch();
    if (now.count() < refused_until.load(std::memory_order_relaxed)) return false;
    word empty = nobody;
    if (!word_.compare_exchange_strong(empty, engaged, std::memory_order_acq_rel, std::memory_order_relaxed)) return false;
    sigset_t all, before;  // signals are for the threads of the program, unless it is this thread that caused them
    sigfillset(&all);
    for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT, SIGPROF}) sigdelset(&all, own);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool filled = true;
    try {
      std::thread{[this] { serve(); }}.detach();
      started.fetch_add(1, std::memory_order_relaxed);
    } catch (const std::exception&) {  // no thread, or no memory for one
      filled = false;
      refused_until.store((now + clock::duration{before_asking_again}).count(), std::memory_order_relaxed);
      word_.store(nobody, std::memory_order_relaxed);
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return filled;
  }

  [[noreturn]] void serve() noexcept {
    for (;;) {
      word now = next_ticket();
      if (!word_.compare_exchange_strong(now, now | running, std::memory_order_acquire, std::memory_order_relaxed)) continue;
      const ticket& mine = *reinterpret_cast<const ticket*>(now);
      mine.of->run(mine.number);
      if (word_.exchange(idle, std::memory_order_acq_rel) & sleeper) wake(word_);
    }
  }

  word next_ticket() noexcept {
    word now = idle;
    if (spun_until([&] { return is_ticket(now = word_.load(std::memory_order_relaxed)); })) return now;
    while (!is_ticket(now)) {
      if (now == idle && !word_.compare_exchange_strong(now, idle | sleeper, std::memory_order_relaxed)) continue;
      sleep_while(word_, idle | sleeper);
      now = word_.load(std::memory_order_relaxed);
    }
    return now;
  }

  std::atomic<word> word_{nobody};
};

constinit std::array<seat, most_threads> seats;

// Of all threads only the one that called fork is in the child.
void forget_all() noexcept {
  for (seat& s : seats) s.forget();
  started.store(0, std::memory_order_relaxed);
}
[[maybe_unused]] const int at_fork = pthread_atfork(nullptr, nullptr, forget_all);

}  // namespace

void detail::run_team(unsigned threads, void (*call)(void* work, unsigned number), void* work) {
  loop now{call, work};
  const unsigned helpers = std::min(threads, most_threads) - 1, places = std::min(std::max(threads, usable_threads(0)), most_threads);
  std::array<ticket, most_threads> tickets;
  unsigned engaged = 0;
  for (unsigned i = 0; i < places && engaged < helpers; ++i) {
    tickets[engaged] = {&now, &seats[i], engaged + 1};
    if (seats[i].engage(tickets[engaged])) ++engaged;
  }
  now.run(0);
  const auto run_here = [&now](unsigned number) {
    if (!now.failed()) now.run(number);
  };
  const std::span<ticket> crew{tickets.data(), engaged};
  for (ticket& t : crew) {
    if (!t.at->take_back(t)) continue;
    t.at = nullptr;
    run_here(t.number);
  }
  for (unsigned number = engaged + 1; number < threads; ++number) run_here(number);
  for (const ticket& t : crew) {
    if (t.at != nullptr) t.at->wait_for_end(t);
  }
  now.rethrow();
}

}  // namespace copse
