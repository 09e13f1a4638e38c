// The same with 3 threads under accessors that provoke what a quiet machine hides.
#include <instruments/chaos.hpp>

#include "fast/list_ways.hpp"
#include "fast/ways.hpp"

namespace copse::test {
namespace {

TEST(fast, yielding_threads) {
  const parents::only_yielding scope;
  solve_zoo<small_blocks<parents::chaos>>({3});
}
TEST(fast, swaps_that_fail_for_no_reason) { solve_zoo<small_blocks<parents::chaos>>({3}); }
TEST(fast_lists, yielding_threads) {
  const parents::only_yielding scope;
  solve_lists<small_blocks<parents::chaos>, std::uint32_t>(3);
}
TEST(fast_lists, swaps_that_fail_for_no_reason) { solve_lists<small_blocks<parents::chaos>, std::uint32_t>(3); }

}  // namespace
}  // namespace copse::test
