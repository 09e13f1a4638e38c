// Parts of a graph on GPUs: several on one, and on two where there are two. And lists that are shared among them.
#pragma once
#include <copse/cuda.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace copse::test {

using parts = std::vector<unsigned>;

inline std::vector<parts> all_parts() {
  std::vector<parts> all{{0}, {0, 0}, {0, 0, 0}, parts(7, 0)};
  if (gpus().size() > 1) all.insert(all.end(), {{1}, {0, 1}, {1, 0, 1}});
  return all;
}
/// The text that names them.
inline std::string device_of(const parts& gpus) {
  std::string device = "cuda";
  for (const unsigned gpu : gpus) device.append(device == "cuda" ? ":" : ",").append(std::to_string(gpu));
  return device;
}
constexpr std::array<std::uint64_t, 4> piece_sizes{64, 1000, 1 << 16, 0};

/// With a giant; with many components and gaps; long rows; none at all.
inline std::vector<std::string> specs() {
  return {"rmat:scale=13,edges=8", "er:n=5000,m=3000,seed=3", "star:n=3000", "grid2d:rows=70,cols=50"};
}

}  // namespace copse::test
