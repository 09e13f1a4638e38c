// Labels and sizes: what is written, what comes back, and what is refused on the way out and in.
#include "io/binary_harness.hpp"
#include "io/some_names.hpp"

#include <copse/io.hpp>

namespace {

using namespace copse::testing;
using copse::buffer;
using copse::labelling;
using copse::vertex_names;
using copse::io::read_labels;
using copse::io::write_labels;
using copse::io::write_options;
using copse::io::write_sizes;

template <class Id>
labelling labels_of(std::initializer_list<Id> values, vertex_names names) {
  buffer<Id> held{values.size()};
  std::copy(values.begin(), values.end(), held.begin());
  return {std::move(held), std::move(names)};
}
constexpr std::uint32_t absent = copse::no_vertex<std::uint32_t>;

std::string written(const labelling& labels, std::string_view name, const copse::execution& on = {}) {
  const temporary_folder folder;
  write_labels(labels, folder / name, {}, on);
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

/// As many slots as several threads take several turns for; every seventh is absent.
labelling many_labels() {
  buffer<std::uint32_t> held{300000};
  for (std::uint32_t v = 0; v < held.size(); ++v) held[v] = v % 7 == 6 ? absent : v - v % 7;
  return {std::move(held), vertex_names::identity(300000)};
}

TEST(labels, are_the_same_lines_whatever_the_threads) {
  const labelling labels = many_labels();
  std::string expected = "id,component\n";
  for (std::uint32_t v = 0; v < 300000; ++v) {
    if (v % 7 != 6) expected.append(std::to_string(v)).append(",").append(std::to_string(v - v % 7)).append("\n");
  }
  for (const unsigned threads : {1u, 2u, 7u}) {
    EXPECT_EQ(written(labels, "l.csv", {.threads = threads}), expected) << threads;
  }
}

TEST(labels, of_which_some_were_not_written_end_in_one_error_whatever_the_threads) {
  const labelling labels = many_labels();
  for (const unsigned threads : {1u, 2u, 7u}) {
    EXPECT_THROW(write_labels(labels, "/dev/full", {.suffix = ".txt"}, {.threads = threads}), copse::resource_error) << threads;
  }
}

TEST(labels, the_first_name_that_cannot_be_written_is_the_one_that_is_named) {
  constexpr std::size_t count = 200000;  // twelve turns; two of them fail
  std::string text;
  buffer<std::uint64_t> offsets{count + 1};
  buffer<std::uint32_t> held{count};
  for (std::size_t v = 0; v < count; ++v) {
    offsets[v] = text.size();
    text += v == 70000 || v == 170000 ? "a\tb" + std::to_string(v) : "n" + std::to_string(v);
    held[v] = static_cast<std::uint32_t>(v);
  }
  offsets[count] = text.size();
  buffer<char> bytes{text.size()};
  std::copy(text.begin(), text.end(), bytes.begin());
  const labelling labels{std::move(held), vertex_names::strings(std::move(bytes), std::move(offsets))};
  for (int round = 0; round < 5; ++round) {
    EXPECT_EQ(refusal_to_write(labels, "l.txt"),
              R"(l.txt: found the name "a?b70000", expected names without tabs and line ends (.csv takes them))");
  }
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
  EXPECT_EQ(
      refusal_to_write(sparse, "a.npy"),
      "a.npy: found 2 ids up to 8, expected at most 4 slots per id in an array indexed by id (or .txt or .csv, or a file for the ids: "
      "the option npy-ids)");
  EXPECT_EQ(written(labels_of<std::uint32_t>({0, 0}, integer_names({1, 7})), "a.bin").size(), 32u);
  const auto strings = labels_of<std::uint32_t>({0}, string_names({"a"}));
  EXPECT_EQ(
      refusal_to_write(strings, "a.npy"),
      "a.npy: found names that are strings, expected ids that are numbers, or .txt or .csv, or a file for the names (the option npy-ids)");
  EXPECT_EQ(refusal_to_write(sparse, "a.xyz"),
            "a.xyz: found the suffix .xyz, expected .txt .csv .npy .npz .bin .bin64 .parquet or .arrow for labels");
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

TEST(labels, and_their_ids_are_one_archive) {
  const temporary_folder folder;
  const auto gaps = labels_of<std::uint32_t>({0, absent, 0, 3}, integer_names({2, 3, 5, 5'000'000'000}));
  write_labels(gaps, folder / "a.npz");
  const auto back = read_labels(folder / "a.npz");
  ASSERT_EQ(back.slots(), 3u);
  EXPECT_EQ(back.names().integer(2), 5'000'000'000);
  EXPECT_EQ(back.label(1), 0u);
  for (const auto& same : {labels_of<std::uint32_t>({0, 1, 0, 3, 1}, vertex_names::identity(5)), labels_of<std::uint32_t>({}, {}),
                           labels_of<std::uint32_t>({0, 0, 2}, string_names({"", "b\nc", "d"}))}) {
    write_labels(same, folder / "a.npz");
    expect_same(read_labels(folder / "a.npz"), same);
  }
  buffer<std::uint32_t> numbers{2};
  numbers[0] = numbers[1] = 1;
  write_labels(labelling::numbered(std::move(numbers), string_names({"x", "yz"})), folder / "a.npz");
  const auto numbered = read_labels(folder / "a.npz", {}, true);
  EXPECT_TRUE(numbered.is_numbered());
  EXPECT_EQ(numbered.label(0), 1u);
  EXPECT_EQ(refusal_to_write(labels_of<std::uint32_t>({0}, string_names({std::string{"a\0", 2}})), "a.npz"),
            "a.npz: found an id that ends with a zero byte, expected ids without one, which numpy's strings lose, or .csv");
  const std::string good = read_bytes(folder / "a.npz");
  for (std::size_t size = 0; size < good.size(); ++size) EXPECT_NE(refusal_to_read("a.npz", good.substr(0, size)), "") << size;
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
  EXPECT_EQ(refusal_to_read("a.txt", "1\t1\n-2.5\t1\n"),
            "a.txt:2: found \"-2.5\", expected a whole number from -9223372036854775808 to 18446744073709551615 (or names, with the option "
            "ids string)");
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

}  // namespace
