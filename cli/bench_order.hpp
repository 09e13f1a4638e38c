// In which order contenders take their turns. A solve runs faster or slower by what ran before it (which lines of the graph the caches
// hold, whether the team of threads is awake), so no contender may keep its place, nor its neighbour, through all rounds.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace copse::cli {

/// The order of `count` contenders in round `round`, a permutation of 0 .. count - 1: a Williams square of which the seed draws the names
/// and the first line. In any `count` rounds on end that begin at a multiple of it, every contender has every place once; each follows
/// each other equally often in `count` such rounds when it is even, in twice as many when it is odd.
std::vector<std::size_t> turn_order(std::size_t count, std::uint64_t round, std::uint64_t seed);

}  // namespace copse::cli
