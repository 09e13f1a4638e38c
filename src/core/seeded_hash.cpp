#include <sys/random.h>
#include <core/random.hpp>
#include <core/seeded_hash.hpp>

#include <chrono>

namespace copse {
namespace {

std::uint64_t draw_seed() noexcept {
  std::uint64_t seed = 0;
  if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) == sizeof seed) return seed;
  // Soon after the boot of a machine there may be no random numbers yet; use the clock and the address of a variable instead.
  const auto now = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  return mix(now) ^ reinterpret_cast<std::uintptr_t>(&seed);
}

}  // namespace

seeded_hash::seeded_hash() noexcept {
  static const random_stream words{draw_seed(), 0};
  first_ = words.word(0);
  second_ = words.word(1) | 1;
}

}  // namespace copse
