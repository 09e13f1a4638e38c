// Idea: a pool of threads that belongs to the process. A parallel loop engages idle threads of the pool for its duration, works itself, and
// at the end takes back the work that no thread has begun: it waits only for running threads, never for one that the system has not woken
// yet. A loop that is too short for help, or runs on a busy machine, costs little more than on one thread.
//
// Invariant: each thread has a seat, whose state is one word: empty (no thread yet) | idle | a ticket (engaged, not begun) | ticket +
// running. Only a caller replaces idle by its ticket, only the thread turns the ticket into running and running into idle, and only the
// caller takes the ticket back. Tickets are on the caller's stack: a thread reads a ticket only while it is running, and the caller returns
// only when no word holds one of its tickets. Before sleeping, a thread that waits for a ticket, or a caller that waits for the end of
// running, sets the bit `sleeper`, so that only sleepers are woken. There are no locks, which a child could inherit locked after fork: in
// the child, all words become empty.
//
// Several loops at once, nested or not, share the pool: each engages the idle threads. There are never more threads than the largest number
// that a loop has asked for, or the number of cores. While no other loop runs, the same loop gets the same threads in the same order, so
// caches stay warm.
//
// Memory order: the work sees what the caller wrote before (engaging releases, beginning acquires), and the caller sees what the work wrote
// (becoming idle releases, waiting for the end acquires).
//
// Cost: a compare-and-swap and a load of one cache line for each thread of a loop, and a system call to wake each sleeping thread; threads
// just woken share these calls. A thread spins for the time `spin` after its work, because the next loop of the same call usually follows
// at once, and yields its core to others while it spins; then it sleeps. If more threads are awake than there are cores, none spins.
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <copse/execution.hpp>
#include <core/signals_blocked.hpp>
#include <core/team.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <climits>
#include <cstdint>
#include <exception>
#include <thread>

namespace copse {
namespace {

using clock = std::chrono::steady_clock;
using word = std::uintptr_t;
static_assert(std::endian::native == std::endian::little, "a futex is the low half of a word");

// The state of a seat, a place for one thread in the pool: `nobody` (no thread was started), `idle` (the thread has no work), or the
// address of a ticket, which tells the thread what to run. Further bits: `running` (the thread has begun to run it), and `sleeper` (some
// thread may sleep until the state changes, and must be woken then).
constexpr word nobody = 0, running = 1, sleeper = 2, idle = 4;
constexpr std::chrono::microseconds spin{200};
constexpr unsigned woken_by_each = 3;
constexpr std::chrono::seconds before_asking_again{1};

std::atomic<unsigned> awake{0};  // number of threads in the pool that are awake
// set when the system refused to start a thread, to avoid asking in every loop
std::atomic<clock::rep> refused_until{clock::rep{INT64_MIN}};

bool is_ticket(word w) noexcept { return w >= 8; }

/// True if, as far as is known, there are enough cores for all threads that are awake.
bool cores_for_all() noexcept {
  static const unsigned cores = usable_threads(0);
  return awake.load(std::memory_order_relaxed) <= cores;
}

void relax() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Waits a short time for `done()` to become true; returns false if it did not.
template <class Done>
bool spun_until(Done done) noexcept {
  if (done()) return true;
  if (!cores_for_all()) return false;
  const auto begin = clock::now();
  for (auto now = begin; now < begin + spin; now = clock::now()) {
    for (int i = 0; i < 16; ++i) {
      if (done()) return true;
      relax();
    }
    if (now > begin + spin / 8) std::this_thread::yield();
  }
  return false;
}

void sleep_while(const std::atomic<word>& at, word value) noexcept {
  syscall(SYS_futex, &at, FUTEX_WAIT_PRIVATE, static_cast<std::uint32_t>(value), nullptr, nullptr, 0);
}
void wake_all(const std::atomic<word>& at) noexcept { syscall(SYS_futex, &at, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0); }

class loop;
class seat;
struct ticket {
  loop* of;
  seat* at;
  unsigned number;
};

/// A parallel loop: one call of run_team.
class loop {
public:
  loop(void (*call)(void*, unsigned), void* work) noexcept : call_{call}, work_{work} {}

