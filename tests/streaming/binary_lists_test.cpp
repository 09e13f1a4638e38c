// Lists of pairs in .coo, .coo64 and .npy are streamed, from files, packed files and pipes: the answers are those of the edges, no edge is
// held, and what is damaged is refused in the words of a file that is mapped.
#include <gtest/gtest.h>
#include <copse/components.hpp>
#include <copse/errors.hpp>
#include <io/part_of_file.hpp>

#include <cstring>
#include <filesystem>
#include <mutex>

#include "drive.hpp"
#include "support/failing_memory.hpp"
#include "support/impatient.hpp"
#include "support/noting.hpp"
#include "support/piped.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace copse::test {
namespace {

using io::format;

template <class T>
std::string pairs_of(const id_edges& edges) {
  std::string bytes(2 * sizeof(T) * edges.size(), '\0');
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const T pair[2] = {static_cast<T>(edges[i].u), static_cast<T>(edges[i].v)};
    std::memcpy(bytes.data() + i * sizeof pair, pair, sizeof pair);
  }
  return bytes;
}

/// All first ends, then all second ones.
template <class T>
std::string ends_by_columns(const id_edges& edges) {
  std::string bytes(2 * sizeof(T) * edges.size(), '\0');
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const T u = static_cast<T>(edges[i].u), v = static_cast<T>(edges[i].v);
    std::memcpy(bytes.data() + i * sizeof(T), &u, sizeof u);
    std::memcpy(bytes.data() + (edges.size() + i) * sizeof(T), &v, sizeof v);
  }
  return bytes;
}

/// As numpy.save writes it, in version 1.
std::string npy_of(const std::string& dtype, const std::string& shape, const std::string& data, bool fortran = false) {
  std::string header = "{'descr': '" + dtype + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape + ", }";
  header.append(63 - (10 + header.size()) % 64, ' ').append("\n");
  const char size[2] = {static_cast<char>(header.size() % 256), static_cast<char>(header.size() / 256)};
  return std::string{"\x93NUMPY\x01\x00", 8} + std::string{size, 2} + header + data;
}

std::string shape_of(const id_edges& edges) { return "(" + std::to_string(edges.size()) + ", 2)"; }

struct written_list {
  std::string name;  ///< of a file
  format f;
  std::string bytes;
};

std::vector<written_list> all_lists(const id_edges& edges) {
  return {{"a.coo", format::coo, pairs_of<std::uint32_t>(edges)},
          {"a.coo64", format::coo64, pairs_of<std::uint64_t>(edges)},
          {"i4.npy", format::npy, npy_of("<i4", shape_of(edges), pairs_of<std::int32_t>(edges))},
          {"u8.npy", format::npy, npy_of("<u8", shape_of(edges), pairs_of<std::uint64_t>(edges))},
          {"fortran.npy", format::npy, npy_of("<i8", shape_of(edges), ends_by_columns<std::int64_t>(edges), true)},
          {"rows.npy", format::npy, npy_of("<u4", "(2, " + std::to_string(edges.size()) + ")", ends_by_columns<std::uint32_t>(edges))}};
}

class binary_lists : public ::testing::Test {
protected:
  std::filesystem::path write(const std::string& name, std::string_view bytes) const {
    write_bytes(folder_ / name, bytes);
    return folder_ / name;
  }
  /// Packed by the suffix of the name.
  std::filesystem::path pack(const std::string& name, std::string_view bytes) const {
    io::output_file file{folder_ / name};
    file.write(bytes.data(), bytes.size());
    file.commit();
    return folder_ / name;
  }
  /// Calls `use(path, options)` for the same bytes in a file that is mapped, one that is read, a packed one of each kind, and a pipe.
  template <class Use>
  void from_everywhere(const written_list& list, const io::read_options& asked, Use use) const {
    io::read_options options = asked;
    options.format = list.f;
    const auto plain = write(list.name, list.bytes);
    use(plain, options);
    use(pack(list.name + ".gz", list.bytes), options);
    use(pack(list.name + ".zst", list.bytes), options);
    const piped pipe{list.bytes};
    use(pipe.path(), options);
    options.mapped = false;
    use(plain, options);
  }

private:
  temporary_folder folder_;
};

