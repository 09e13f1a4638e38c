// Files appear whole or not at all, and what is written is read back.
#include "io/binary_harness.hpp"

#include <copse/graph/build.hpp>
#include <copse/io/write.hpp>

#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <random>

namespace {

using namespace copse::testing;
using copse::buffer;
using copse::edge;
using copse::graph;
using copse::labelling;
using copse::symmetry;
using copse::vertex_names;
using copse::io::output_file;
using copse::io::read_graph;
using copse::io::read_labels;
using copse::io::write_graph;
using copse::io::write_labels;
using copse::io::write_options;
using copse::io::write_sizes;

// Files.

TEST(output_file, appears_on_commit_and_not_before) {
  const temporary_folder folder;
  {
    output_file file{folder / "a.txt"};
    file.write("abc", 3);
    EXPECT_FALSE(std::filesystem::exists(folder / "a.txt"));
    file.commit();
  }
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.txt"});
  EXPECT_EQ(read_bytes(folder / "a.txt"), "abc");
}

TEST(output_file, leaves_nothing_without_commit) {
  const temporary_folder folder;
  write_bytes(folder / "a.txt", "old");
  {
    output_file file{folder / "a.txt"};
    file.write("new", 3);
    EXPECT_EQ(folder.names().size(), 2u);
  }
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.txt"});
  EXPECT_EQ(read_bytes(folder / "a.txt"), "old");
}

TEST(output_file, large_and_small_pieces_keep_their_order) {
  const temporary_folder folder;
  std::string expected;
  {
    output_file file{folder / "a"};
    std::mt19937 random{1};
    for (const std::size_t size : {1u, 1'000'000u, 100'000u, 3'000'000u, 5u, 1'048'576u, 0u, 524'288u, 600'000u}) {
      const std::string piece(size, static_cast<char>('a' + random() % 26));
      expected += piece;
      file.write(piece.data(), piece.size());
    }
    file.commit();
  }
  EXPECT_EQ(read_bytes(folder / "a"), expected);
}

TEST(output_file, what_cannot_be_created_is_refused) {
  const temporary_folder folder;
  const auto missing = folder / "no_such_folder";
  try {
    output_file file{missing / "a.txt"};
    FAIL();
  } catch (const copse::input_error& e) {
    EXPECT_EQ(std::string{e.what()},
              (missing / "a.txt").string() + ": found No such file or directory, expected a file that can be created");
  }
  EXPECT_THROW(output_file{folder.path()}, copse::input_error);
}

TEST(output_file, a_link_keeps_pointing) {
  const temporary_folder folder;
  write_bytes(folder / "real", "old");
  std::filesystem::create_symlink(folder / "real", folder / "link");
  output_file file{folder / "link"};
  file.write("new", 3);
  file.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(read_bytes(folder / "real"), "new");
}

TEST(output_file, a_device_is_written_not_replaced) {
  output_file file{"/dev/null"};
  file.write("abc", 3);
  file.commit();
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(output_file, a_full_disk_is_a_resource_error) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  output_file file{"/dev/full"};
  file.write("abc", 3);
  try {
    file.commit();
    FAIL();
  } catch (const copse::resource_error& e) {
    EXPECT_EQ(std::string{e.what()}, "/dev/full: found No space left on device after 0 bytes, expected room for 3 bytes more");
  }
}

TEST(output_file, a_small_file_system_fills_up_and_is_left_clean) {
  const temporary_folder folder;
  if (mount("tmpfs", folder.path().c_str(), "tmpfs", 0, "size=1m") != 0) GTEST_SKIP() << "mounting a tmpfs needs root";
  {
    output_file file{folder / "a"};
    const std::string piece(3'000'000, 'x');
    EXPECT_THROW(file.write(piece.data(), piece.size()), copse::resource_error);
  }
  EXPECT_TRUE(folder.names().empty());
  umount(folder.path().c_str());
}

TEST(output_file, the_largest_file_allowed_is_a_resource_error) {
  const temporary_folder folder;
  const pid_t child = fork();
  if (child == 0) {  // the limit cannot be taken back
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1'000'000, 1'000'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    int code = 1;
    try {
      output_file file{folder / "a"};
      const std::string piece(3'000'000, 'x');
      file.write(piece.data(), piece.size());
    } catch (const copse::resource_error&) {
      code = 0;
    }
    _exit(code);
  }
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(folder.names().empty());
}

TEST(output_file, remove_temporaries_removes_those_that_are_open) {
  const temporary_folder folder;
  output_file done{folder / "done"};
  done.commit();
  output_file one{folder / "one"};
  output_file two{folder / "two"};
  EXPECT_EQ(folder.names().size(), 3u);
  copse::io::remove_temporaries();
  EXPECT_EQ(folder.names(), std::vector<std::string>{"done"});
}

// Labels.

template <class Id>
labelling labels_of(std::initializer_list<Id> values, vertex_names names) {
  buffer<Id> held{values.size()};
  std::copy(values.begin(), values.end(), held.begin());
  return {std::move(held), std::move(names)};
}
vertex_names integer_names(std::initializer_list<std::uint64_t> values) {
  buffer<std::uint64_t> held{values.size()};
  std::copy(values.begin(), values.end(), held.begin());
  return vertex_names::integers(std::move(held));
}
vertex_names string_names(std::initializer_list<std::string_view> values) {
  std::string text;
  for (const auto v : values) text += v;
  buffer<char> bytes{text.size()};
  std::copy(text.begin(), text.end(), bytes.begin());
  buffer<std::uint64_t> offsets{values.size() + 1};
  std::uint64_t at = 0;
  std::size_t i = 0;
  for (const auto v : values) {
    offsets[i++] = at;
    at += v.size();
  }
  offsets[i] = at;
  return vertex_names::strings(std::move(bytes), std::move(offsets));
}
constexpr std::uint32_t absent = copse::no_vertex<std::uint32_t>;

std::string written(const labelling& labels, std::string_view name, const write_options& options = {}) {
  const temporary_folder folder;
  write_labels(labels, folder / name, options);
  return read_bytes(folder / name);
}
std::string refusal_to_write(const labelling& labels, std::string_view name) {
  const temporary_folder folder;
  try {
    write_labels(labels, folder / name);
  } catch (const copse::input_error& e) {
    EXPECT_TRUE(folder.names().empty());
    return std::string{e.what()}.substr(folder.path().string().size() + 1);
  }
  return {};
}
std::string refusal_to_read(std::string_view name, std::string_view bytes, const copse::io::read_options& options = {}) {
  const temporary_folder folder;
  write_bytes(folder / name, bytes);
  try {
    static_cast<void>(read_labels(folder / name, options));
  } catch (const copse::input_error& e) {
    return std::string{e.what()}.substr(folder.path().string().size() + 1);
  }
  return {};
}
labelling labels_from(std::string_view name, std::string_view bytes, bool numbered = false, const copse::io::read_options& options = {}) {
  const temporary_folder folder;
  write_bytes(folder / name, bytes);
  return read_labels(folder / name, options, numbered);
}
std::string npy_header(const std::string& dtype, std::size_t count) {
  std::string header = "{'descr': '" + dtype + "', 'fortran_order': False, 'shape': (" + std::to_string(count) + ",), }";
  header.append(128 - 11 - header.size(), ' ').append("\n");
  return std::string{"\x93NUMPY\x01\x00", 8} + packed<std::uint16_t>({static_cast<std::uint16_t>(header.size())}) + header;
}

TEST(labels, are_written_as_lines) {
  const auto labels = labels_of<std::uint32_t>({0, 1, 0, absent, 1}, vertex_names::identity(5));
  EXPECT_EQ(written(labels, "a.txt"), "0\t0\n1\t1\n2\t0\n4\t1\n");
  EXPECT_EQ(written(labels, "a.csv"), "id,component\n0,0\n1,1\n2,0\n4,1\n");
  const auto gaps = labels_of<std::uint32_t>({0, 0, 2}, integer_names({7, 100, UINT64_MAX}));
  EXPECT_EQ(written(gaps, "a.txt"), "7\t7\n100\t7\n18446744073709551615\t18446744073709551615\n");
  const auto strings = labels_of<std::uint32_t>({0, 0, 2, 0, 4}, string_names({" x", "a,b", "c d", "e\"f", "plain"}));
  EXPECT_EQ(written(strings, "a.csv"), "id,component\n\" x\",\" x\"\n\"a,b\",\" x\"\nc d,c d\n\"e\"\"f\",\" x\"\nplain,plain\n");
  EXPECT_EQ(written(strings, "a.txt"), " x\t x\na,b\t x\nc d\tc d\ne\"f\t x\nplain\tplain\n");
  const auto tab = labels_of<std::uint32_t>({0}, string_names({"a\tb"}));
  EXPECT_EQ(refusal_to_write(tab, "a.txt"), "a.txt: found the name \"a?b\", expected names without tabs and line ends (.csv takes them)");
}

TEST(labels, that_are_numbers_are_written_as_they_are) {
  buffer<std::uint32_t> held{3};
  held[0] = held[1] = 0;
  held[2] = 1;
  const auto labels = labelling::numbered(std::move(held), integer_names({10, 20, 30}));
  EXPECT_EQ(written(labels, "a.txt"), "10\t0\n20\t0\n30\t1\n");
}

TEST(labels, are_written_as_arrays_indexed_by_id) {
  const auto labels = labels_of<std::uint32_t>({0, 1, 0, absent, 1}, vertex_names::identity(5));
  EXPECT_EQ(written(labels, "a.npy"), npy_header("<u4", 5) + packed<std::uint32_t>({0, 1, 0, absent, 1}));
  EXPECT_EQ(written(labels, "a.bin"), packed<std::uint32_t>({0, 1, 0, absent, 1}));
  EXPECT_EQ(written(labels, "a.bin64"), packed<std::uint64_t>({0, 1, 0, UINT64_MAX, 1}));
  const auto gaps = labels_of<std::uint32_t>({0, 0, 2}, integer_names({1, 3, 4}));
  EXPECT_EQ(written(gaps, "a.bin"), packed<std::uint32_t>({absent, 1, absent, 1, 4}));
  EXPECT_EQ(written(labels_of<std::uint64_t>({}, vertex_names::identity(0)), "a.npy"), npy_header("<u4", 0));
}

TEST(labels, too_sparse_for_an_array_are_refused_with_the_numbers) {
  const auto sparse = labels_of<std::uint32_t>({0, 0}, integer_names({1, 8}));
  EXPECT_EQ(refusal_to_write(sparse, "a.npy"),
            "a.npy: found 2 ids up to 8, expected at most 4 slots an id in an array indexed by id (or .txt or .csv, or a file for the ids: "
            "--npy-ids)");
  EXPECT_EQ(written(labels_of<std::uint32_t>({0, 0}, integer_names({1, 7})), "a.bin").size(), 32u);
  const auto strings = labels_of<std::uint32_t>({0}, string_names({"a"}));
  EXPECT_EQ(refusal_to_write(strings, "a.npy"),
            "a.npy: found names that are strings, expected ids that are numbers, or .txt or .csv, or a file for the names (--npy-ids)");
  EXPECT_EQ(refusal_to_write(sparse, "a.xyz"), "a.xyz: found the suffix .xyz, expected .txt .csv .npy .bin or .bin64 for labels");
}

TEST(labels, may_have_their_ids_beside) {
  const temporary_folder folder;
  write_options options;
  options.npy_ids = folder / "ids.npy";
  write_labels(labels_of<std::uint32_t>({0, 0, 2}, integer_names({1, 800, 5'000'000'000})), folder / "a.npy", options);
  EXPECT_EQ(read_bytes(folder / "ids.npy"), npy_header("<u8", 3) + packed<std::uint64_t>({1, 800, 5'000'000'000}));
  EXPECT_EQ(read_bytes(folder / "a.npy"), npy_header("<u8", 3) + packed<std::uint64_t>({1, 1, 5'000'000'000}));
  write_labels(labels_of<std::uint32_t>({0, absent, 0}, vertex_names::identity(3)), folder / "a.npy", options);
  EXPECT_EQ(read_bytes(folder / "ids.npy"), npy_header("<u4", 2) + packed<std::uint32_t>({0, 2}));
  EXPECT_EQ(read_bytes(folder / "a.npy"), npy_header("<u4", 2) + packed<std::uint32_t>({0, 0}));
  options.npy_ids = folder / "ids.txt";
  write_labels(labels_of<std::uint32_t>({0, 0}, string_names({"a", "b c"})), folder / "a.npy", options);
  EXPECT_EQ(read_bytes(folder / "ids.txt"), "a\nb c\n");
  EXPECT_EQ(read_bytes(folder / "a.npy"), npy_header("<u4", 2) + packed<std::uint32_t>({0, 0}));
}

void expect_same(const labelling& a, const labelling& b) {
  EXPECT_EQ(copse::checksum(a), copse::checksum(b));
  ASSERT_EQ(a.slots(), b.slots());
  for (std::uint64_t i = 0; i < a.slots(); ++i) EXPECT_EQ(a.label(i), b.label(i));
}

TEST(labels, come_back_as_they_went) {
  const temporary_folder folder;
  const auto plain = labels_of<std::uint32_t>({0, 1, 0, 3, 1}, vertex_names::identity(5));
  for (const std::string name : {"a.txt", "a.csv", "a.npy", "a.bin", "a.bin64"}) {
    write_labels(plain, folder / name);
    expect_same(read_labels(folder / name), plain);
  }
  const auto gaps = labels_of<std::uint64_t>({0, 0, 2, 0}, integer_names({2, 3, 5, UINT64_MAX}));
  const auto strings = labels_of<std::uint32_t>({0, 0, 2, 0, 0, 5}, string_names({"", " x", "a,\r\nb", "c\"d", "e f", "id"}));
  copse::io::read_options as_strings;
  as_strings.ids = copse::io::id_kind::strings;
  for (const std::string name : {"a.txt", "a.csv"}) {
    write_labels(gaps, folder / name);
    expect_same(read_labels(folder / name), gaps);
  }
  write_labels(strings, folder / "a.csv");
  expect_same(read_labels(folder / "a.csv", as_strings), strings);
  const auto words = labels_of<std::uint32_t>({0, 0, 2}, string_names({"a", "b c", "d"}));
  write_labels(words, folder / "a.txt");
  expect_same(read_labels(folder / "a.txt"), words);
}

TEST(labels, are_read_in_any_order_and_with_any_line_end) {
  const auto labels = labels_from("a.csv", "v,c\r\n30,10\r\n10,10\r\n\r\n20,20\r\n");
  ASSERT_EQ(labels.slots(), 3u);
  EXPECT_EQ(labels.names().integer(2), 30u);
  EXPECT_EQ(labels.label(2), 0u);
  EXPECT_EQ(labels.label(1), 1u);
}

TEST(labels, that_are_numbers_need_not_be_ids) {
  const auto labels = labels_from("a.txt", "10\t0\n20\t0\n30\t1\n", true);
  EXPECT_TRUE(labels.is_numbered());
  EXPECT_EQ(labels.label(2), 1u);
  EXPECT_EQ(labels.names().integer(2), 30u);
  const auto strings = labels_from("a.txt", "a\t0\nb\t1\n", true);
  EXPECT_EQ(strings.names().string(1), "b");
  EXPECT_EQ(strings.label(1), 1u);
}

TEST(labels, faults_are_named) {
  EXPECT_EQ(refusal_to_read("a.txt", "1\t1\n2\t9\n"), "a.txt:2: found the label 9, expected an id that the file lists");
  EXPECT_EQ(refusal_to_read("a.txt", "2\t2\n\n1\t9\n"), "a.txt:3: found the label 9, expected an id that the file lists");
  EXPECT_EQ(refusal_to_read("a.txt", "1\t1\n2\t1\n1\t1\n"), "a.txt:3: found the id 1 again, expected every id once");
  EXPECT_EQ(refusal_to_read("a.txt", "1\t1\n-2\t1\n"),
            "a.txt:2: found \"-2\", expected a whole number from 0 to 18446744073709551615 (or names, with --ids string)");
  EXPECT_EQ(refusal_to_read("a.txt", "1\n"), "a.txt:1: found one field, expected id and component with a tab between");
  EXPECT_EQ(refusal_to_read("a.csv", "id,component\n1,1,1\n"), "a.csv:2: found more than two fields, expected id,component");
  EXPECT_EQ(refusal_to_read("a.csv", "id,component\n\"a,1\n"), "a.csv:2: found a quote that is never closed, expected a closing quote");
  EXPECT_EQ(refusal_to_read("a.csv", "id,component\na,a\nb,c\n"), "a.csv:3: found the label \"c\", expected an id that the file lists");
  EXPECT_EQ(refusal_to_read("a.bin", packed<std::uint32_t>({0, 2})),
            "a.bin: found the label 2 at byte 4, expected an id that the file lists, below 2");
  EXPECT_EQ(refusal_to_read("a.bin", packed<std::uint32_t>({0, 2, absent})),
            "a.bin: found the label 2 at byte 4, expected an id that the file lists, below 3");
  EXPECT_EQ(refusal_to_read("a.bin", "abc"), "a.bin: found 3 bytes, expected labels of 4 bytes each");
  EXPECT_EQ(refusal_to_read("a.npy", npy_header("<i8", 2) + packed<std::int64_t>({0, -2})),
            "a.npy: found the label -2 at byte 136, expected an id that the file lists, below 2");
  EXPECT_EQ(refusal_to_read("a.npy", npy_header("<f8", 1) + packed<double>({0})),
            "a.npy: found the type <f8 of the labels at byte 0, expected integers (such as <i8)");
}

TEST(sizes, are_written_by_label) {
  const temporary_folder folder;
  const auto labels = labels_of<std::uint32_t>({0, 0, 2}, integer_names({5, 6, 9}));
  write_sizes(labels, folder / "a.csv");
  EXPECT_EQ(read_bytes(folder / "a.csv"), "component,size\n5,2\n9,1\n");
  write_sizes(labels, folder / "a.txt");
  EXPECT_EQ(read_bytes(folder / "a.txt"), "5\t2\n9\t1\n");
  EXPECT_THROW(write_sizes(labels, folder / "a.npy"), copse::input_error);
}

// Graphs.

copse::coo<std::uint32_t> list(std::uint32_t n, std::initializer_list<edge<std::uint32_t>> values) {
  buffer<edge<std::uint32_t>> held{values.size()};
  std::copy(values.begin(), values.end(), held.begin());
  return {n, std::move(held)};
}
graph random_rows(bool symmetric) {
  std::mt19937 random{4};
  buffer<edge<std::uint32_t>> held{20'000};
  for (auto& e : held) e = {static_cast<std::uint32_t>(random() % 3000), static_cast<std::uint32_t>(random() % 3000)};
  held[0] = {2999, 0};
  copse::build_options options;
  options.symmetrise = symmetric;
  options.drop_loops = false;
  const copse::coo<std::uint32_t> edges{3000, std::move(held)};
  return build_csr(copse::graph_view{edges.view()}, options);
}
arcs symmetric_closure(arcs all) {
  const std::size_t size = all.size();
  for (std::size_t i = 0; i < size; ++i) all.emplace_back(all[i].second, all[i].first);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

TEST(graphs, go_round_every_format) {
  const temporary_folder folder;
  for (const bool symmetric : {true, false}) {
    const graph g = random_rows(symmetric);
    for (const std::string name : {"a.sg", "a.egr"}) {
      write_graph(g, folder / name);
      const graph back = read_graph(folder / name);
      EXPECT_EQ(back.vertices(), g.vertices());
      EXPECT_EQ(arcs_of(back), arcs_of(g)) << name;
      EXPECT_EQ(symmetry_of(back), symmetric ? symmetry::yes : symmetry::no);
    }
    for (const std::string name : {"a.mtx", "a.el", "a.txt", "a.coo", "a.coo64"}) {
      write_graph(g, folder / name);
      const graph back = read_graph(folder / name);
      EXPECT_EQ(back.vertices(), g.vertices());
      if (symmetric) {
        EXPECT_EQ(symmetric_closure(arcs_of(back)), arcs_of(g)) << name;
      } else {
        EXPECT_EQ(arcs_of(back), arcs_of(g)) << name;
      }
    }
  }
}

std::string bytes_of(const graph& g, std::string_view name) {
  const temporary_folder folder;
  write_graph(g, folder / name);
  return read_bytes(folder / name);
}

TEST(graphs, lists_of_symmetric_rows_hold_each_edge_once) {
  copse::build_options options;
  options.drop_loops = false;
  const auto edges = list(4, {{2, 0}, {0, 2}, {1, 1}});
  const graph g = build_csr(copse::graph_view{edges.view()}, options);
  EXPECT_EQ(bytes_of(g, "a.el"), "0 2\n1 1\n");
  EXPECT_EQ(bytes_of(g, "a.coo"), packed<std::uint32_t>({0, 2, 1, 1}));
  EXPECT_EQ(bytes_of(g, "a.mtx"), "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 2\n3 1\n2 2\n");
}

TEST(graphs, names_are_kept_where_the_format_has_them) {
  const graph g{list(3, {{2, 0}, {1, 2}}), integer_names({10, 20, 5'000'000'000})};
  EXPECT_EQ(bytes_of(g, "a.el"), "5000000000 10\n20 5000000000\n");
  EXPECT_EQ(bytes_of(g, "a.coo"), packed<std::uint32_t>({2, 0, 1, 2}));
  EXPECT_EQ(bytes_of(g, "a.mtx"), "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n3 1\n2 3\n");
  const graph strings{list(2, {{1, 0}}), string_names({"a", "b"})};
  EXPECT_EQ(bytes_of(strings, "a.txt"), "b a\n");
  const temporary_folder folder;
  for (const std::string_view name : {"a b", "a,b", "#a", ""}) {
    EXPECT_THROW(write_graph(graph{list(1, {{0, 0}}), string_names({name})}, folder / "a.el"), copse::input_error) << name;
  }
  EXPECT_TRUE(folder.names().empty());
}

TEST(graphs, the_inverse_of_directed_rows_is_written_as_the_suite_expects) {
  copse::build_options options;
  options.symmetrise = false;
  const auto edges = list(3, {{0, 1}, {2, 1}});
  const std::string bytes = bytes_of(build_csr(copse::graph_view{edges.view()}, options), "a.sg");
  EXPECT_EQ(bytes, "\1" + packed<std::int64_t>({2, 3, 0, 1, 1, 2}) + packed<std::int32_t>({1, 1}) + packed<std::int64_t>({0, 0, 2, 2}) +
                       packed<std::int32_t>({0, 2}));
}

TEST(graphs, no_vertices) {
  const graph g = build_csr(copse::graph_view{copse::coo_view<std::uint32_t>{}});
  for (const std::string name : {"a.sg", "a.egr", "a.mtx", "a.el", "a.coo"}) {
    const temporary_folder folder;
    write_graph(g, folder / name);
    EXPECT_EQ(read_graph(folder / name).vertices(), 0u) << name;
    write_graph(graph{copse::csr<std::uint32_t, std::uint32_t>{}}, folder / name);
    EXPECT_EQ(read_graph(folder / name).vertices(), 0u) << name;
  }
}

TEST(graphs, what_does_not_fit_is_refused_with_the_numbers) {
  const temporary_folder folder;
  const auto refusal = [&](const graph& g, std::string_view name) -> std::string {
    try {
      write_graph(g, folder / name);
    } catch (const copse::error& e) {
      EXPECT_TRUE(folder.names().empty());
      return std::string{e.what()}.substr(folder.path().string().size() + 1);
    }
    return {};
  };
  const graph pair{list(2, {{0, 1}})};
  EXPECT_EQ(refusal(pair, "a.sg"), "a.sg: found a list of edges, expected rows (build_csr makes them)");
  EXPECT_EQ(refusal(pair, "a.xyz"), "a.xyz: found the suffix .xyz, expected .sg .egr .mtx .el .txt .coo or .coo64 for a graph");
  const graph wide{copse::coo<std::uint64_t>{5'000'000'000, {}}};
  EXPECT_EQ(refusal(wide, "a.coo"), "a.coo: found 5000000000 vertices, expected at most 4294967296, or the suffix .coo64");
}

}  // namespace
