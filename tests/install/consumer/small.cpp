// The components of a vector of edges, and nothing else: what such a program holds is measured (tests/install/program_size.py).
#include <copse/components.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

int main() {
  const std::vector<copse::edge<std::uint32_t>> edges{{0, 1}, {2, 3}, {1, 2}};
  const auto found = copse::components(copse::graph_view{copse::coo_view<std::uint32_t>{5, edges}});
  std::printf("%d components\n", static_cast<int>(found.count()));
  return found.count() == 2 ? 0 : 1;
}
