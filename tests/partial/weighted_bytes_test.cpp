// Bytes and files of weighted forests: what is damaged, or lies, is refused.
#include <gtest/gtest.h>
#include <copse/components.hpp>
#include <copse/errors.hpp>
#include <copse/hierarchy.hpp>
#include <copse/incremental.hpp>
#include <copse/partial.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "partial/pieces.hpp"
#include "support/signed_again.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace copse::test {
namespace {

using bytes = std::vector<std::byte>;

TEST(weighted_forest_bytes, are_those_of_a_forest_without_weights_too) {
  const temporary_folder folder;
  const auto file = folder.path() / "part.forest";
  const scored_pairs pairs = random_pairs(100, 90, 2);
  for (const naming kind : all_namings) {
    const auto forest = forest_of(pairs, kind);
    forest.save(file);
    EXPECT_TRUE(holds_weights(file));
    EXPECT_EQ(bytes_of(partial<weighted_forest_result>::open(file)), bytes_of(forest));
    const partial<labelling> plain = partial<labelling>::open(file);
    EXPECT_EQ(test::bytes_of(plain), test::bytes_of(part_of<labelling>(pairs, kind)));
    EXPECT_NE(thrown<error>([&] { static_cast<void>(incremental::open(file)); }).find("found a forest with weights"), std::string::npos);
    plain.save(file);
    EXPECT_FALSE(holds_weights(file));
    EXPECT_NE(thrown<error>([&] { static_cast<void>(partial<weighted_forest_result>::open(file)); }).find("found a forest without weights"),
              std::string::npos);
  }
  EXPECT_FALSE(holds_weights(folder.path() / "none.forest"));
}

std::string refusal_of_bytes(const bytes& content) {
  return thrown<error>([&] { static_cast<void>(partial<weighted_forest_result>::from_bytes(content, "part.forest")); });
}

TEST(weighted_forest_bytes, that_lie_although_the_checksum_agrees_are_refused) {
  // Three vertices 0, 1, 2: labels at 48, edges (0, 1), (1, 2) at 60, "weight-1" at 76, its goal at 84, the weights at 92 and 100.
  const bytes good = bytes_of(forest_of({{0, 1, 1}, {1, 2, 0.5}}, naming::dense));
  ASSERT_EQ(good.size(), 116u);
  const auto refusal_with = [&good](std::initializer_list<std::pair<std::size_t, int>> changes) {
    bytes content = good;
    for (const auto& [at, value] : changes) content[at] = static_cast<std::byte>(value);
    return refusal_of_bytes(signed_again(content));
  };
  const auto expect_refusal = [&](std::initializer_list<std::pair<std::size_t, int>> changes, std::string_view because) {
    EXPECT_NE(refusal_with(changes).find(because), std::string::npos) << refusal_with(changes);
  };
  EXPECT_EQ(refusal_with({}), "");
  expect_refusal({{56, 2}}, "edges whose components are not those of the labels");
  expect_refusal({{68, 0}, {72, 1}}, "edges in ascending order");
  expect_refusal({{72, 3}}, "edges in ascending order with ends below 3");
  expect_refusal({{76, 'W'}}, "a forest without weights");
  expect_refusal({{84, 3}}, "the code 3 for the goal");
  expect_refusal({{98, 0xF8}, {99, 0x7F}}, "a weight that is not a number");
  expect_refusal({{24, 1}}, "bytes");
}

TEST(weighted_forest_bytes, whose_header_is_cut_off_are_refused) {
  // One vertex: its label at 48, "weight-1" at 52, its goal at 60, the checksum at 68. The header counts the 16 bytes beside at 32.
  bytes cut = bytes_of(forest_of({{0, 0, 1}}, naming::dense));
  ASSERT_EQ(cut.size(), 76u);
  ASSERT_EQ(cut[32], std::byte{16});
  cut.erase(cut.begin() + 60, cut.begin() + 68);
  cut[32] = std::byte{8};
  EXPECT_NE(refusal_of_bytes(signed_again(cut)).find("weights that are cut off"), std::string::npos) << refusal_of_bytes(signed_again(cut));
}

}  // namespace
}  // namespace copse::test
