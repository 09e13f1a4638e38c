// The same with 3 threads under accessors that provoke what a quiet machine hides.
#include <instruments/chaos.hpp>
#include <instruments/yield.hpp>

#include "fast/ways.hpp"

namespace copse::test {
namespace {

TEST(fast, yielding_threads) { solve_zoo<small_blocks<parents::yield>>(true, {3}); }
TEST(fast, swaps_that_fail_for_no_reason) { solve_zoo<small_blocks<parents::chaos>>(true, {3}); }

}  // namespace
}  // namespace copse::test
