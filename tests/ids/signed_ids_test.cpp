// Negative ids: every way in gives the answer of the definition, over std::int64_t, and ids above INT64_MAX in the same input are refused.
#include <gtest/gtest.h>
#include <copse/components.hpp>
#include <copse/components_sink.hpp>
#include <copse/errors.hpp>
#include <copse/group_sink.hpp>
#include <copse/io.hpp>
#include <copse/verify.hpp>
#include <copse/weighted_forest.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "io/npy_bytes.hpp"
#include "streaming/drive.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace copse::test {
namespace {

using number = std::int64_t;
using pairs = std::vector<std::pair<number, number>>;
using answer = std::map<number, number>;

constexpr number least = std::numeric_limits<number>::min(), most = std::numeric_limits<number>::max();
constexpr std::array<unsigned, 2> all_threads{1, 7};

/// Ids of small and of all sizes, and those at the ends.
pairs random_pairs(std::uint64_t seed, std::size_t count) {
  std::mt19937_64 random{seed};
  std::vector<number> ids{-1, 0, 1, least, least + 1, most, -4294967295, 4294967295, 4294967296};
  while (ids.size() < count / 2) ids.push_back(static_cast<number>(random()));
  const auto id = [&] {
    return random() % 3 == 0 ? static_cast<number>(random() % count) - static_cast<number>(count / 2) : ids[random() % ids.size()];
  };
  pairs all;
  while (all.size() < count) all.emplace_back(id(), id());
  return all;
}

/// Name -> name of the label, which are signed.
answer answer_of(const labelling& labels) {
  EXPECT_TRUE(labels.names().is_signed());
  const auto name = [&](std::uint64_t v) { return static_cast<number>(labels.names().integer(v)); };
  answer found;
  for (std::uint64_t v = 0; v < labels.slots(); ++v) found.emplace(name(v), name(labels.label(v)));
  EXPECT_EQ(found.size(), labels.slots());
  return found;
}

std::string as_text(const pairs& all, char between) {
  std::string text;
  for (const auto& [u, v] : all) text += std::to_string(u) + between + std::to_string(v) + '\n';
  return text;
}

std::string as_words(const pairs& all) {
  std::string bytes;
  for (const auto& [u, v] : all) bytes += testing::packed<number>({u, v});
  return bytes;
}

struct columns {
  std::vector<number> sources, targets;
  explicit columns(const pairs& all) {
    for (const auto& [u, v] : all) {
      sources.push_back(u);
      targets.push_back(v);
    }
  }
};

class signed_ids : public ::testing::Test {
protected:
  std::filesystem::path write(const std::string& name, const std::string& bytes) {
    write_bytes(folder / name, bytes);
    return folder / name;
  }
  std::string refusal(const std::filesystem::path& path, const io::read_options& options, unsigned threads) {
    std::string text = thrown<input_error>([&] { components(path, options, {}, {.threads = threads}); });
    for (std::size_t at = text.find(folder.path().string()); at != std::string::npos; at = text.find(folder.path().string()))
      text.erase(at, folder.path().string().size() + 1);
    return text;
  }
  temporary_folder folder;
};

TEST_F(signed_ids, of_files_in_every_format_are_those_of_the_definition) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const pairs all = random_pairs(seed, std::size_t{1} << (2 + seed % 9));
    const answer expected = smallest_names<number>(all);
    const std::string count = std::to_string(all.size());
    std::vector<std::pair<std::filesystem::path, bool>> files{
        {write("a.el", as_text(all, ' ')), false},
        {write("a.csv", "u,v\n" + as_text(all, ',')), false},
        {write("a.npy", testing::npy("<i8", false, "(" + count + ", 2)", as_words(all))), false},
        {write("a.coo64", as_words(all)), true}};
    for (const auto& [path, needs_option] : files) {
      for (const unsigned threads : all_threads) {
        io::read_options options;
        options.signed_ids = needs_option;
        options.block_bytes = 256;
        const execution on{.threads = threads};
        SCOPED_TRACE(path.filename().string() + ", seed " + std::to_string(seed) + ", threads " + std::to_string(threads));
        const labelling labels = components(path, options, {}, on).labels;
        ASSERT_EQ(answer_of(labels), expected);
        ASSERT_TRUE(verify(path, options, labels, on).right) << verify(path, options, labels, on).reason;
        const graph g = io::read_graph(path, options, on);
        ASSERT_TRUE(g.names().is_signed());
        ASSERT_EQ(g.vertices(), expected.size());
        ASSERT_TRUE(verify(g, labels).right) << verify(g, labels).reason;
      }
    }
  }
}

