// Every way of the fast path for rows x the zoo x serial, 7 threads x every state of the rows, against breadth-first search.
#include "fast/ways.hpp"

namespace copse::test {
namespace {

TEST(fast, one_thread) { solve_zoo<backend::serial>({1}); }
TEST(fast, many_threads) { solve_zoo<small_blocks<parents::atomic>>({7}); }

TEST(fast, wide_ids_and_offsets) {
  const std::vector<fast_options> sampled{{.way = route::sampled, .chunk_vertices = 64, .least_coverage = 0}};
  for (const auto& g : solved_zoo()) {
    solve_ways<backend::serial, std::uint32_t, std::uint64_t>(g, row_state::simple, sampled, {1});
    solve_ways<backend::threads, std::uint64_t, std::uint64_t>(g, row_state::raw, sampled, {2});
    solve_ways<backend::serial, std::uint64_t, std::uint64_t>(g, row_state::one_sided, unsampled_ways(), {1});
    solve_ways<backend::threads, std::uint32_t, std::uint64_t>(g, row_state::undeclared, unsampled_ways(), {7});
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace copse::test
