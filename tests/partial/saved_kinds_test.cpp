// Every kind of file that copse saves, given to every reader: those that understand it find its components, all others refuse it by name.
// And files whose checksum is right though an id or a count in them cannot be.
#include <gtest/gtest.h>
#include <api/dense_incremental.hpp>
#include <copse/errors.hpp>
#include <copse/incremental.hpp>
#include <copse/partial.hpp>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "partial/pieces.hpp"
#include "support/signed_again.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace copse::test {
namespace {

using path = std::filesystem::path;

std::string content_of(const path& file) {
  std::ifstream from{file, std::ios::binary};
  return {std::istreambuf_iterator<char>{from}, {}};
}

std::uint64_t components_of(const labelling& labels) { return summarise(labels).components; }

/// A way to read a saved file; returns the components that it holds.
struct reader {
  char letter;
  std::function<std::uint64_t(const path&)> components;
};

const std::vector<reader>& readers() {
  static const std::vector<reader> all{
      {'a', [](const path& file) { return incremental::open(file).count(); }},
      {'i', [](const path& file) { return api::dense_incremental<std::uint32_t>::open(file).count(); }},
      {'r', [](const path& file) { return api::dense_incremental<std::uint32_t>::open(file, {.record_forest = true}).count(); }},
      {'b',
       [](const path& file) {
         std::vector<std::byte> beside;
         return api::dense_incremental<std::uint32_t>::open(file, {}, &beside).count();
       }},
      {'w', [](const path& file) { return api::dense_incremental<std::uint64_t>::open(file).count(); }},
      {'f', [](const path& file) { return components_of(partial<labelling>::open(file).answer()); }},
      {'F',
       [](const path& file) {
         const std::string bytes = content_of(file);
         return components_of(partial<labelling>::from_bytes(std::as_bytes(std::span{bytes}), file.string()).answer());
       }},
      {'h',
       [](const path& file) {
         const auto forest = partial<weighted_forest_result>::open(file);
         return forest.vertices() - forest.answer().edge_count();
       }},
      {'H',
       [](const path& file) {
         const std::string bytes = content_of(file);
         const auto forest = partial<weighted_forest_result>::from_bytes(std::as_bytes(std::span{bytes}), file.string());
         return forest.vertices() - forest.answer().edge_count();
       }},
      {'s', [](const path& file) { return incremental::resume(file).count(); }},
  };
  return all;
}

/// Two components, of the vertices 1, 2 and 5.
const id_pairs three_vertices{{1, 2}, {5, 5}};
const scored_pairs three_with_weights{{1, 2, 0.5}, {5, 5, 1}};

/// `asks`: the batch is open, and has a query.
void save_stream(const path& file, naming kind, bool asks) {
  incremental stream{{.ids = kind == naming::strings  ? vertex_ids::strings
                             : kind == naming::sparse ? vertex_ids::sparse
                                                      : vertex_ids::integers,
                      .batch = 100},
                     {.threads = 1}};
  io::operation_batch batch;
  batch.clear(kind == naming::strings);
  for (const auto [u, v] : three_vertices) {
    if (kind == naming::strings) {
      const std::string a = "v" + std::to_string(u), b = "v" + std::to_string(v);
      batch.add(operation::insert, io::named_edge{a, b});
    } else {
      batch.add(operation::insert, edge<std::uint64_t>{integer_name(u, kind), integer_name(v, kind)});
    }
  }
  if (asks && kind == naming::strings) {
    batch.add(operation::query, io::named_edge{"v1", "v2"});
  } else if (asks) {
    batch.add(operation::query, edge<std::uint64_t>{integer_name(1, kind), integer_name(2, kind)});
  }
  static_cast<void>(stream.apply(batch));
  stream.checkpoint(file);
}

struct saved_file {
  std::string name;
  std::string understood;  ///< by these readers
  std::function<void(const path&)> save;
};

template <class Id>
void save_structure(const path& file, bool record_forest, std::size_t beside_bytes) {
  api::dense_incremental<Id> live{0, {.record_forest = record_forest}};
  live.insert(std::vector<edge<Id>>{{1, 2}, {5, 5}});
  live.save(file, std::vector<std::byte>(beside_bytes, std::byte{'n'}));
}

std::vector<saved_file> saved_files() {
  return {
      {"a structure", "aibfF", [](const path& file) { save_structure<std::uint32_t>(file, false, 0); }},
      {"one that records its forest", "airbfF", [](const path& file) { save_structure<std::uint32_t>(file, true, 0); }},
      {"one of wide ids", "awfF", [](const path& file) { save_structure<std::uint64_t>(file, false, 0); }},
      {"one with 5 bytes of a caller", "aib", [](const path& file) { save_structure<std::uint32_t>(file, false, 5); }},
      {"one with 100 bytes of a caller", "aib", [](const path& file) { save_structure<std::uint32_t>(file, false, 100); }},
      {"a forest of dense ids", "aibfF", [](const path& file) { forest_of(three_vertices, naming::dense).save(file); }},
      {"a forest of sparse ids", "fF", [](const path& file) { forest_of(three_vertices, naming::sparse).save(file); }},
      {"a forest of wide ids", "fF", [](const path& file) { forest_of(three_vertices, naming::wide).save(file); }},
      {"a forest of negative ids", "fF", [](const path& file) { forest_of(three_vertices, naming::negative).save(file); }},
      {"a forest of strings", "fF", [](const path& file) { forest_of(three_vertices, naming::strings).save(file); }},
      {"a forest with weights", "fFhH", [](const path& file) { forest_of(three_with_weights, naming::dense).save(file); }},
      {"a forest with weights, of sparse ids", "fFhH", [](const path& file) { forest_of(three_with_weights, naming::sparse).save(file); }},
      {"a forest with weights, of negative ids", "fFhH",
       [](const path& file) { forest_of(three_with_weights, naming::negative).save(file); }},
      {"a forest with weights, of strings", "fFhH", [](const path& file) { forest_of(three_with_weights, naming::strings).save(file); }},
      {"a stream of slots", "aifs", [](const path& file) { save_stream(file, naming::dense, true); }},
      {"a stream of sparse ids", "afs", [](const path& file) { save_stream(file, naming::sparse, true); }},
      {"a stream of strings", "afs", [](const path& file) { save_stream(file, naming::strings, false); }},
      {"a stream of strings with a query", "afs", [](const path& file) { save_stream(file, naming::strings, true); }},
      {"text", "", [](const path& file) { write_bytes(file, "1 2\n5 5\n"); }},
      {"nothing", "", [](const path& file) { write_bytes(file, ""); }},
      {"a beginning", "", [](const path& file) { write_bytes(file, "copse-cc"); }},
  };
}

TEST(saved_files, are_read_by_those_that_understand_them_and_refused_by_all_others) {
  const temporary_folder folder;
  for (const saved_file& kind : saved_files()) {
    const path file = folder / "saved";
    kind.save(file);
    for (const reader& by : readers()) {
      const std::string place = kind.name + ", read by " + by.letter;
      std::optional<std::uint64_t> components;
      const std::string refusal = thrown<error>([&] { components = by.components(file); });
      if (kind.understood.find(by.letter) != std::string::npos) {
        EXPECT_EQ(components, 2u) << place << ": " << refusal;
      } else {
        EXPECT_FALSE(components) << place;
        EXPECT_TRUE(refusal.starts_with(file.string() + ": found ")) << place << ": " << refusal;
        EXPECT_NE(refusal.find(", expected "), std::string::npos) << place << ": " << refusal;
      }
    }
    EXPECT_EQ(holds_weights(file), kind.understood.find('h') != std::string::npos) << kind.name;
  }
}

TEST(saved_files, whose_names_say_so_are_packed_and_read_all_the_same) {
  const temporary_folder folder;
  for (const saved_file& kind : saved_files()) {
    if (kind.understood.empty()) continue;
    for (const std::string name : {"saved.gz", "saved.zst"}) {
      kind.save(folder / name);
      EXPECT_FALSE(content_of(folder / name).starts_with("copse-cc")) << kind.name;
      EXPECT_EQ(holds_weights(folder / name), kind.understood.find('h') != std::string::npos) << kind.name;
      for (const reader& by : readers()) {
        if (by.letter == 'F' || by.letter == 'H' || kind.understood.find(by.letter) == std::string::npos) continue;
        EXPECT_EQ(by.components(folder / name), 2u) << kind.name << " in " << name << ", read by " << by.letter;
      }
    }
  }
}

TEST(saved_files, with_a_stream_empty_so_far_are_empty_structures) {
  const temporary_folder folder;
  incremental{}.checkpoint(folder / "empty");
  EXPECT_EQ(incremental::open(folder / "empty").slots(), 0u);
  EXPECT_EQ(incremental::resume(folder / "empty").vertices(), 0u);
  EXPECT_EQ(partial<labelling>::open(folder / "empty").vertices(), 0u);
}

struct lie {
  std::string of, found;  ///< which kind of file, and what a refusal says it found
  std::string readers;    ///< which must say that
  std::string after;      ///< the bytes that the change is counted from; empty: the beginning
  std::size_t at;
  std::uint64_t value;
  std::size_t bytes = 8;
};

/// A stream's header counts from "stream-3": records 8, answers 16, batch 24, names 32, kind 40, how 44, open queries 56, knows its sum 64,
/// automatic 68; the open query 72 and 80, then names of 12 bytes. Of strings v1 and v2 the open query has its lengths at 72 and 78. An
/// open query may ask for any integers.
const std::vector<lie>& lies() {
  constexpr std::uint64_t all_ones = UINT64_MAX;
  static const std::vector<lie> all{
      {"a stream of sparse ids", "a name that comes twice", "fs", "stream-3", 104, 0xF903000000000000},
      {"a stream of sparse ids", "names that do not fit the structure", "fs", "stream-3", 32, all_ones},
      {"a stream of sparse ids", "names that do not fit the structure", "fs", "stream-3", 88, 7, 4},
      {"a stream of slots", "numbers that contradict each other", "fs", "stream-3", 8, all_ones},
      {"a stream of slots", "numbers that contradict each other", "fs", "stream-3", 8, all_ones / 2 + 1},
      {"a stream of slots", "numbers that contradict each other", "fs", "stream-3", 16, all_ones},
      {"a stream of slots", "numbers that contradict each other", "fs", "stream-3", 24, all_ones},
      {"a stream of slots", "numbers that contradict each other", "fs", "stream-3", 56, all_ones},
      {"a stream of slots", "numbers that contradict each other", "fs", "stream-3", 44, 2, 4},
      {"a stream of slots", "a checkpoint of a stream whose ids are sparse or strings", "i", "stream-3", 40, 9, 4},
      {"a stream of slots", "numbers that contradict each other", "fs", "stream-3", 64, 3, 4},
      {"a stream of strings", "names that do not fit the structure", "fs", "stream-3", 72, all_ones, 4},
      {"a stream of strings with a query", "queries that cannot be read", "fs", "stream-3", 72, all_ones, 4},
      {"a stream of strings with a query", "queries that cannot be read", "fs", "stream-3", 78, all_ones, 4},
      {"a stream of slots", "bytes of another version beside the structure", "ibfs", "stream-3", 7, '4', 1},
      {"a stream of sparse ids", "bytes of another version beside the structure", "ibfs", "stream-3", 7, '4', 1},
      {"a forest of sparse ids", "bytes of another version beside the structure", "ibfFs", "names-1", 6, '2', 1},
      {"a forest with weights", "bytes of another version beside the structure", "ibfFs", "weight-1", 7, '2', 1},
      {"a forest of wide ids", "the id 0", "fF", "names-1", 48, 0},
      {"a forest of negative ids", "the id -9", "fF", "names-1", 48, all_ones - 8},
      {"a forest of negative ids", "the code 5 for the kind of the names", "fF", "names-1", 8, 5},
      {"a forest of sparse ids", "18446744073709551615 names", "fF", "names-1", 16, all_ones},
      {"a forest of strings", "strings of more bytes than there are", "fF", "names-1", 32, UINT32_MAX, 4},
      {"a forest with weights", "the edge 0 4294967295", "hH", "copse-cc", 64, UINT32_MAX, 4},
      {"a forest with weights", "the code 4294967295 for the goal", "fFhH", "weight-1", 8, all_ones},
      {"a forest with weights", "the code 3 for the type of the weights", "fFhH", "weight-1", 12, 3, 4},
      {"a structure", "label 4294967294 of vertex 5", "aibfF", "copse-cc", 68, UINT32_MAX - 1, 4},
      {"a structure", "the number 18446744073709551615 for yes or no", "aibfF", "copse-cc", 40, all_ones},
      {"a structure", "ids of 4294967295 bytes", "aibfF", "copse-cc", 12, UINT32_MAX, 4},
      {"a structure", "bytes", "aibfF", "copse-cc", 16, all_ones},
      {"a structure", "4294967296 slots and more", "aibfF", "copse-cc", 16, std::uint64_t{1} << 32},
      {"a structure", "bytes", "aibfF", "copse-cc", 24, all_ones - 1},
      {"a structure", "bytes", "aibfF", "copse-cc", 32, all_ones},
      {"one that records its forest", "the forest edge 4294967295 2", "r", "copse-cc", 72, UINT32_MAX, 4},
      {"one that records its forest", "the forest edge 2 2", "r", "copse-cc", 72, 2, 4},
      {"one that records its forest", "the forest edge 5 2", "r", "copse-cc", 72, 5, 4},
      {"one that records its forest", "a forest of 1 edges", "r", "copse-cc", 68, 1, 4},
  };
  return all;
}

TEST(saved_files, that_lie_although_the_checksum_agrees_are_refused) {
  const temporary_folder folder;
  const auto kinds = saved_files();
  for (const lie& row : lies()) {
    const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const saved_file& each) { return each.name == row.of; });
    ASSERT_NE(kind, kinds.end()) << row.of;
    const path file = folder / "saved";
    kind->save(file);
    std::string content = content_of(file);
    const std::size_t begin = content.find(row.after);
    ASSERT_NE(begin, std::string::npos) << row.of;
    ASSERT_LE(begin + row.at + row.bytes, content.size()) << row.of << ", " << row.found;
    std::memcpy(content.data() + begin + row.at, &row.value, row.bytes);
    write_bytes(file, signed_again(content));
    for (const reader& by : readers()) {
      const std::string place = row.of + " with " + row.found + ", read by " + by.letter;
      const std::string refusal = thrown<error>([&] { static_cast<void>(by.components(file)); });
      if (row.readers.find(by.letter) != std::string::npos) {
        EXPECT_TRUE(refusal.starts_with(file.string() + ": found ")) << place << ": " << refusal;
        EXPECT_NE(refusal.find(row.found), std::string::npos) << place << ": " << refusal;
      }
    }
  }
}

}  // namespace
}  // namespace copse::test
