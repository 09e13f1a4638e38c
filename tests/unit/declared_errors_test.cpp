// Functions throw what copse/errors.hpp declares, also for files that the system refuses to look at.
#include <gtest/gtest.h>
#include <support/thrown.hpp>

#include <array>
#include <copse/copse.hpp>
#include <cstdint>
#include <filesystem>
#include <string>

namespace copse {
namespace {

/// A name that is too long for any file system.
const std::filesystem::path& no_name() {
  static const std::filesystem::path path = std::string(5000, 'x') + ".csv";
  return path;
}

TEST(names_of_no_file, are_errors_of_the_library) {
  const std::array paths{no_name(), no_name()};
  io::read_options weighted;
  weighted.weight_column = 3U;
  EXPECT_NE(test::thrown<error>([] { components(no_name(), io::read_options{}); }), "");
  EXPECT_NE(test::thrown<error>([&] { components(paths, io::read_options{}); }), "");
  EXPECT_NE(test::thrown<error>([] { spanning_forest(no_name(), io::read_options{}); }), "");
  EXPECT_NE(test::thrown<error>([&] { weighted_forest(no_name(), weighted); }), "");
  EXPECT_NE(test::thrown<error>([] { read_graph(no_name()); }), "");
  EXPECT_NE(test::thrown<error>([] { io::read_labels(no_name()); }), "");
  EXPECT_NE(test::thrown<error>([&] {
              groups_of_files(paths, {.id = "id", .keys = {"k"}, .one_namespace = false, .by_line = false}, {},
                              {.max_group = 2, .leave_out = true});
            }),
            "");
  EXPECT_NE(test::thrown<error>([&] { clusters_of_file(no_name(), weighted); }), "");
  EXPECT_NE(test::thrown<error>([] { compare_files({{no_name(), no_name()}}); }), "");
  EXPECT_NE(test::thrown<error>([&] { components_of_part(paths, {}, {}); }), "");
  EXPECT_NE(test::thrown<error>([] { partial<labelling>::open(no_name()); }), "");
  EXPECT_NE(test::thrown<error>([] { incremental::open(no_name()); }), "");
  EXPECT_NE(test::thrown<error>([] { basic_dynamic<std::int64_t>::open(no_name()); }), "");
  EXPECT_NE(test::thrown<error>([&] { size_of_files(paths, {}); }), "");
  EXPECT_NE(test::thrown<error>([] { io::write_labels(labelling{}, no_name()); }), "");
  EXPECT_FALSE(holds_weights(no_name()));
}

TEST(buffers, of_more_elements_than_there_are_addresses_are_refused) {
  EXPECT_NE(test::thrown<resource_error>([] { buffer<std::uint64_t>{SIZE_MAX / 4}; }), "");
}

}  // namespace
}  // namespace copse
