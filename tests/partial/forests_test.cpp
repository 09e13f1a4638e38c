// What is special about components of parts: their normal form, and that structures which live are such files.
#include <gtest/gtest.h>
#include <copse/errors.hpp>
#include <copse/incremental.hpp>
#include <copse/partial.hpp>

#include "partial/pieces.hpp"
#include "support/labels.hpp"

namespace copse::test {
namespace {

TEST(normal_form, of_equal_labels_found_in_different_ways) {
  // Slots with absent ones, names that count up from 1, names of their own, 64-bit labels: one forest.
  const std::uint32_t none = no_vertex<std::uint32_t>;
  const auto expected = bytes_of(partial<labelling>{to_labelling<std::uint32_t>({none, 1, 1, 3})});
  EXPECT_EQ(bytes_of(partial<labelling>{labelling{to_buffer<std::uint32_t>({0, 0, 2}), vertex_names::consecutive(1, 3)}}), expected);
  EXPECT_EQ(bytes_of(partial<labelling>{
                labelling{to_buffer<std::uint64_t>({0, 0, 2}), vertex_names::integers(to_buffer<std::uint64_t>({1, 2, 3}))}}),
            expected);
  EXPECT_EQ(bytes_of(partial<labelling>{to_labelling<std::uint64_t>({no_vertex<std::uint64_t>, 1, 1, 3})}), expected);
  EXPECT_EQ(bytes_of(partial<labelling>{to_labelling<std::uint32_t>({none, 1, 1, 3, none, none})}), expected);
}

TEST(normal_form, is_bounded_by_the_vertices_seen) {
  constexpr std::size_t head = 56;        // of the file, with its checksum
  constexpr std::size_t names_head = 32;  // of the names
  id_pairs edges;
  for (std::uint64_t v = 0; v < 1000; ++v) edges.push_back({v, v / 2});
  EXPECT_EQ(forest_of(edges, naming::dense).bytes().size(), head + 4 * 1000);
  EXPECT_LE(forest_of(edges, naming::gaps).bytes().size(), head + 8 * 1000);
  EXPECT_EQ(forest_of(edges, naming::sparse).bytes().size(), head + names_head + 8 * 1000);
  EXPECT_EQ(forest_of(edges, naming::wide).bytes().size(), head + names_head + 12 * 1000);
  EXPECT_EQ(forest_of(edges, naming::negative).bytes().size(), head + names_head + 12 * 1000);
  EXPECT_EQ(forest_of(id_pairs{{0, 4000000000}}, naming::dense).bytes().size(), head + names_head + 8 * 2)
      << "not an array up to the largest";
}

TEST(normal_form, refuses_labels_that_are_none) {
  EXPECT_THROW(partial<labelling>{to_labelling<std::uint32_t>({1, 1})}, usage_error);
  EXPECT_THROW(partial<labelling>{to_labelling<std::uint32_t>({0, 0, 1})}, usage_error);
  EXPECT_THROW(partial<labelling>{dense(to_labelling<std::uint32_t>({0, 0, 2}))}, usage_error);
}

TEST(incremental_files, are_forests_and_forests_of_slots_are_theirs) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / ("forest_" + std::to_string(getpid()));
  incremental live{{.record_forest = true}};
  live.insert(std::vector<edge<std::uint32_t>>{{1, 2}, {2, 3}, {5, 6}});
  live.save(file);
  const partial<labelling> opened = partial<labelling>::open(file);
  EXPECT_EQ(checksum(opened.answer()), checksum(live.labels()));
  opened.save(file);
  incremental again = incremental::open(file);
  EXPECT_EQ(again.count(), 2u);
  EXPECT_EQ(checksum(again.labels()), checksum(live.labels()));
  forest_of(id_pairs{{3, 4}}, naming::strings).save(file);
  EXPECT_THROW(static_cast<void>(incremental::open(file)), input_error) << "positions are no ids";
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace copse::test
