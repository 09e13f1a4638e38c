// What is special about weighted forests of parts: thresholds, goals, what is no forest, and files.
#include <gtest/gtest.h>
#include <copse/components.hpp>
#include <copse/errors.hpp>
#include <copse/hierarchy.hpp>
#include <copse/incremental.hpp>
#include <copse/partial.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "partial/pieces.hpp"
#include "support/real_graphs.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace copse::test {
namespace {

using bytes = std::vector<std::byte>;

TEST(merged_weighted_forests, have_the_components_of_every_threshold) {
  const scored_pairs pairs = random_pairs(400, 500, 9);
  for (const naming kind : {naming::dense, naming::sparse, naming::negative, naming::strings}) {
    const partial<weighted_forest_result> all = merged(answers_of_parts<weighted_forest_result>(pairs, 7, kind), {3, 1, 6, 0, 2, 5, 4});
    const hierarchy joined{all.answer().edges, all.answer().weights.view()};
    for (const double threshold : {-3.0, 0.0, 0.3, 0.75, 1.0, 2.0}) {
      id_pairs heavy;  // loops make every vertex one of the graph
      for (const auto& [u, v, weight] : pairs) {
        heavy.push_back({u, u});
        heavy.push_back({v, v});
        if (weight >= threshold) heavy.push_back({u, v});
      }
      EXPECT_EQ(checksum(joined.labels_at(threshold)), checksum(test::forest_of(heavy, kind).answer())) << threshold;
    }
  }
}

TEST(merged_weighted_forests, refuse_another_goal) {
  merger<weighted_forest_result> merger;
  const scored_pairs pairs{{3, 4, 1}};
  merger.add(forest_of(pairs, naming::dense));
  EXPECT_EQ(thrown<error>([&] { merger.add(forest_of(pairs, naming::dense, forest_goal::minimum)); }),
            "merge: the forest must be a maximum one, as those before it, not a minimum one");
  EXPECT_EQ(merger.finish().vertices(), 2u) << "the merger is as it was";
}

TEST(merged_weighted_forests, are_proved_with_their_goal_and_precision) {
  const scored_pairs path{{0, 1, 1}, {1, 2, 0.5}};  // either forest has both edges
  for (const forest_goal goal : {forest_goal::minimum, forest_goal::maximum}) {
    std::vector<partial<weighted_forest_result>> parts;
    parts.push_back(forest_of(path, naming::dense, goal));
    EXPECT_TRUE(proof_of(parts.front(), parts, 1));
    const bool minimum = goal == forest_goal::minimum;
    EXPECT_EQ(proof_of(forest_of(path, naming::dense, minimum ? forest_goal::maximum : forest_goal::minimum), parts, 1).reason,
              minimum ? "found a maximum forest, expected a minimum one, as that of a part"
                      : "found a minimum forest, expected a maximum one, as that of a part");
    weighted_forest_result single = forest_of(path, naming::dense, goal).take_answer();
    buffer<double> weights{2};
    weights[0] = 1;
    weights[1] = 0.5;
    single.weights = weight_column{std::move(weights), weight_precision::single};
    EXPECT_EQ(proof_of(partial<weighted_forest_result>{single}, parts, 1).reason,
              "found weights of another precision than those of a part");
  }
}

TEST(merged_weighted_forests, of_no_vertices_keep_their_goal) {
  for (const forest_goal goal : {forest_goal::minimum, forest_goal::maximum}) {
    weighted_forest_result none;
    none.edges = graph{coo<std::uint32_t>{}};
    none.goal = goal;
    std::vector<partial<weighted_forest_result>> parts;
    parts.emplace_back(none);
    EXPECT_EQ(merge(parts).answer().goal, goal);
  }
}

TEST(a_weighted_forest, is_made_of_forests_alone) {
  const auto list = [](std::vector<edge<std::uint32_t>> edges) {
    buffer<edge<std::uint32_t>> held{edges.size()};
    std::copy(edges.begin(), edges.end(), held.begin());
    return graph{coo<std::uint32_t>{3, std::move(held)}};
  };
  const std::vector<double> three{1, 2, 3};
  const std::vector<std::int64_t> large{1, (std::int64_t{1} << 60) + 1}, largest{1, std::numeric_limits<std::int64_t>::max()};
  const auto refusal = []<class Weight>(graph edges, std::span<const Weight> weights) {
    weighted_forest_result found;
    found.edges = std::move(edges);
    buffer<Weight> column{weights.size()};
    std::copy(weights.begin(), weights.end(), column.begin());
    found.weights = weight_column{std::move(column)};
    return thrown<error>([&] { static_cast<void>(partial<weighted_forest_result>{found}); });
  };
  EXPECT_EQ(refusal(list({{0, 1}, {1, 2}, {2, 0}}), std::span<const double>{three}), "the forest must have no edges that close a cycle");
  EXPECT_EQ(refusal(list({{0, 1}}), std::span<const double>{three}), "forest: weights must have one for each edge, 1, not 3");
  for (const auto& weights : {large, largest}) {
    EXPECT_NE(refusal(list({{0, 1}, {1, 2}}), std::span<const std::int64_t>{weights})
                  .find("weights must be integers that a double holds exactly"),
              std::string::npos);
  }
  EXPECT_EQ(refusal(list({{2, 1}, {1, 0}}), std::span<const std::int64_t>{large}.first(0)),
            "forest: weights must have one for each edge, 2, not 0");
}

class weighted_parts_of_files : public ::testing::Test {
protected:
  std::filesystem::path write(const std::string& name, std::string_view content) const {
    std::ofstream{folder_.path() / name, std::ios::binary} << content;
    return folder_.path() / name;
  }
  temporary_folder folder_;
};

TEST_F(weighted_parts_of_files, are_merged_to_the_forest_of_all) {
  std::string text, csv = "left,right,score\n", mtx = "%%MatrixMarket matrix coordinate real general\n90 90 120\n";
  const scored_pairs pairs = random_pairs(80, 119, 6);
  for (std::size_t i = 0; i < 120; ++i) {
    const auto& [u, v, weight] = pairs[i];
    text += std::to_string(u * 1000) + " " + std::to_string(v * 1000) + " " + std::to_string(weight) + "\n";
    csv += "\"id " + std::to_string(u) + "\",id " + std::to_string(v) + "," + std::to_string(weight) + "\n";
    mtx += std::to_string(u + 1) + " " + std::to_string(v + 1) + " " + std::to_string(weight) + "\n";
  }
  io::read_options third;
  third.weight_column = 3u;
  using paths = std::vector<std::filesystem::path>;
  const paths list{write("a.el", text)}, table{write("b.csv", csv)}, matrix{write("c.mtx", mtx)};
  const paths several{write("d.el", "0 1 0.5\n7000 1 2\n"), list.front()};
  for (const auto& [files, reading] :
       {std::pair{list, third}, std::pair{table, third}, std::pair{matrix, io::read_options{}}, std::pair{several, third}}) {
    for (const forest_goal goal : {forest_goal::minimum, forest_goal::maximum}) {
      const auto whole = weighted_forest_of_part(files, {}, reading, {.goal = goal});
      EXPECT_TRUE(verify_part(files, {}, reading, whole)) << verify_part(files, {}, reading, whole).reason;
      for (const unsigned parts : {2u, 3u, 7u}) {
        merger<weighted_forest_result> merger;
        for (unsigned part = parts; part-- > 0;) {
          const auto own = weighted_forest_of_part(files, {part, parts}, reading, {.goal = goal}, {.threads = 2});
          EXPECT_TRUE(verify_part(files, {part, parts}, reading, own));
          EXPECT_EQ(verify_part(files, {}, reading, own).right, bytes_of(own) == bytes_of(whole)) << "one part may have it all";
          merger.add(own);
        }
        EXPECT_EQ(bytes_of(merger.finish()), bytes_of(whole)) << files.front() << " in " << parts;
      }
    }
  }
  EXPECT_EQ(weighted_forest_of_part(matrix, {}, {}).vertices(), 90u) << "all that are declared";
  EXPECT_THROW(weighted_forest_of_part(list, {2, 2}, third), usage_error);
  EXPECT_THROW(weighted_forest_of_part(list, {}, {}), usage_error) << "no column of weights";
}

TEST_F(weighted_parts_of_files, of_which_one_has_no_file_keep_their_goal) {
  for (const auto& file : {write("g.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 0.5\n"),
                           write("g.graph", "3 2 1\n2 5\n1 5 3 7\n2 7\n")}) {
    const std::vector<std::filesystem::path> files{file};
    for (const forest_goal goal : {forest_goal::minimum, forest_goal::maximum}) {
      std::vector<partial<weighted_forest_result>> parts;
      parts.push_back(weighted_forest_of_part(files, {1, 2}, {}, {.goal = goal}));
      EXPECT_EQ(parts.front().vertices(), 0u) << file;
      EXPECT_EQ(parts.front().answer().goal, goal) << file;
      EXPECT_EQ(partial<weighted_forest_result>::from_bytes(bytes_of(parts.front())).answer().goal, goal) << file;
      EXPECT_EQ(merge(parts).answer().goal, goal) << file;
    }
  }
}

TEST_F(weighted_parts_of_files, have_the_forest_of_one_process_on_a_road_network) {
  const auto road = copse::testing::real_graphs_folder(COPSE_ROOT) / "USA-road-d.NY.rebuilt.gr.gz";
  if (!std::filesystem::exists(road)) GTEST_SKIP() << road << " is not there";
  const weighted_graph g = io::read_weighted_graph(road);
  const auto found = weighted_forest(g);
  const bytes whole = bytes_of(partial<weighted_forest_result>{found});
  const auto& edges = std::get<coo<std::uint32_t>>(g.edges.shape()).edges;
  for (const std::size_t parts : {3u, 16u}) {
    merger<weighted_forest_result> merger;
    for (std::size_t part = 0; part < parts; ++part) {
      weighted_edge_sink sink;
      std::vector<std::uint64_t> sources, targets;
      std::vector<double> weights;
      for (std::size_t i = part; i < edges.size(); i += parts) {
        sources.push_back(g.edges.names().integer(edges[i].u));
        targets.push_back(g.edges.names().integer(edges[i].v));
        weights.push_back(g.weights[i]);
      }
      sink.add({sources, targets}, weights);
      merger.add(partial<weighted_forest_result>{sink.forest()});
    }
    EXPECT_EQ(bytes_of(merger.finish()), whole) << parts;
  }
}

}  // namespace
}  // namespace copse::test
