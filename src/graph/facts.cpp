// Symmetry without random access: an order-free sum of a hash of {smaller, larger} over the arcs that go up equals the sum over those that
// go down exactly when both directions hold the same arcs (or the hash collides). Two independent 64-bit sums make chance negligible.
#include "core/parallel.hpp"

#include <copse/graph/facts.hpp>

#include <algorithm>
#include <mutex>

namespace copse {
namespace {

constexpr std::size_t rows_per_block = 4096;

constexpr std::uint64_t mix(std::uint64_t x) noexcept {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  return x ^ (x >> 32);
}

struct direction_sum {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  void add(std::uint64_t low, std::uint64_t high) noexcept {
    const std::uint64_t hash = mix(low * 0x9e3779b97f4a7c15u ^ mix(high + 0x632be59bd9b4e019u));
    first += hash;
    second += mix(hash + 0x8ebc6af09c88c6e3u);
  }
  void add(const direction_sum& other) noexcept {
    first += other.first;
    second += other.second;
  }
  friend bool operator==(const direction_sum&, const direction_sum&) = default;
};

}  // namespace

template <unsigned_index Id, unsigned_index Offset>
row_facts inspect(csr_view<Id, Offset> rows, unsigned threads) {
  const Id n = rows.vertices();
  row_facts facts;
  direction_sum up;
  direction_sum down;
  std::mutex guard;
  parallel_blocks(usable_threads(threads), n, rows_per_block, [&](std::size_t begin, std::size_t end) {
    direction_sum my_up;
    direction_sum my_down;
    bool my_sorted = true;
    std::optional<std::uint64_t> my_bad;
    for (std::size_t u = begin; u < end; ++u) {
      Id before = 0;
      for (std::uint64_t i = rows.offsets[u]; i < rows.offsets[u + 1]; ++i) {
        const Id v = rows.targets[i];
        if (v >= n && !my_bad) my_bad = i;
        my_sorted = my_sorted && before <= v;
        before = v;
        if (u < v) my_up.add(u, v);
        if (u > v) my_down.add(v, u);
      }
    }
    const std::lock_guard lock{guard};
    up.add(my_up);
    down.add(my_down);
    facts.sorted = facts.sorted && my_sorted;
    if (my_bad && (!facts.bad_target || *my_bad < *facts.bad_target)) facts.bad_target = my_bad;
  });
  facts.symmetric = up == down ? symmetry::yes : symmetry::no;
  return facts;
}

template row_facts inspect(csr_view<std::uint32_t, std::uint32_t>, unsigned);
template row_facts inspect(csr_view<std::uint32_t, std::uint64_t>, unsigned);
template row_facts inspect(csr_view<std::uint64_t, std::uint64_t>, unsigned);

}  // namespace copse
