// Every real graph, in parts that are processes' in all but name: the checksum of one process.
#include <gtest/gtest.h>
#include <copse/components.hpp>
#include <copse/io.hpp>
#include <copse/partial.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "partial/named_parts.hpp"
#include "partial/pieces.hpp"
#include "support/real_graphs.hpp"
#include "support/sweep_length.hpp"
#include "support/temporary_folder.hpp"

namespace copse::test {
namespace {

std::vector<unsigned> part_counts() { return quick() ? std::vector<unsigned>{1, 3, 16} : std::vector<unsigned>{1, 2, 3, 7, 16}; }

class real_graphs : public ::testing::TestWithParam<copse::testing::real_file> {
protected:
  void SetUp() override {
    if (!std::filesystem::exists(file)) GTEST_SKIP() << file << " is not there";
  }
  const std::filesystem::path file = copse::testing::real_graphs_folder(COPSE_ROOT) / GetParam().name;
};

TEST_P(real_graphs, have_the_checksum_of_one_process_in_any_number_of_parts) {
  const std::vector<std::filesystem::path> files{file};
  const components_result whole = components(files, GetParam().options, {}, {.threads = 2});
  std::mt19937 random{1};
  for (const unsigned parts : part_counts()) {
    std::vector<partial<labelling>> forests;
    for (unsigned part = 0; part < parts; ++part)
      forests.push_back(components_of_part(files, {part, parts}, GetParam().options, {.threads = 1}));
    std::shuffle(forests.begin(), forests.end(), random);
    merger<labelling> merger;
    for (const partial<labelling>& forest : forests) merger.add(forest);
    const partial<labelling> all = merger.finish();
    ASSERT_EQ(checksum(all.answer()), checksum(whole.labels)) << parts << " parts";
    ASSERT_EQ(all.vertices(), summarise(whole.labels).vertices) << parts << " parts";
  }
}

/// Added in the order given, and between them a part that has no edge and one that has a single vertex.
partial<labelling> merged_with_small_parts(const std::vector<partial<labelling>>& parts, const std::vector<std::size_t>& order,
                                           const partial<labelling>& single) {
  merger<labelling> merger{{.threads = 2}};
  merger.add(partial<labelling>{});
  for (const std::size_t part : order) {
    merger.add(parts[part]);
    if (part == parts.size() / 2) merger.add(single);
  }
  merger.add(partial<labelling>{});
  return merger.finish();
}

// Parts are merged in three orders; those of the larger graphs in one, as the long list alone takes half of the time.
TEST_P(real_graphs, named_in_three_ways_have_the_checksum_of_one_process_in_any_number_of_parts) {
  constexpr std::size_t many_edges = 200000;
  constexpr naming kinds[] = {naming::dense, naming::wide, naming::strings};
  id_pairs edges;
  std::uint64_t vertices = 0, components_known = 0;
  {
    const graph held = io::read_graph(file, GetParam().options, {.threads = 2});
    vertices = held.vertices();
    edges = edges_and_lonely_vertices(held);
    if (quick() && edges.size() > many_edges) GTEST_SKIP() << "COPSE_SWEEP=quick tries smaller files";
    components_known = components(held, {}, {.threads = 2}).count();
  }
  const string_table strings{vertices};
  const temporary_folder folder;
  std::mt19937 random{7};
  for (const naming kind : kinds) {
    const std::string where = "naming " + std::to_string(static_cast<int>(kind)) + ", parts: ";
    std::uint64_t one_process = 0;
    const partial<labelling> single = forest_of_every({{vertices / 2, vertices / 2}}, 0, 1, kind, strings);
    for (const unsigned parts : part_counts()) {
      std::vector<partial<labelling>> forests;
      for (unsigned part = 0; part < parts; ++part) forests.push_back(forest_of_every(edges, part, parts, kind, strings));
      if (parts == 1) {
        one_process = checksum(forests.front().answer());
        ASSERT_EQ(summarise(forests.front().answer()).components, components_known) << where;
      }
      // As they come from other processes: one from a file, the others from bytes.
      forests.front().save(folder.path() / "part.forest");
      forests.front() = partial<labelling>::open(folder.path() / "part.forest");
      for (std::size_t part = 1; part < parts; ++part) forests[part] = partial<labelling>::from_bytes(forests[part].bytes().span());
      std::vector<std::size_t> order(parts);
      for (std::size_t part = 0; part < parts; ++part) order[part] = part;
      for (int turn = 0; turn < (edges.size() < many_edges ? 3 : 1); ++turn) {
        std::shuffle(order.begin(), order.end(), random);
        const partial<labelling> all = merged_with_small_parts(forests, order, single);
        ASSERT_EQ(checksum(all.answer()), one_process) << where << parts;
        ASSERT_EQ(all.vertices(), vertices) << where << parts;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(all, real_graphs, ::testing::ValuesIn(copse::testing::real_files()),
                         [](const auto& tested) { return copse::testing::test_name_of(tested.param.name); });

}  // namespace
}  // namespace copse::test
