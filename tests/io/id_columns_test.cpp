// Ids that are made of several columns: of edges, of tables of vertices, and with prefixes; what could be two ids is refused.
#include "io/text_harness.hpp"

#include <copse/components.hpp>
#include <copse/operations.hpp>

namespace copse::testing {
namespace {

io::id_columns together(const std::vector<io::column>& columns) { return columns; }

io::read_options pairs_of_source_and_id() {
  io::read_options options;
  options.columns = {together({"source_l", "id_l"}), together({"source_r", "id_r"})};
  return options;
}
const std::string header = "source_l,id_l,source_r,id_r\n";

TEST(id_columns, make_one_id_together) {
  io::read_options options = pairs_of_source_and_id();
  EXPECT_EQ(parsed_csv(header + "crm,1,shop,1\nshop,1,crm,\"x:7\"\n", options).strings,
            (names{{"crm:1", "shop:1"}, {"shop:1", "crm:x:7"}}));
  options.id_delimiter = "::";
  options.prefixes = {"<", ">"};
  EXPECT_EQ(parsed_csv(header + "a,1,b,007\n", options).strings, (names{{"<a::1", ">b::007"}}));
}

TEST(id_columns, by_number_may_be_numbers_and_may_share_a_column) {
  io::read_options options;
  options.columns = {together({1u, 2u}), together({1u, 3u})};
  EXPECT_EQ(parsed_csv("1\t2\t3\n1\t3\t4\n", options, "t.tsv").strings, (names{{"1:2", "1:3"}, {"1:3", "1:4"}}));
}

TEST(id_columns, that_could_make_the_same_id_of_two_are_refused) {
  const io::read_options options = pairs_of_source_and_id();
  EXPECT_EQ(refused_csv(header + "a,1,b,1\na:b,c,a,\"b:c\"\n", options),
            R"(t.csv:3: found "a:b" as a part of an id, in column 1, expected a part that neither contains the separator ":" nor ends )"
            R"(with the beginning of it; the option id-delimiter sets another separator)");
  io::read_options wide = options;
  wide.id_delimiter = "::";  // a: and b would be the same id as a and :b
  EXPECT_EQ(refused_csv(header + "a,:b,a:,b\n", wide).substr(0, 27), R"(t.csv:2: found "a:" as a pa)");
  EXPECT_EQ(refused_csv(header + "a,,b,1\n", options), "t.csv:2: found an empty field, expected a string id in column 2");
}

TEST(id_columns, of_which_one_is_missing_are_missing) {
  io::read_options options = pairs_of_source_and_id();
  options.missing = {"", "NULL"};
  io::read_counts counts;
  options.counts = &counts;
  const temporary_file file{"t.csv", header + "a,1,b,2\nNULL,1,b,2\na,1,b,\n"};
  EXPECT_EQ(components(file.path(), options).count(), 1u);
  EXPECT_EQ(counts.missing_ends, 2u);
}

TEST(id_columns, of_tables_of_vertices) {
  io::read_options options = pairs_of_source_and_id();
  const temporary_file edges_file{"e.csv", header + "a,1,b,1\n"};
  const temporary_file people{"p.csv", "id,source,name\n1,a,x\n1,b,y\n2,a,z\n"};
  options.vertex_tables = {{people.path(), together({"source", "id"})}};
  const components_result found = components(edges_file.path(), options);
  EXPECT_EQ(found.count(), 2u);
  EXPECT_EQ(found.labels.names().string(1), "a:2");
  const temporary_file empty{"n.csv", ""};
  EXPECT_EQ(components(empty.path(), options).count(), 3u);
  options.vertex_tables = {{people.path(), "id"}};
  EXPECT_THROW(components(edges_file.path(), options), usage_error);
}

TEST(id_columns, that_make_no_sense_are_refused) {
  const auto refusal = [](auto change) {
    io::read_options options = pairs_of_source_and_id();
    change(options);
    return refused_csv<usage_error>(header + "a,1,b,1\n", options);
  };
  EXPECT_EQ(refusal([](auto& o) { o.columns[1] = o.columns[0]; }), "columns source_l,id_l for both ids: two different ones are needed");
  EXPECT_EQ(refusal([](auto& o) { o.columns[1] = "id_r"; }), "ids of columns source_l,id_l and id_r: as many are needed for both");
  EXPECT_EQ(refusal([](auto& o) {
              o.columns[1] = together({"id_r", "id_r"});
            }),
            "columns id_r,id_r of an id: found id_r, expected different columns, counted from 1 or by their names");
  EXPECT_EQ(refusal([](auto& o) { o.ids = io::id_kind::integers; }), "ids made of several columns must be strings or bytes, not integers");
  EXPECT_EQ(refusal([](auto& o) { o.id_delimiter.clear(); }), "ids of several columns need a separator: set the option id-delimiter");
  const temporary_file matrix{"a.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n"};
  EXPECT_THROW(components(matrix.path(), pairs_of_source_and_id()), usage_error);
}

TEST(id_columns, of_streams) {
  const temporary_file file{"t.csv", "op," + header + "+,a,1,b,1\n?,a,1,\"b\",2\nb,1,c,1\n"};
  io::stream_read_options options;
  options.columns = pairs_of_source_and_id().columns;
  for (const std::size_t block : {1u, 1u << 20}) {
    options.block_bytes = block;
    io::operation_reader reader{file.path(), options};
    io::operation_batch batch;
    ASSERT_TRUE(reader.next(batch, 10));
    ASSERT_EQ(batch.size(), 3u);
    EXPECT_EQ(batch.kinds()[1], operation::query);
    EXPECT_EQ(std::string{batch.names(0).u} + " " + std::string{batch.names(1).v} + " " + std::string{batch.names(2).v}, "a:1 b:2 c:1");
  }
}

}  // namespace
}  // namespace copse::testing