TEST_F(binary_lists, are_streamed_to_the_answer_of_their_edges) {
  const auto edges = random_edges(5000, 1, [](std::mt19937_64& r) { return r() % 8000; });
  const auto expected = smallest_names<std::uint64_t>(edges);
  for (const written_list& list : all_lists(edges)) {
    for (const unsigned threads : {1u, 2u, 7u}) {
      for (const std::size_t block_bytes : {std::size_t{5000}, std::size_t{1} << 20}) {
        io::read_options asked;
        asked.block_bytes = block_bytes;
        from_everywhere(list, asked, [&](const std::filesystem::path& path, const io::read_options& options) {
          const execution on{.threads = threads};
          EXPECT_TRUE(is_streamed(path, options, {}, on)) << path;
          const auto found = components(path, options, {}, on);
          EXPECT_EQ(integer_answer(found.labels), expected) << path << " with " << threads;
          EXPECT_EQ(found.report.edges, edges.size()) << path;
          EXPECT_EQ(found.report.read_seconds, 0) << path << " was held";
        });
      }
    }
  }
}

TEST_F(binary_lists, are_streamed_by_the_variants_that_stream_text) {
  const auto path = write("a.coo", pairs_of<std::uint32_t>({{1, 2}, {5, 2}}));
  const std::map<std::uint64_t, std::uint64_t> expected{{1, 1}, {2, 1}, {5, 1}};
  for (const char* variant : {"serial.none.rem", "threads.none.rem_cas.naive.halve_one"}) {
    EXPECT_TRUE(is_streamed(path, {}, {.variant = variant}, {.threads = 2}));
    const auto found = components(path, {}, {.variant = variant}, {.threads = 2});
    EXPECT_EQ(found.report.variant, variant);
    EXPECT_EQ(integer_answer(found.labels), expected);
  }
  EXPECT_FALSE(is_streamed(path, {}, {.variant = "serial.none.union_find"}, {.threads = 2}));
}

TEST_F(binary_lists, are_united_with_others) {
  const std::vector<std::filesystem::path> files{write("a.coo", pairs_of<std::uint32_t>({{1, 2}, {5, 6}})),
                                                 pack("b.coo.gz", pairs_of<std::uint32_t>({{6, 7}})), write("c.el", "2 5\n9 9\n")};
  const std::map<std::uint64_t, std::uint64_t> expected{{1, 1}, {2, 1}, {5, 1}, {6, 1}, {7, 1}, {9, 9}};
  EXPECT_EQ(integer_answer(components(files, {}, {}, {.threads = 2}).labels), expected);
}

