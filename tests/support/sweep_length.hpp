// How much of the long tests is run: COPSE_SWEEP of the environment.
#pragma once
#include <cstdlib>
#include <string_view>

namespace copse::test {

inline bool sweeps(std::string_view name) {
  const char* const length = std::getenv("COPSE_SWEEP");
  return length != nullptr && length == name;
}
/// COPSE_SWEEP=quick (the sanitizers): one seed, 7 threads, and fewer graphs, sizes and states of the input.
inline bool quick() { return sweeps("quick"); }
/// COPSE_SWEEP=all: every variant on every real graph too, and under instruments on every seed, which takes a quarter of an hour.
inline bool all_graphs() { return sweeps("all"); }

}  // namespace copse::test
