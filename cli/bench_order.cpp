#include "bench_order.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace copse::cli {

std::vector<std::size_t> turn_order(std::size_t count, std::uint64_t round, std::uint64_t seed) {
  if (count == 0) return {};
  std::mt19937_64 random{seed};  // its words are the standard's; its distributions, and std::shuffle, are each library's own
  std::vector<std::size_t> names(count);
  std::iota(names.begin(), names.end(), std::size_t{0});
  for (std::size_t i = count; i > 1; --i) std::swap(names[i - 1], names[random() % i]);
  const std::size_t line = (round + random() % count) % count;
  // 0, 1, n - 1, 2, n - 2, ...: the steps are all different, so that lines which add one to every number share no neighbours.
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t zigzag = i % 2 == 1 ? (i + 1) / 2 : (count - i / 2) % count;
    order[i] = names[(zigzag + line) % count];
  }
  if (count % 2 == 1 && round / count % 2 == 1) std::ranges::reverse(order);  // an odd number has the other half of the steps backwards
  return order;
}

}  // namespace copse::cli
