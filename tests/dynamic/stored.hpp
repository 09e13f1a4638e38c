// What tests of graphs in folders share.
#pragma once
#include <gtest/gtest.h>
#include <copse/dynamic.hpp>
#include <copse/errors.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "support/sweep_length.hpp"
#include "support/temporary_folder.hpp"

#define NEEDS_STORE \
  if (!has_dynamic_store()) GTEST_SKIP() << "libsqlite3 is not on this machine"

namespace copse::test {

/// Are both the same in all that can be asked?
template <class Id>
void expect_same_graph(const basic_dynamic<Id>& found, const basic_dynamic<Id>& expected) {
  ASSERT_EQ(found.last_batch(), expected.last_batch());
  ASSERT_EQ(found.oldest_batch(), expected.oldest_batch());
  ASSERT_EQ(found.labels(), expected.labels());
  for (const auto& [v, label] : expected.labels()) ASSERT_EQ(found.component_of(v), expected.component_of(v));
  ASSERT_EQ(found.edges(), expected.edges());
  for (std::uint64_t batch = expected.oldest_batch(); batch <= expected.last_batch(); ++batch) {
    ASSERT_EQ(found.events(batch), expected.events(batch));
    ASSERT_EQ(found.changes(batch - 1), expected.changes(batch - 1));
  }
}

/// The batch that has this number in a graph that is made of its seed alone.
inline std::vector<dynamic_operation<std::uint64_t>> numbered_batch(unsigned seed, std::uint64_t number) {
  std::mt19937_64 random{seed * 1000003 + number};
  std::vector<dynamic_operation<std::uint64_t>> operations(1 + random() % 40);
  for (auto& operation : operations) {
    const std::uint64_t kind = random() % 8;
    operation.kind = kind < 5   ? dynamic_operation_kind::insert
                     : kind < 7 ? dynamic_operation_kind::erase
                                : dynamic_operation_kind::erase_vertex;
    operation.edge.u = random() % 50 * 0x9E3779B97F4A7C15u;
    operation.edge.v = random() % 50 * 0x9E3779B97F4A7C15u;
    operation.edge.weight = static_cast<double>(random() % 16) / 4;
  }
  return operations;
}

inline std::string bytes_of_file(const std::filesystem::path& file) {
  std::ifstream in{file, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

/// What became of stores with a damaged byte; `named` counts the refusals that say `name`.
struct damage_outcomes {
  std::size_t refused = 0, harmless = 0, named = 0;
};
/// Damages bytes of one file of the store one by one: all of them in a long run, otherwise one in `few`, or in a quick run one in `fewest`.
/// Each copy of the store must be refused with what was found, or be the same graph as `twin`.
inline void damage_bytes(const std::filesystem::path& damaged_file, std::size_t few, std::size_t fewest,
                         const basic_dynamic<std::uint64_t>& twin, std::string_view name, damage_outcomes& outcomes) {
  const temporary_folder folder;
  const std::string store = bytes_of_file(damaged_file);
  for (std::size_t i = 0; i < store.size(); i += quick() ? fewest : all_graphs() ? 1 : few) {
    std::string damaged = store;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x55);
    std::filesystem::remove_all(folder / "d");
    std::filesystem::copy(damaged_file.parent_path(), folder / "d");
    std::ofstream{folder / "d" / damaged_file.filename(), std::ios::binary} << damaged;
    try {
      const auto graph = basic_dynamic<std::uint64_t>::open(folder / "d", {}, {.read_only = true});
      ASSERT_NO_FATAL_FAILURE(expect_same_graph(graph, twin)) << "byte " << i;
      ++outcomes.harmless;
    } catch (const error& failure) {
      const std::string_view text = failure.what();
      ASSERT_NE(text.find("found"), std::string_view::npos) << text;
      ++outcomes.refused;
      outcomes.named += text.find(name) != std::string_view::npos;
    }
  }
}

}  // namespace copse::test