TEST_F(signed_ids, of_narrow_columns_keep_their_sign) {
  const auto npy = write("a.npy", testing::npy("<i4", false, "(2, 2)", testing::packed<std::int32_t>({-1, 5, -2147483647 - 1, 5})));
  const answer expected{{-2147483648, -2147483648}, {-1, -2147483648}, {5, -2147483648}};
  EXPECT_EQ(answer_of(components(npy, {}).labels), expected);
  io::read_options options;
  options.signed_ids = true;
  const auto coo = write("a.coo", testing::packed<std::int32_t>({-1, 5, -2147483647 - 1, 5}));
  EXPECT_EQ(answer_of(components(coo, options).labels), expected);
  EXPECT_FALSE(components(coo, {}).labels.names().is_signed()) << "4294967295 unless told";
  components_sink sink;
  sink.add({std::array<std::int32_t, 2>{-1, -2147483647 - 1}, std::array<std::int32_t, 2>{5, 5}});
  EXPECT_EQ(answer_of(sink.finish().labels), expected);
}

TEST_F(signed_ids, all_words_are_ids_of_unsigned_input) {
  const auto path = write("a.el", "18446744073709551615 4294967295\n9223372036854775808 7\n");
  for (const unsigned threads : all_threads) {
    const labelling labels = components(path, {}, {}, {.threads = threads}).labels;
    EXPECT_FALSE(labels.names().is_signed());
    ASSERT_EQ(labels.slots(), 4u);
    EXPECT_EQ(labels.names().integer(0), 7u);
    EXPECT_EQ(labels.names().integer(3), UINT64_MAX);
    EXPECT_EQ(labels.label(3), 1u);
    EXPECT_EQ(labels.label(2), 0u);
    EXPECT_TRUE(verify(path, {}, labels).right);
  }
}

TEST_F(signed_ids, beside_large_ones_are_refused_with_both_places_in_every_order) {
  constexpr std::string_view large = "18446744073709551615";
  for (const unsigned threads : all_threads) {
    io::read_options options;
    options.block_bytes = 16;
    const auto minus_last = write("last.el", "1 2\n3 " + std::string{large} + "\n4 5\n6 7\n8 9\n-1 2\n-2 3\n");
    EXPECT_EQ(refusal(minus_last, options, threads),
              "last.el:6: found the id -1, expected ids of 0 or more, as last.el:2 has 18446744073709551615, which is above 2^63 - 1");
    const auto minus_first = write("first.el", "1 2\n3 -1\n-2 5\n6 7\n8 9\n" + std::string{large} + " 2\n");
    EXPECT_EQ(refusal(minus_first, options, threads),
              "first.el:6: found the id 18446744073709551615, expected ids up to 9223372036854775807, as first.el:2 has -1");
    const auto same_line = write("line.el", "1 2\n-1 " + std::string{large} + "\n");
    EXPECT_NE(refusal(same_line, options, threads).find("line.el:2: found the id"), std::string::npos);
    // Several files, and tables of vertices, are one input.
    const auto plain = write("plain.el", "1 2\n" + std::string{large} + " 3\n"), negative = write("negative.el", "1 2\n2 3\n-5 3\n");
    const std::vector<std::filesystem::path> both{plain, negative};
    EXPECT_NE(thrown<input_error>([&] {
                components(both, options, {}, {.threads = threads});
              }).find("negative.el:3: found the id -5, expected ids of 0 or more, as "),
              std::string::npos);
    io::read_options with_table = options;
    with_table.vertex_tables = {{.path = write("ids.csv", "id\n4\n-9\n")}};
    EXPECT_NE(refusal(plain, with_table, threads).find("ids.csv:3: found the id -9"), std::string::npos);
    EXPECT_TRUE(refusal(negative, with_table, threads).empty());
  }
}

