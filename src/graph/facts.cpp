#include "core/parallel.hpp"
#include "graph/direction_sum.hpp"

#include <copse/build.hpp>

#include <mutex>

namespace copse {
namespace {

constexpr std::size_t rows_per_block = 4096;

}  // namespace

template <unsigned_index Id, unsigned_index Offset>
row_facts inspect(csr_view<Id, Offset> rows, const execution& on) {
  const Id n = rows.vertices();
  row_facts facts;
  direction_sum up;
  direction_sum down;
  std::mutex guard;
  parallel_blocks(usable_threads(on.threads), n, rows_per_block, [&](std::size_t begin, std::size_t end) {
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

template row_facts inspect(csr_view<std::uint32_t, std::uint32_t>, const execution&);
template row_facts inspect(csr_view<std::uint32_t, std::uint64_t>, const execution&);
template row_facts inspect(csr_view<std::uint64_t, std::uint64_t>, const execution&);

}  // namespace copse