TEST_F(binary_lists, of_ids_that_are_wide_or_start_at_one) {
  const id_edges wide{{UINT64_MAX - 1, 3}, {4'294'967'295, UINT64_MAX - 1}, {7, 7}};
  const std::map<std::uint64_t, std::uint64_t> expected{{3, 3}, {7, 7}, {4'294'967'295, 3}, {UINT64_MAX - 1, 3}};
  from_everywhere({"a.coo64", format::coo64, pairs_of<std::uint64_t>(wide)}, {}, [&](const auto& path, const auto& options) {
    EXPECT_EQ(integer_answer(components(path, options, {}, {.threads = 2}).labels), expected) << path;
  });
  io::read_options from_one;
  from_one.vertices = 4;
  from_one.first_vertex = 1;
  const std::map<std::uint64_t, std::uint64_t> declared{{1, 1}, {2, 2}, {3, 2}, {4, 4}};
  from_everywhere({"a.coo", format::coo, pairs_of<std::uint32_t>({{3, 2}})}, from_one, [&](const auto& path, const auto& options) {
    EXPECT_EQ(integer_answer(components(path, options, {}, {.threads = 2}).labels), declared) << path;
  });
}

TEST_F(binary_lists, take_vertices_of_tables) {
  io::read_options asked;
  asked.vertex_tables.push_back({write("people.csv", "id\n2\n8\n"), "id"});
  const std::map<std::uint64_t, std::uint64_t> expected{{1, 1}, {2, 1}, {8, 8}};
  for (const written_list& list : all_lists({{1, 2}})) {
    from_everywhere(list, asked, [&](const auto& path, const auto& options) {
      const auto found = components(path, options, {}, {.threads = 2});
      EXPECT_EQ(integer_answer(found.labels), expected) << path;
      EXPECT_EQ(found.report.edges, 1u) << path;
    });
  }
}

TEST_F(binary_lists, without_edges_have_no_vertices) {
  for (const written_list& list : all_lists({})) {
    from_everywhere(list, {}, [](const auto& path, const auto& options) {
      EXPECT_EQ(components(path, options, {}, {.threads = 2}).labels.slots(), 0u) << path;
    });
  }
}

TEST_F(binary_lists, take_memory_for_vertices_not_for_edges) {
  constexpr std::uint64_t vertices = 200'000, bar = 8 * vertices + (std::uint64_t{6} << 20);
  const auto edges = random_edges(2'000'000, 3, [](std::mt19937_64& r) { return r() % vertices; });
  for (const written_list& list : {written_list{"a.coo", format::coo, pairs_of<std::uint32_t>(edges)},
                                   written_list{"a.npy", format::npy, npy_of("<i8", shape_of(edges), pairs_of<std::int64_t>(edges))}}) {
    ASSERT_GT(list.bytes.size(), bar + bar / 2) << list.name << " is too short to show anything";
    from_everywhere(list, {}, [&](const auto& path, const auto& options) {
      tracked_memory memory{bar};
      EXPECT_NO_THROW(static_cast<void>(components(path, options, {}, {.threads = 2, .memory = &memory}))) << path;
      EXPECT_LE(memory.peak_bytes(), bar) << path;
      EXPECT_EQ(memory.current_bytes(), 0u) << path;
    });
  }
}

TEST_F(binary_lists, keep_the_order_of_the_file) {
  const auto edges = random_edges(5000, 5, [](std::mt19937_64& r) { return r() % 100; });
  for (const written_list& list : all_lists(edges)) {
    io::read_options asked;
    asked.block_bytes = 100;
    from_everywhere(list, asked, [&](const auto& path, const auto& options) {
      const graph read = io::read_graph(path, options, {.threads = 7});
      const auto view = std::get<coo_view<std::uint32_t>>(read.view());
      ASSERT_EQ(view.edges.size(), edges.size()) << path;
      for (std::size_t i = 0; i < edges.size(); ++i) {
        ASSERT_EQ(read.names().integer(view.edges[i].u), edges[i].u) << path << " edge " << i;
        ASSERT_EQ(read.names().integer(view.edges[i].v), edges[i].v) << path << " edge " << i;
      }
    });
  }
}

/// Expects that the list is refused wherever it comes from, whatever the threads, and returns in what words: those behind the name.
class refused_lists : public binary_lists {
protected:
  void expect_refused(const written_list& list, const std::string& words, const io::read_options& asked = {}) const {
    for (const unsigned threads : {1u, 2u, 7u}) {
      from_everywhere(list, asked, [&](const std::filesystem::path& path, const io::read_options& options) {
        EXPECT_EQ(thrown<input_error>([&] { static_cast<void>(components(path, options, {}, {.threads = threads})); }),
                  path.string() + ": " + words)
            << threads;
      });
    }
  }
};

TEST_F(refused_lists, of_64_bits_that_are_called_32) {
  id_edges narrow;
  for (std::uint64_t i = 0; i < 20'000; ++i) narrow.push_back({i, i + 1});
  io::read_options small_blocks;
  small_blocks.block_bytes = 1000;
  for (const io::read_options& asked : {io::read_options{}, small_blocks}) {
    expect_refused({"a.coo", format::coo, pairs_of<std::uint64_t>(narrow)},
                   "found pairs whose second id is 0 in all of them, as pairs of 64-bit ids look, expected pairs of 32-bit ids (the option "
                   "format coo64 reads the others)",
                   asked);
  }
}

TEST_F(refused_lists, that_end_within_a_pair) {
  const auto bytes = pairs_of<std::uint32_t>(random_edges(2000, 7, [](std::mt19937_64& r) { return r() % 100; }));
  io::read_options small_blocks;
  small_blocks.block_bytes = 1000;
  expect_refused({"a.coo", format::coo, bytes.substr(0, 15'997)}, "found 15997 bytes, expected pairs of 4-byte ids, a multiple of 8 bytes",
                 small_blocks);
  expect_refused({"a.coo64", format::coo64, bytes.substr(0, 24)}, "found 24 bytes, expected pairs of 8-byte ids, a multiple of 16 bytes");
}

TEST_F(refused_lists, whose_array_is_shorter_or_longer_than_it_says) {
  const auto data = pairs_of<std::int64_t>(random_edges(1000, 7, [](std::mt19937_64& r) { return r() % 100; }));
  const auto array = npy_of("<i8", "(1000, 2)", data);
  io::read_options small_blocks;
  small_blocks.block_bytes = 1000;
  for (const std::size_t cut : {std::size_t{128}, std::size_t{129}, std::size_t{1128}, array.size() - 1, array.size() - 16}) {
    expect_refused({"a.npy", format::npy, array.substr(0, cut)},
                   "found the end at byte " + std::to_string(cut) + ", expected 16128 bytes of header and data of shape (1000, 2)",
                   small_blocks);
  }
  const auto by_columns = npy_of("<i8", "(1000, 2)", data, true);
  expect_refused({"a.npy", format::npy, by_columns.substr(0, 9000)},
                 "found the end at byte 9000, expected 16128 bytes of header and data of shape (1000, 2)");
  for (const auto& [whole, behind] : {std::pair{array, 1u}, std::pair{array, 100'000u}, std::pair{by_columns, 16u}}) {
    expect_refused({"a.npy", format::npy, whole + std::string(behind, '\xff')},
                   "found " + std::to_string(behind) + " more bytes at byte 16128, expected the end of the array", small_blocks);
  }
}

TEST_F(refused_lists, that_are_no_arrays) {
  expect_refused({"a.npy", format::npy, ""}, "found no byte at byte 0, expected \\x93NUMPY, the mark of an .npy array");
  expect_refused({"a.npy", format::npy, "id,component\n"}, "found other bytes at byte 0, expected \\x93NUMPY, the mark of an .npy array");
  expect_refused({"a.npy", format::npy, npy_of("<i8", "(1, 2)", "").substr(0, 50)},
                 "found the end at byte 50, expected 128 bytes of header");
  expect_refused({"a.npy", format::npy, npy_of("<f8", "(1, 2)", std::string(16, '\0'))},
                 "found the type <f8 of the ids at byte 0, expected integers (such as <i8)");
  expect_refused({"a.npy", format::npy, npy_of("<i8", "(1, 3)", std::string(24, '\0'))},
                 "found the shape (1, 3) at byte 10, expected two columns (m, 2) or two rows (2, m)");
}

TEST_F(refused_lists, with_the_first_wrong_id_of_the_file) {
  id_edges edges;
  for (std::uint64_t i = 0; i < 20'000; ++i) edges.push_back({i, i == 7000 || i == 7001 || i == 19'000 ? -i : i});
  io::read_options small_blocks;
  small_blocks.block_bytes = 64;
  small_blocks.vertices = 20'000;
  expect_refused({"a.npy", format::npy, npy_of("<i8", shape_of(edges), pairs_of<std::int64_t>(edges))},
                 "found the id -7000 at byte " + std::to_string(128 + 16 * 7000 + 8) + ", expected a vertex below 20000", small_blocks);
  small_blocks.vertices = 10;
  expect_refused({"a.coo", format::coo, pairs_of<std::uint32_t>({{7, 9}, {3, 10}})},
                 "found the id 10 at byte 12, expected a vertex below 10", small_blocks);
}

TEST_F(binary_lists, that_are_cut_off_while_packed_are_refused) {
  const auto edges = random_edges(50'000, 9, [](std::mt19937_64& r) { return r() % 100'000; });
  for (const written_list& list : all_lists(edges)) {
    for (const char* suffix : {".gz", ".zst"}) {
      const std::string whole = read_bytes(pack(list.name + suffix, list.bytes));
      for (const std::size_t size : {whole.size() / 2, whole.size() - 1}) {
        const auto path = write("cut_" + list.name + suffix, whole.substr(0, size));
        for (const unsigned threads : {1u, 7u}) {
          const std::string said = thrown<input_error>([&] { static_cast<void>(components(path, {}, {}, {.threads = threads})); });
          EXPECT_TRUE(said.starts_with(path.string() + ": ")) << path << ": \"" << said << '"';
        }
      }
    }
  }
}

TEST_F(binary_lists, that_may_be_wider_are_noted_once_they_were_read) {
  id_edges edges(5000, {7, 0});
  edges[20].v = 1;
  io::read_options small_blocks;
  small_blocks.block_bytes = 1000;
  from_everywhere({"a.coo", format::coo, pairs_of<std::uint32_t>(edges)}, small_blocks, [](const auto& path, const auto& options) {
    noting listener;
    static_cast<void>(components(path, options, {}, {.threads = 2, .observer = &listener}));
    EXPECT_EQ(listener.notes,
              std::vector<std::string>{path.string() +
                                       ": most second ids are 0, as in pairs of 64-bit ids (the option format coo64 reads those)"});
  });
}

/// Counts the edges of a part.
class counting_sink final : public io::edge_sink {
public:
  void begin(const io::source_facts& facts) override { declared = facts.vertices; }
  void edges(unsigned, const io::edge_batch& batch) override {
    const std::lock_guard lock{guard_};
    count += batch.size();
  }
  void finish() override { finished = true; }

  std::optional<std::uint64_t> declared;
  std::uint64_t count = 0;
  bool finished = false;

private:
  std::mutex guard_;
};

TEST_F(binary_lists, are_cut_into_parts_unless_they_are_packed) {
  constexpr unsigned parts = 3;
  const auto edges = random_edges(3000, 11, [](std::mt19937_64& r) { return r() % 100; });
  for (const written_list& list : all_lists(edges)) {
    for (const bool packed : {false, true}) {
      const std::filesystem::path path = packed ? pack(list.name + ".gz", list.bytes) : write(list.name, list.bytes);
      io::read_request options{{}, {.threads = 2}};
      options.vertices = 100;
      std::vector<std::uint64_t> counts;
      for (unsigned part = 0; part < parts; ++part) {
        counting_sink sink;
        io::parse(path, options, io::part_of_file{part, parts}, sink);
        EXPECT_TRUE(sink.finished);
        EXPECT_EQ(sink.declared, 100u) << path;
        counts.push_back(sink.count);
      }
      EXPECT_EQ(counts, (packed ? std::vector<std::uint64_t>{3000, 0, 0} : std::vector<std::uint64_t>{1000, 1000, 1000})) << path;
    }
  }
}

TEST_F(binary_lists, survive_failing_allocations) {
  const auto edges = random_edges(3000, 13, [](std::mt19937_64& r) { return r() % 2000; });
  const auto expected = smallest_names<std::uint64_t>(edges);
  for (const written_list& list : all_lists(edges)) {
    const auto path = pack(list.name + ".zst", list.bytes);
    const std::uint64_t failures = failures_of([&](std::pmr::memory_resource* memory) {
      EXPECT_EQ(integer_answer(components(path, {}, {}, {.threads = 2, .memory = memory}).labels), expected);
    });
    EXPECT_GE(failures, 2u) << path;
  }
}

TEST_F(binary_lists, can_be_cancelled) {
  const auto edges = random_edges(3000, 15, [](std::mt19937_64& r) { return r() % 2000; });
  for (const written_list& list : all_lists(edges)) {
    from_everywhere(list, {}, [](const auto& path, const auto& options) {
      impatient listener;
      EXPECT_THROW(static_cast<void>(components(path, options, {}, {.threads = 2, .observer = &listener})), cancelled) << path;
    });
  }
}

}  // namespace
}  // namespace copse::test