TEST_F(signed_ids, may_come_last_of_many) {
  std::string text;
  pairs all;
  for (number i = 0; i < 200'000; ++i) all.emplace_back(i % 1000 * 3, i % 997 * 3 + 1);
  all.emplace_back(-1, 2990);
  all.emplace_back(least, 4);
  const auto path = write("late.el", as_text(all, ' '));
  const answer expected = smallest_names<number>(all);
  for (const unsigned threads : all_threads) {
    EXPECT_EQ(answer_of(components(path, {}, {}, {.threads = threads}).labels), expected);
    EXPECT_EQ(io::read_graph(path, {}, {.threads = threads}).names().integer(0), static_cast<std::uint64_t>(least));
  }
}

TEST_F(signed_ids, of_declared_vertices_are_refused) {
  io::read_options options;
  options.vertices = 10;
  EXPECT_EQ(refusal(write("a.el", "1 2\n3 -4\n"), options, 1),
            "a.el:2: found the id -4, expected one below 10, the declared vertices (without the option vertices, ids may be negative)");
  options = {};
  options.signed_ids = true;
  EXPECT_THROW(components(write("a.el", "1 2\n"), options), usage_error) << "text says it itself";
}

TEST_F(signed_ids, with_zeros_in_front_are_two_texts_for_one_number) {
  for (const std::string text : {"1 2\n-05 3\n", "1 2\n-0 3\n"})
    EXPECT_NE(refusal(write("a.el", text), {}, 1).find("with leading zeros"), std::string::npos) << text;
  io::read_options options;
  options.ids = io::id_kind::integers;
  EXPECT_EQ(answer_of(components(write("a.el", "-05 3\n-0 3\n"), options).labels), (answer{{-5, -5}, {0, -5}, {3, -5}}));
}

TEST_F(signed_ids, come_back_from_files_of_labels) {
  const pairs all = random_pairs(5, 100);
  const labelling labels = components(write("a.el", as_text(all, ' ')), {}).labels;
  for (const std::string name : {"l.csv", "l.txt", "l.npz"}) {
    io::write_labels(labels, folder / name);
    EXPECT_EQ(answer_of(io::read_labels(folder / name)), answer_of(labels)) << name;
  }
  io::write_labels(dense(labels), folder / "n.npz");
  EXPECT_TRUE(io::read_labels(folder / "n.npz", {}, true).names().is_signed());
  io::write_labels(labels, folder / "l.npy", {.npy_ids = folder / "i.npy"});
  for (const std::string name : {"l.npy", "i.npy"}) EXPECT_NE(read_bytes(folder / name).find("'<i8'"), std::string::npos) << name;
  for (const std::string name : {"m.npy", "m.bin64"}) {
    EXPECT_NE(thrown<input_error>([&] { io::write_labels(labels, folder / name); }).find("found negative ids"), std::string::npos);
  }
  EXPECT_NE(thrown<input_error>([&] { io::write_labels(labels, folder / "m.bin64", {.npy_ids = folder / "i.npy"}); }).find("negative ids"),
            std::string::npos);
  write_bytes(folder / "mixed.csv", "id,component\n-1,-1\n18446744073709551615,-1\n");
  EXPECT_NE(thrown<input_error>([&] { io::read_labels(folder / "mixed.csv"); }).find("mixed.csv:3: found the id 18446744073709551615"),
            std::string::npos);
}

TEST_F(signed_ids, that_are_wrong_are_no_proof) {
  const auto path = write("a.el", "-1 2\n-3 2\n");
  const auto judged = [&](const std::string& text) {
    write_bytes(folder / "l.csv", "id,component\n" + text);
    return verify(path, {}, io::read_labels(folder / "l.csv"));
  };
  EXPECT_TRUE(judged("-3,-3\n-1,-3\n2,-3\n").right);
  EXPECT_FALSE(judged("-3,-1\n-1,-1\n2,-1\n").right) << "the smallest is -3";
  EXPECT_EQ(judged("18446744073709551613,2\n18446744073709551615,2\n2,2\n").reason, "the graph has negative ids, the labels have none");
  EXPECT_EQ(verify(write("b.el", "18446744073709551615 2\n18446744073709551613 2\n"), {}, components(path, {}).labels).right, false);
}

TEST(signed_batches, are_those_of_the_definition) {
  for (std::uint64_t seed = 100; seed < 110; ++seed) {
    const pairs all = random_pairs(seed, 3000);
    const columns split{all};
    for (const unsigned threads : all_threads) {
      components_sink sink{{.keep_forest = true}, {.threads = threads}};
      id_edges words;
      for (std::size_t i = 0; i < 1000; ++i)
        words.push_back({static_cast<std::uint64_t>(all[i].first), static_cast<std::uint64_t>(all[i].second)});
      sink.add({std::span<const edge<std::uint64_t>>{words}, true});
      sink.add({std::span{split.sources}.subspan(1000), std::span{split.targets}.subspan(1000)});
      const forest_result found = sink.finish_with_forest();
      ASSERT_EQ(answer_of(found.labels.value()), smallest_names<number>(all));
      ASSERT_TRUE(found.edges.names().is_signed());
    }
  }
}

TEST(signed_batches, refuse_the_other_sign_and_go_on) {
  const std::array<number, 1> minus{-1}, three{3};
  const std::array<std::uint64_t, 1> large{UINT64_MAX}, four{4};
  for (const bool negative_first : {false, true}) {
    components_sink sink;
    const auto add_minus = [&] { sink.add({three, minus}); };
    const auto add_large = [&] { sink.add({large, four}); };
    if (negative_first) {
      add_minus();
      EXPECT_EQ(thrown<input_error>(add_large),
                "components_sink: sources[0]: found the id 18446744073709551615, expected ids up to 9223372036854775807, as "
                "components_sink: targets[0] has -1");
    } else {
      add_large();
      EXPECT_EQ(thrown<input_error>(add_minus),
                "components_sink: targets[0]: found the id -1, expected ids of 0 or more, as components_sink: sources[0] has "
                "18446744073709551615, which is above 2^63 - 1");
    }
    sink.add({three, three});
    EXPECT_EQ(sink.finish().labels.slots(), negative_first ? 2u : 3u);
  }
}

TEST(signed_records, are_grouped_as_the_definition_says) {
  std::mt19937_64 random{3};
  for (int round = 0; round < 10; ++round) {
    std::vector<number> ids, keys;
    pairs links;
    std::map<number, number> first_of;
    for (int i = 0; i < 2000; ++i) {
      ids.push_back(random() % 9 == 0 ? std::array{number{-1}, least, most}[random() % 3] : static_cast<number>(random()));
      keys.push_back(static_cast<number>(random() % 900) - 450);
      links.emplace_back(ids.back(), first_of.emplace(keys.back(), ids.back()).first->second);
    }
    for (const unsigned threads : all_threads) {
      group_sink sink{{}, {.threads = threads}};
      sink.add(ids, {key_column{keys}});
      EXPECT_EQ(answer_of(sink.finish().labels), smallest_names<number>(links));
    }
    temporary_folder folder;
    std::string text = "id,key\n";
    for (std::size_t i = 0; i < ids.size(); ++i) text += std::to_string(ids[i]) + ",k" + std::to_string(keys[i]) + "\n";
    write_bytes(folder / "t.csv", text);
    const std::vector<std::filesystem::path> paths{folder / "t.csv"};
    const io::keyed_table table{.id = io::id_columns{"id"}, .keys = {io::column{"key"}}};
    for (const unsigned threads : all_threads) {
      io::read_options in_blocks;
      in_blocks.block_bytes = 1000;
      const labelling labels = groups_of_files(paths, table, in_blocks, {}, {.threads = threads}).result.labels;
      EXPECT_EQ(answer_of(labels), smallest_names<number>(links));
      EXPECT_TRUE(verify_groups(paths, table, in_blocks, labels).right);
    }
    write_bytes(folder / "t.csv", text + "18446744073709551615,x\n");
    EXPECT_NE(thrown<input_error>([&] { groups_of_files(paths, table); }).find("t.csv:2002: found the id 18446744073709551615"),
              std::string::npos);
  }
}

/// Ids moved up by 2^63 have the same order, so the forest is the same one.
TEST(signed_weights, give_the_forest_of_the_ids_moved_up) {
  temporary_folder folder;
  for (std::uint64_t seed = 40; seed < 48; ++seed) {
    const pairs all = random_pairs(seed, 3000);
    std::vector<double> weights;
    std::mt19937_64 random{seed};
    std::string text, moved;
    for (const auto& [u, v] : all) {
      weights.push_back(static_cast<double>(random() % 5));
      const auto up = [](number id) { return std::to_string(static_cast<std::uint64_t>(id) ^ std::uint64_t{1} << 63); };
      const std::string weight = " " + std::to_string(weights.back()) + "\n";
      text += std::to_string(u) + " " + std::to_string(v) + weight;
      moved += up(u) + " " + up(v) + weight;
    }
    write_bytes(folder / "a.el", text);
    write_bytes(folder / "b.el", moved);
    io::read_options input;
    input.weight_column = 3u;
    const auto edges_of = [](const weighted_forest_result& forest, std::uint64_t turn) {
      std::vector<std::pair<std::uint64_t, std::uint64_t>> found;
      const auto name = [&](std::uint64_t v) { return forest.edges.names().integer(v) ^ turn; };
      std::visit(
          [&](const auto& shape) {
            if constexpr (requires { shape.edges; })
              for (const auto& e : shape.edges) found.emplace_back(name(e.u), name(e.v));
          },
          forest.edges.shape());
      return found;
    };
    for (const unsigned threads : all_threads) {
      const execution on{.threads = threads};
      const auto expected = edges_of(weighted_forest(folder / "b.el", input, {}, on), std::uint64_t{1} << 63);
      EXPECT_EQ(edges_of(weighted_forest(folder / "a.el", input, {}, on), 0), expected);
      weighted_edge_sink sink{{}, on};
      const columns split{all};
      for (std::size_t at = 0; at < all.size(); at += 1500) {
        sink.add({std::span{split.sources}.subspan(at, 1500), std::span{split.targets}.subspan(at, 1500)},
                 std::span{weights}.subspan(at, 1500));
      }
      EXPECT_EQ(edges_of(sink.forest(), 0), expected);
      EXPECT_THROW(sink.add({std::array{UINT64_MAX}, std::array{std::uint64_t{1}}}, std::array{1.0}), input_error);
    }
  }
}

}  // namespace
}  // namespace copse::test
