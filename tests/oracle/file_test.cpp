// The proof over files: right labels of what the parser sees are accepted, and every disagreement about ids is named.
#include <copse/errors.hpp>
#include <copse/verify.hpp>
#include <support/labels.hpp>
#include <support/reference.hpp>
#include <support/zoo.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <fstream>

#include <unistd.h>

namespace copse::test {
namespace {

using labels32 = std::vector<std::uint32_t>;

/// A file with this content that goes away again.
class scratch_file {
public:
  scratch_file(const std::string& content, const std::string& suffix) {
    static std::atomic<int> count{0};
    path_ = std::filesystem::temp_directory_path() / ("copse-oracle-" + std::to_string(getpid()) + "-" + std::to_string(++count) + suffix);
    std::ofstream{path_, std::ios::binary} << content;
  }
  scratch_file(const scratch_file&) = delete;
  scratch_file& operator=(const scratch_file&) = delete;
  ~scratch_file() { std::filesystem::remove(path_); }
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

private:
  std::filesystem::path path_;
};

std::string reason(const std::string& text, const labelling& labels, io::read_options options = {}) {
  const scratch_file file{text, ".el"};
  const verdict v = verify(file.path(), options, labels);
  EXPECT_EQ(v.right, v.reason.empty());
  return v.reason;
}

TEST(file, right_labels_of_the_zoo_are_accepted_and_a_split_is_refused) {
  for (const zoo_graph& animal : zoo(5)) {
    std::string text;
    labels32 labels = reference_labels(animal.edges.view());
    std::vector<bool> occurs(labels.size());
    for (const auto e : animal.edges.edges) {
      text += std::to_string(e.u) + " " + std::to_string(e.v) + "\n";
      occurs[e.u] = occurs[e.v] = true;
    }
    for (std::size_t v = 0; v < labels.size(); ++v) {
      if (!occurs[v]) labels[v] = absent;
    }
    const scratch_file file{text, ".el"};
    for (const unsigned threads : {1u, 3u}) {
      io::read_options options;
      options.block_bytes = 100;
      const verdict right = verify(file.path(), options, to_labelling(labels), {.threads = threads});
      EXPECT_TRUE(right) << animal.name << ": " << right.reason;
      for (std::uint32_t v = 0; v < labels.size(); ++v) {
        if (labels[v] == absent || labels[v] == v) continue;
        labels32 split = labels;
        split[v] = v;
        EXPECT_FALSE(verify(file.path(), options, to_labelling(split), {.threads = threads})) << animal.name;
        break;
      }
    }
    io::read_options declared;
    declared.vertices = labels.size();
    EXPECT_TRUE(verify(file.path(), declared, to_labelling(reference_labels(animal.edges.view())))) << animal.name;
  }
}

TEST(file, ids_and_labels_must_be_the_same_vertices) {
  const std::string text = "1 3\n6 3\n";
  EXPECT_EQ(reason(text, to_labelling(labels32{absent, 1, absent, 1, absent, absent, 1})), "");
  EXPECT_EQ(reason(text, to_labelling(labels32{absent, 1, absent, 1, absent, absent, 1, absent})), "");
  EXPECT_EQ(reason(text, to_labelling(labels32{absent, 1, absent, 1})), "vertex 6 has no label");
  EXPECT_EQ(reason(text, to_labelling(labels32{absent, 1, absent, 1, absent, absent, absent})), "vertex 6 has no label");
  EXPECT_EQ(reason(text, to_labelling(labels32{absent, 1, 2, 1, absent, absent, 1})), "vertex 2 has a label, but is not in the graph");
  EXPECT_EQ(reason(text, to_labelling(labels32{absent, 1, absent, 1, absent, absent, 6})),
            "vertices 6 and 3 are joined by an edge, but have labels 6 and 1");
  EXPECT_EQ(reason("1 3\n6 6\n", to_labelling(labels32{absent, 1, absent, 1, absent, absent, 1})),
            "vertex 6 has label 1, but no path joins them");
  EXPECT_EQ(reason("", to_labelling(labels32{})), "");
  EXPECT_EQ(reason("", to_labelling(labels32{0})), "vertex 0 has a label, but is not in the graph");
}

TEST(file, sparse_ids_are_found_by_name) {
  const std::string text = "18446744073709551614 5\n70000000000 70000000001\n";
  const std::vector<std::uint64_t> ids{5, 70000000000, 70000000001, ~1ull};
  EXPECT_EQ(reason(text, {to_buffer(labels32{0, 1, 1, 0}), integer_names(ids)}), "");
  EXPECT_EQ(reason(text, {to_buffer(labels32{0, 1, 2, 0}), integer_names(ids)}),
            "vertices 70000000000 and 70000000001 are joined by an edge, but have labels 70000000000 and 70000000001");
  EXPECT_EQ(reason(text, {to_buffer(labels32{0, 1, 1}), integer_names({5, 70000000000, 70000000001})}),
            "vertex 18446744073709551614 has no label");
  EXPECT_EQ(reason(text, {to_buffer(labels32{0, 1, 1, 3, 0}), integer_names({5, 70000000000, 70000000001, 70000000002, ~1ull})}),
            "vertex 70000000002 has a label, but is not in the graph");
  for (std::size_t n = 0; n < 40; ++n) {  // every fill of the table of names: what is missing is found missing
    std::vector<std::uint64_t> many;
    labels32 own;
    std::string loops;
    for (std::size_t i = 0; i < n; ++i) {
      many.push_back(1000 + 7 * i);
      own.push_back(static_cast<std::uint32_t>(i));
      loops += std::to_string(many.back()) + " " + std::to_string(many.back()) + "\n";
    }
    EXPECT_EQ(reason(loops, {to_buffer(own), integer_names(many)}), "") << n;
    EXPECT_EQ(reason(loops + "3 3\n", {to_buffer(own), integer_names(many)}), "vertex 3 has no label") << n;
  }
}

TEST(file, string_ids_are_found_by_name) {
  io::read_options strings;
  strings.ids = io::id_kind::strings;
  const std::string text = "bob ada\ncy cy\n";
  EXPECT_EQ(reason(text, {to_buffer(labels32{0, 0, 2}), string_names({"ada", "bob", "cy"})}, strings), "");
  EXPECT_EQ(reason(text, {to_buffer(labels32{0, 0, 0}), string_names({"ada", "bob", "cy"})}, strings),
            "vertex 'cy' has label 'ada', but no path joins them");
  EXPECT_EQ(reason(text, {to_buffer(labels32{0, 0}), string_names({"ada", "bob"})}, strings), "vertex 'cy' has no label");
  EXPECT_EQ(reason(text, to_labelling(labels32{0, 0, 2}), strings), "the graph has string ids, the labels have integer ids");
  EXPECT_EQ(reason(text, to_labelling(labels32{}), strings), "vertex 'bob' has no label");
  EXPECT_EQ(reason("1 2\n", {to_buffer(labels32{0, 0}), string_names({"1", "2"})}),
            "the graph has integer ids, the labels have string ids");
}

TEST(file, declared_vertices_need_labels_whether_they_have_edges_or_not) {
  io::read_options four;
  four.vertices = 4;
  EXPECT_EQ(reason("0 2\n", to_labelling(labels32{0, 1, 0, 3}), four), "");
  EXPECT_EQ(reason("0 2\n", to_labelling(labels32{0, 1, 0}), four), "vertex 3 has no label");
  EXPECT_EQ(reason("0 2\n", to_labelling(labels32{0, absent, 0, 3}), four), "vertex 1 has no label");
  EXPECT_EQ(reason("0 2\n", to_labelling(labels32{0, 1, 0, 3, 4}), four), "vertex 4 has a label, but the graph has 4 vertices");
  EXPECT_EQ(reason("0 2\n", {to_buffer(labels32{0, 1, 0, 3}), integer_names({0, 1, 2, 9})}, four),
            "vertex 9 has a label, but the graph has 4 vertices");
  const scratch_file market{"%%MatrixMarket matrix coordinate pattern symmetric\n4 4 1\n3 1\n", ".mtx"};
  const auto from_one = [](const labels32& labels) { return labelling{to_buffer(labels), vertex_names::consecutive(1, labels.size())}; };
  EXPECT_TRUE(verify(market.path(), {}, from_one({0, 1, 0, 3})));
  EXPECT_FALSE(verify(market.path(), {}, from_one({0, 1, 0})));
  EXPECT_FALSE(verify(market.path(), {}, to_labelling(labels32{0, 1, 0, 3})));
}

TEST(file, dense_numbers_are_judged) {
  const scratch_file file{"1 3\n6 3\n4 4\n", ".el"};
  const auto judged = [&](const labels32& numbers) { return verify_dense(file.path(), {}, to_labelling(numbers)); };
  EXPECT_TRUE(judged({absent, 0, absent, 0, 1, absent, 0}));
  EXPECT_EQ(judged({absent, 1, absent, 1, 0, absent, 1}).reason, "vertex 1 has number 1, but the next new number is 0");
  EXPECT_EQ(judged({absent, 0, absent, 0, 0, absent, 0}).reason, "vertex 4 has label 1, but no path joins them");
  EXPECT_EQ(judged({absent, 0, absent, 1, 2, absent, 1}).reason, "vertices 1 and 3 are joined by an edge, but have labels 1 and 3");
}

TEST(file, a_bad_file_is_the_readers_error) {
  const scratch_file file{"1 2\nx y z\n", ".el"};
  EXPECT_THROW(verify(file.path(), {}, to_labelling(labels32{absent, 1, 1})), input_error);
}

}  // namespace
}  // namespace copse::test