  /// Assigns the worker numbers 1, 2, ... below `threads` to idle threads of the pool, as far as there are any. Those that sleep are woken
  /// by wake_some().
  void engage(unsigned threads) noexcept;
  /// Wakes a few of the sleeping threads that have got a worker number. Each thread that begins calls this first, so that no thread has to
  /// wake all others.
  void wake_some() noexcept;
  void run(unsigned number) noexcept;
  /// Runs the work of all worker numbers that no thread has begun, and waits for the threads that have begun theirs.
  void finish(unsigned threads) noexcept;
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

private:
  void (*call_)(void*, unsigned);
  void* work_;
  std::atomic<bool> failed_{false};
  std::exception_ptr error_;
  unsigned engaged_ = 0;
  std::atomic<unsigned> asleep_{0}, woken_{0};
  // for the threads that take part: tickets_[k] assigns worker number k + 1, for k below engaged_
  std::array<ticket, most_threads> tickets_;
  std::array<seat*, most_threads> sleepers_;  // the first asleep_ elements: the threads to be woken
};

/// A place for one thread in the pool: the thread is started when it first gets work, and later waits here for more.
class alignas(128) seat {
public:
  enum class answer { no, yes, yes_asleep };

  /// Gives a ticket, which names a loop and the worker number to run of it, to the thread that has this place in the pool. Returns `no` if
  /// that thread is busy or cannot be started; `yes_asleep` if it must be woken.
  answer engage(const ticket& t) noexcept {
    const word engaged = reinterpret_cast<word>(&t);
    word now = word_.load(std::memory_order_relaxed);
    if (now == nobody) return fill(engaged) ? answer::yes : answer::no;
    while ((now & ~sleeper) == idle) {
      if (word_.compare_exchange_weak(now, engaged, std::memory_order_release, std::memory_order_relaxed)) {
        return now & sleeper ? answer::yes_asleep : answer::yes;
      }
    }
    return answer::no;
  }
  void wake() const noexcept { wake_all(word_); }

  /// If the thread has not begun the work that the ticket assigns to it (one worker number of a loop), takes the ticket back and returns
  /// true: the caller must then do that work. The thread may still be asleep; it is woken when it gets another ticket.
  bool take_back(const ticket& t) noexcept {
    word engaged = reinterpret_cast<word>(&t);
    return word_.load(std::memory_order_relaxed) == engaged &&
           word_.compare_exchange_strong(engaged, idle | sleeper, std::memory_order_relaxed);
  }

  /// Waits until the thread has finished the worker number that the ticket assigns to it. Precondition: take_back() returned false, as the
  /// thread had begun.
  void wait_for_end(const ticket& t) noexcept {
    const word busy = reinterpret_cast<word>(&t) | running;
    if (spun_until([&] { return word_.load(std::memory_order_acquire) != busy; })) return;
    for (word now = busy; (now & ~sleeper) == busy; now = word_.load(std::memory_order_acquire)) {
      if (now == busy && !word_.compare_exchange_strong(now, busy | sleeper, std::memory_order_relaxed)) continue;
      sleep_while(word_, busy | sleeper);
    }
  }

  void forget() noexcept { word_.store(nobody, std::memory_order_relaxed); }

private:
  bool fill(word engaged) noexcept {
    const auto now = clock::now().time_since_epoch();
    if (now.count() < refused_until.load(std::memory_order_relaxed)) return false;
    word empty = nobody;
    if (!word_.compare_exchange_strong(empty, engaged, std::memory_order_release, std::memory_order_relaxed)) return false;
    const signals_blocked meanwhile;
    try {
      std::thread{[this] { serve(); }}.detach();
    } catch (const std::exception&) {  // no thread could be started, or there is no memory for one
      refused_until.store((now + clock::duration{before_asking_again}).count(), std::memory_order_relaxed);
      word_.store(nobody, std::memory_order_relaxed);
      return false;
    }
    return true;
  }

