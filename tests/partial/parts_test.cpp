// Parts of files: together they see every record once, wherever the cuts fall, whatever the format.
#include <gtest/gtest.h>
#include <copse/components.hpp>
#include <copse/errors.hpp>
#include <copse/partial.hpp>
#include <io/part_of_file.hpp>
#include <io/request.hpp>

#include <mutex>

#include "partial/pieces.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace copse::test {
namespace {

using paths = std::vector<std::filesystem::path>;

/// The records that came, in order of their first id.
class recording_sink final : public io::edge_sink {
public:
  void begin(const io::source_facts&) override {}
  void edges(unsigned, const io::edge_batch& batch) override {
    const std::lock_guard lock{guard_};
    for (const auto [u, v] : batch.ids) records.push_back(std::to_string(u) + " " + std::to_string(v));
    for (const auto& [u, v] : batch.names) records.push_back(std::string{u} + " " + std::string{v});
  }
  std::vector<std::string> records;

private:
  std::mutex guard_;
};

io::read_request with_threads(unsigned threads) { return {{}, {.threads = threads}}; }

std::vector<std::string> records_of(const paths& files, const io::read_request& options, unsigned parts) {
  recording_sink sink;
  for (unsigned part = 0; part < parts; ++part) io::parse(files, options, io::part_of_file{part, parts}, sink);
  std::ranges::sort(sink.records);
  return sink.records;
}

class parts_of_files : public ::testing::Test {
protected:
  std::filesystem::path write(const std::string& name, std::string_view content) const {
    write_bytes(folder_ / name, content);
    return folder_ / name;
  }
  temporary_folder folder_;
};

TEST_F(parts_of_files, see_every_record_once_wherever_the_cuts_fall) {
  const paths files{write("a.el", "# comment\n0 1\n\n12345 7\r\n3 4\r5 6\n8 9"),
                    write("b.csv", "left,right\n10,11\n\"12\",13\n14,\"15\"\n"),
                    write("c.csv", "left,right\n\"a\nb\",\"c,\"\"d\"\nplain,e\n\"x\ny\nz\",f\n")};
  for (const auto& file : files) {
    const auto all = records_of({file}, with_threads(1), 1);
    ASSERT_GE(all.size(), 3u);
    for (unsigned parts = 2; parts < 60; ++parts) ASSERT_EQ(records_of({file}, with_threads(1), parts), all) << file << " in " << parts;
  }
  const auto both = records_of({files[0], files[1]}, with_threads(2), 1);
  for (const unsigned parts : {2u, 3u, 7u, 16u}) EXPECT_EQ(records_of({files[0], files[1]}, with_threads(2), parts), both);
}

TEST_F(parts_of_files, name_the_line_of_the_file) {
  const paths file{write("a.el", "0 1\n2 3\n4 5\n6 seven\n")};
  const std::string said = thrown<input_error>([&] {
    recording_sink sink;
    io::parse(file, with_threads(1), io::part_of_file{1, 2}, sink);
  });
  EXPECT_NE(said.find("a.el:4: "), std::string::npos) << said;
}

TEST_F(parts_of_files, that_declare_their_vertices_all_see_them) {
  const paths mtx{write("g.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n5 5 2\n2 1\n4 3\n")};
  const paths list{write("g.el", "0 1\n2 3\n")};
  io::read_options declared;
  declared.vertices = 5;
  for (const auto& [files, options] : {std::pair{mtx, io::read_options{}}, std::pair{list, declared}}) {
    const partial<labelling> whole{components(files, options).labels};
    for (const unsigned parts : {2u, 3u}) {
      merger<labelling> merger;
      for (unsigned part = 0; part < parts; ++part) merger.add(components_of_part(files, {part, parts}, options));
      EXPECT_EQ(bytes_of(merger.finish()), bytes_of(whole));
    }
  }
}

TEST_F(parts_of_files, prove_their_own_forests) {
  std::string text;
  for (const auto [u, v] : random_edges(200, 300, 4)) text += std::to_string(u * 1000) + " " + std::to_string(v * 1000) + "\n";
  const paths file{write("g.el", text)};
  const partial<labelling> first = components_of_part(file, {0, 2}, {}), second = components_of_part(file, {1, 2}, {});
  EXPECT_TRUE(verify_part(file, {0, 2}, {}, first));
  EXPECT_TRUE(verify_part(file, {1, 2}, {}, second));
  EXPECT_FALSE(verify_part(file, {1, 2}, {}, first));
}

TEST_F(parts_of_files, count_vertex_tables_once) {
  const paths list{write("g.el", "0 1\n2 3\n")};
  io::read_options options;
  options.vertex_tables = {{write("v.csv", "id\n0\n9\n"), io::column{1u}}};
  EXPECT_EQ(components_of_part(list, {0, 2}, options).vertices(), 3u) << "0 and 1, and 9 of the table";
  EXPECT_EQ(components_of_part(list, {1, 2}, options).vertices(), 2u);
}

TEST_F(parts_of_files, are_refused_where_there_are_none) {
  EXPECT_THROW(components_of_part(paths{"-"}, {0, 2}, {}), usage_error);
  EXPECT_THROW(components_of_part(paths{write("g.el", "0 1\n")}, {2, 2}, {}), usage_error);
  EXPECT_THROW(components_of_part(paths{folder_ / "none.el"}, {0, 2}, {}), input_error);
}

}  // namespace
}  // namespace copse::test
