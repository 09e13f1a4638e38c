// Saved structures: what comes back, and that nothing but a whole and unchanged file of ours is taken for one.
#include <gtest/gtest.h>
#include <api/dense_incremental.hpp>
#include <copse/errors.hpp>
#include <copse/incremental.hpp>

#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "support/labels.hpp"
#include "support/recorded_edges.hpp"
#include "support/signed_again.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"
#include "sweep/sweep.hpp"

namespace copse::test {
namespace {

using id = std::uint32_t;
using edges = std::vector<edge<id>>;

class store : public ::testing::Test {
protected:
  [[nodiscard]] std::filesystem::path file() const { return folder_ / "live.copse"; }
  [[nodiscard]] std::string bytes() const { return read_bytes(file()); }
  void write(std::string_view content) const { write_bytes(file(), content); }
  void expect_refused(std::string_view because) const {
    const std::string said = thrown<input_error>([&] { static_cast<void>(incremental::open(file())); });
    EXPECT_NE(said.find(because), std::string::npos) << said;
  }

  temporary_folder folder_;
};

TEST_F(store, gives_back_what_was_saved_to_any_variant) {
  for (const auto& g : solved_zoo()) {
    if (g.seed != 1) continue;
    incremental live{{.record_forest = true}, {.threads = 2}};
    live.insert(g.edges.edges.span());
    live.insert(edges{{5000, 5000}});
    live.save(file());
    for (const std::string variant : {"serial.none.rem", "threads.none.jtb.naive", "threads.none.hooks.split",
                                      "threads.none.liu_tarjan.PRFA", "threads.none.shiloach_vishkin"}) {
      incremental opened = incremental::open(file(), {.variant = variant}, {.threads = 2});
      EXPECT_EQ(opened.vertices(), live.vertices());
      EXPECT_EQ(opened.count(), live.count());
      EXPECT_EQ(checksum(opened.labels()), checksum(live.labels())) << variant << " on " << g.name;
      opened.insert(edges{{5000, 0}, {0, 1}});
      EXPECT_EQ(opened.size_of(5000), opened.size_of(0));
    }
    incremental with_forest = incremental::open(file(), {.record_forest = true});
    EXPECT_EQ(recorded_edges(with_forest.forest()).size(), recorded_edges(live.forest()).size());
    with_forest.insert(edges{{5000, 5001}});
    EXPECT_EQ(recorded_edges(with_forest.forest()).size(), recorded_edges(live.forest()).size() + 1);
  }
}

TEST_F(store, gives_back_the_bytes_beside_a_structure) {
  api::dense_incremental<id> live;
  live.insert(edges{{1, 2}});
  const std::vector<std::byte> beside{std::byte{1}, std::byte{0}, std::byte{255}};
  live.save(file(), beside);
  std::vector<std::byte> back;
  EXPECT_EQ(api::dense_incremental<id>::open(file(), {}, &back).count(), 1u);
  EXPECT_EQ(back, beside);
  EXPECT_EQ(incremental::open(file()).count(), 1u) << "bytes of another program are of no account";
}

TEST_F(store, keeps_the_forest_of_a_structure_that_began_with_labels) {
  incremental live = incremental::from(to_labelling(std::vector<id>{0, 0, 0, 3, 4}), {.record_forest = true});
  live.insert(edges{{3, 1}});
  live.save(file());
  incremental opened = incremental::open(file(), {.record_forest = true});
  EXPECT_EQ(opened.count(), 2u);
  const graph forest = opened.forest();
  EXPECT_EQ(recorded_edges(forest).size(), 1u);
  EXPECT_EQ(recorded_edges(forest)[0], (edge<id>{3, 1}));
  EXPECT_THROW((incremental{{.record_forest = true, .vertices = 9}}).merge(opened), usage_error)
      << "it does not know why 0, 1 and 2 are one";
}

TEST_F(store, of_wide_ids_and_of_nothing) {
  api::dense_incremental<std::uint64_t> wide;
  wide.insert(std::vector<edge<std::uint64_t>>{{1, 2}});
  wide.save(file());
  EXPECT_EQ((api::dense_incremental<std::uint64_t>::open(file()).count()), 1u);
  EXPECT_EQ(thrown<input_error>([&] { static_cast<void>(api::dense_incremental<id>::open(file())); }),
            file().string() + ": found ids of 8 bytes, expected ids of 4 bytes");
  EXPECT_EQ(incremental::open(file()).count(), 1u);
  incremental{}.save(file());
  EXPECT_EQ(incremental::open(file()).slots(), 0u);
  EXPECT_THROW(static_cast<void>(incremental::open(file(), {.record_forest = true})), usage_error);
}

TEST_F(store, refuses_every_cut_and_every_changed_byte) {
  incremental live{{.record_forest = true}};
  live.insert(edges{{1, 2}, {3, 2}, {7, 9}});
  live.save(file());
  const std::string good = bytes();
  for (std::size_t size = 0; size < good.size(); ++size) {
    write(good.substr(0, size));
    expect_refused(size < 8 ? "copse" : "cut off");
  }
  write(good + "x");
  expect_refused("behind the checksum");
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string damaged = good;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    write(damaged);
    EXPECT_THROW(static_cast<void>(incremental::open(file())), input_error) << "byte " << at;
  }
  write(good);
  EXPECT_EQ(incremental::open(file()).count(), 2u);
}

TEST_F(store, refuses_foreign_files_and_other_versions) {
  expect_refused("no such file");
  write("0 1\n1 2\n");
  expect_refused("found no saved connectivity, expected a file that copse has saved");
  incremental live{{.vertices = 3}};
  live.save(file());
  std::string other = bytes();
  other[8] = 2;
  write(signed_again(other));
  expect_refused("found version 2, expected version 1");
}

TEST_F(store, refuses_numbers_that_lie_although_the_checksum_agrees) {
  incremental live{{.vertices = 3}};
  live.save(file());
  const std::string good = bytes();
  std::string lying = good;
  lying[48] = 2;  // label of vertex 0
  write(signed_again(lying));
  expect_refused("found label 2 of vertex 0, expected the smallest vertex of its component");
  lying = good;
  lying[23] = 0x40;  // 2^62 slots more
  write(signed_again(lying));
  expect_refused("cut off");
  lying = good;
  std::memset(lying.data() + 24, 0xFE, 8);  // forest edges
  write(signed_again(lying));
  expect_refused("cut off");
}

TEST_F(store, an_old_file_stays_when_a_new_one_cannot_be_written) {
  incremental live{{.vertices = 3}};
  live.save(file());
  const std::string good = bytes();
  EXPECT_THROW(live.save(folder_ / "missing" / "live.copse"), input_error);
  EXPECT_EQ(bytes(), good);
  live.insert(edges{{0, 2}});
  live.save(file());
  EXPECT_NE(bytes(), good);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator{folder_.path()}, {}), 1) << "no temporary is left";
}

}  // namespace
}  // namespace copse::test