  [[noreturn]] void serve() noexcept {
    awake.fetch_add(1, std::memory_order_relaxed);
    for (;;) {
      word now = next_ticket();
      if (!word_.compare_exchange_strong(now, now | running, std::memory_order_acquire, std::memory_order_relaxed)) continue;
      const ticket& mine = *reinterpret_cast<const ticket*>(now);
      mine.of->wake_some();
      mine.of->run(mine.number);
      if (word_.exchange(idle, std::memory_order_release) & sleeper) wake_all(word_);
    }
  }

  word next_ticket() noexcept {
    word now = idle;
    if (spun_until([&] { return is_ticket(now = word_.load(std::memory_order_relaxed)); })) return now;
    awake.fetch_sub(1, std::memory_order_relaxed);
    while (!is_ticket(now)) {
      if (now == idle && !word_.compare_exchange_strong(now, idle | sleeper, std::memory_order_relaxed)) continue;
      sleep_while(word_, idle | sleeper);
      now = word_.load(std::memory_order_relaxed);
    }
    awake.fetch_add(1, std::memory_order_relaxed);
    return now;
  }

  std::atomic<word> word_{nobody};
};

constinit std::array<seat, most_threads> seats;

void loop::engage(unsigned threads) noexcept {
  const unsigned helpers = std::min(threads, most_threads) - 1;
  const unsigned places = std::min(std::max(threads, usable_threads(0)), most_threads);
  unsigned asleep = 0;
  for (unsigned i = 0; i < places && engaged_ < helpers; ++i) {
    ticket& t = tickets_[engaged_] = {this, &seats[i], engaged_ + 1};
    const auto answer = seats[i].engage(t);
    if (answer == seat::answer::yes_asleep) sleepers_[asleep++] = &seats[i];
    if (answer != seat::answer::no) ++engaged_;
  }
  asleep_.store(asleep, std::memory_order_release);
}

// Each thread that is woken calls this function, too, so all sleeping threads with work are woken in turn.
void loop::wake_some() noexcept {
  const unsigned asleep = asleep_.load(std::memory_order_acquire);
  if (woken_.load(std::memory_order_relaxed) >= asleep) return;
  const unsigned first = woken_.fetch_add(woken_by_each, std::memory_order_relaxed);
  for (unsigned i = first; i < std::min(first + woken_by_each, asleep); ++i) sleepers_[i]->wake();
}

void loop::run(unsigned number) noexcept {
  if (failed_.load(std::memory_order_relaxed)) return;
  const detail::numbered here{number};
  try {
    call_(work_, number);
  } catch (...) {
    if (!failed_.exchange(true, std::memory_order_relaxed)) error_ = std::current_exception();
  }
}

void loop::finish(unsigned threads) noexcept {
  for (unsigned k = 0; k < engaged_; ++k) {
    ticket& t = tickets_[k];
    if (!t.at->take_back(t)) continue;
    t.at = nullptr;
    run(t.number);
  }
  for (unsigned number = engaged_ + 1; number < threads; ++number) run(number);
  for (unsigned k = 0; k < engaged_; ++k) {
    if (tickets_[k].at != nullptr) tickets_[k].at->wait_for_end(tickets_[k]);
  }
}

// After a fork, only the calling thread exists in the child, so the pool becomes empty.
void forget_all() noexcept {
  for (seat& s : seats) s.forget();
  awake.store(0, std::memory_order_relaxed);
}
[[maybe_unused]] const int at_fork = pthread_atfork(nullptr, nullptr, forget_all);

}  // namespace

void detail::run_team(unsigned threads, void (*call)(void* work, unsigned number), void* work) {
  if (threads <= 1) {
    const numbered here{0};
    return call(work, 0);
  }
  loop all{call, work};
  all.engage(threads);
  all.wake_some();
  all.run(0);
  all.finish(threads);
  all.rethrow();
}

}  // namespace copse
