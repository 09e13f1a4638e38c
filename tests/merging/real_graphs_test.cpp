// Every real graph, in parts that are processes' in all but name: the checksum of one process.
#include <gtest/gtest.h>
#include <copse/components.hpp>
#include <copse/mergeable_forest.hpp>

#include <random>

#include "merging/pieces.hpp"
#include "support/real_graphs.hpp"

namespace copse::test {
namespace {

class real_graphs : public ::testing::TestWithParam<copse::testing::real_file> {};

TEST_P(real_graphs, have_the_checksum_of_one_process_in_any_number_of_parts) {
  const std::vector<std::filesystem::path> file{copse::testing::real_graphs_folder(COPSE_ROOT) / GetParam().name};
  if (!std::filesystem::exists(file.front())) GTEST_SKIP() << file.front() << " is not there";
  merge_options one_thread;
  one_thread.threads = 1;
  solve_options two_threads;
  two_threads.threads = 2;
  const components_result whole = components_of_files(file, GetParam().options, two_threads);
  std::mt19937 random{1};
  for (const unsigned parts : {1u, 2u, 3u, 7u, 16u}) {
    std::vector<mergeable_forest> forests;
    for (unsigned part = 0; part < parts; ++part) forests.push_back(forest_of_part(file, {part, parts}, GetParam().options, one_thread));
    std::shuffle(forests.begin(), forests.end(), random);
    forest_merger merger;
    for (const mergeable_forest& forest : forests) merger.add(forest);
    const mergeable_forest all = merger.finish();
    ASSERT_EQ(checksum(all.labels()), checksum(whole.labels)) << parts << " parts";
    ASSERT_EQ(all.vertices(), summarise(whole.labels).vertices) << parts << " parts";
  }
}

INSTANTIATE_TEST_SUITE_P(all, real_graphs, ::testing::ValuesIn(copse::testing::real_files()),
                         [](const auto& tested) { return copse::testing::test_name_of(tested.param.name); });

}  // namespace
}  // namespace copse::test
