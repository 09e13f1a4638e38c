// Every rule on a GPU, and the fast path of the CPU, on the real graphs: all edges in two batches, against a static solve.
#include <gtest/gtest.h>
#include <copse/components.hpp>
#include <copse/incremental.hpp>
#include <copse/io.hpp>

#include <cstdint>
#include <filesystem>
#include <span>
#include <variant>
#include <vector>

#include "incremental/backends.hpp"
#include "support/real_graphs.hpp"

namespace copse::test {
namespace {

class every_real_batch : public ::testing::TestWithParam<copse::testing::real_file> {};

TEST_P(every_real_batch, has_the_labels_of_a_static_solve) {
  const auto file = copse::testing::real_graphs_folder(COPSE_ROOT) / GetParam().name;
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no " << file;
  const graph g = io::read_graph(file, GetParam().options);
  std::vector<edge<std::uint32_t>> edges;
  std::visit(
      [&](const auto& shape) {
        if constexpr (requires { shape.edges; }) {
          for (const auto [u, v] : shape.edges) edges.push_back({static_cast<std::uint32_t>(u), static_cast<std::uint32_t>(v)});
        } else {
          for (std::uint64_t v = 0; v < shape.vertices(); ++v) {
            for (auto a = shape.offsets[v]; a < shape.offsets[v + 1]; ++a) {
              edges.push_back({static_cast<std::uint32_t>(v), static_cast<std::uint32_t>(shape.targets[a])});
            }
          }
        }
      },
      g.view());
  const auto batches = std::span{edges};
  const auto n = static_cast<std::uint32_t>(g.vertices());
  const auto expected = components(coo_view<std::uint32_t>{n, edges}, {.variant = "serial.none.rem"});
  for (const auto& variant : variants_that_run()) {
    if (variant.backend != "cuda" && variant.name != "threads.none.fast") continue;
    incremental live{{.variant = variant.name, .vertices = n}};
    live.insert(batches.first(edges.size() / 3));
    live.insert(batches.subspan(edges.size() / 3));
    EXPECT_EQ(live.count(), expected.count()) << variant.name;
    EXPECT_EQ(checksum(live.labels()), checksum(expected.labels)) << variant.name;
  }
}

INSTANTIATE_TEST_SUITE_P(incremental, every_real_batch, ::testing::ValuesIn(copse::testing::real_files()),
                         [](const auto& tested) { return copse::testing::test_name_of(tested.param.name); });

}  // namespace
}  // namespace copse::test
