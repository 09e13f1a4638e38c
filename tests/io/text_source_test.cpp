// Where bytes come from: mappings, pipes, gzip and zstd in all their shapes, and what happens when they are damaged.
#include "io/source.hpp"
#include "io/text_harness.hpp"
#include "support/impatient.hpp"

#include <fcntl.h>
#include <zlib.h>
#include <zstd.h>

#include <cstring>
#include <thread>

namespace copse::testing {
namespace {

std::string gzip(std::string_view text) {
  z_stream zlib{};
  EXPECT_EQ(deflateInit2(&zlib, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string result(deflateBound(&zlib, text.size()) + 64, '\0');
  zlib.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  zlib.avail_in = static_cast<uInt>(text.size());
  zlib.next_out = reinterpret_cast<Bytef*>(result.data());
  zlib.avail_out = static_cast<uInt>(result.size());
  EXPECT_EQ(deflate(&zlib, Z_FINISH), Z_STREAM_END);
  result.resize(zlib.total_out);
  deflateEnd(&zlib);
  return result;
}

std::string zstd(std::string_view text) {
  std::string result(ZSTD_compressBound(text.size()), '\0');
  result.resize(ZSTD_compress(result.data(), result.size(), text.data(), text.size(), 3));
  return result;
}

/// As bgzip writes it: members whose head says how long they are, the last one empty.
std::string bgzf(std::string_view text, std::size_t block_bytes) {
  std::string result;
  for (std::size_t at = 0;; at += block_bytes) {
    const bool last = at >= text.size();
    std::string member = gzip(last ? "" : text.substr(at, block_bytes));
    member[3] = 4;  // there is an extra field
    member.insert(10, std::string{"\6\0BC\2\0??", 8});
    const auto size = static_cast<std::uint16_t>(member.size() - 1);
    std::memcpy(member.data() + 16, &size, sizeof size);
    result += member;
    if (last) return result;
  }
}

std::string zstd_frames(std::string_view text, std::size_t frame_bytes) {
  std::string result;
  ZSTD_CCtx* const zstd = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1);
  for (std::size_t at = 0; at < text.size(); at += frame_bytes) {
    const std::string_view part = text.substr(at, frame_bytes);
    std::string frame(ZSTD_compressBound(part.size()), '\0');
    const std::size_t size = ZSTD_compress2(zstd, frame.data(), frame.size(), part.data(), part.size());
    result.append(frame, 0, size);
  }
  ZSTD_freeCCtx(zstd);
  return result;
}

struct sample {
  std::string text;
  edges expected;
};

sample many_edges() {
  sample result;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    result.text += std::to_string(i * i) + "\t" + std::to_string(i + 1) + (i % 9 == 0 ? "\r\n" : "\n");
    result.expected.push_back({i * i, i + 1});
  }
  return result;
}

TEST(text_source, gzip_members_and_zstd_frames) {
  const auto [text, expected] = many_edges();
  const std::string_view all = text;
  const std::string_view front = all.substr(0, 777);  // cut inside a line
  const std::string_view back = all.substr(777);
  const std::vector<std::pair<std::string, std::string>> files{
      {"one.txt.gz", gzip(all)},
      {"two.txt.gz", gzip(front) + gzip("") + gzip(back)},
      {"padded.txt.gz", gzip(all) + std::string(600, '\0')},
      {"one.txt.zst", zstd(all)},
      {"two.txt.zst", zstd(front) + zstd("") + zstd(back)},
      {"by_magic_gzip.txt", gzip(all)},
      {"by_magic_zstd.txt", zstd(all)},
  };
  for (const auto& [name, bytes] : files) {
    SCOPED_TRACE(name);
    const temporary_file file{name, bytes};
    EXPECT_EQ(read_everywhere(file.path()).numbers, expected);
  }
}

TEST(text_source, parts_that_decompress_by_themselves_give_the_lines_of_the_whole) {
  const auto [text, expected] = many_edges();
  for (const std::size_t bytes : {7u, 100u, 5000u}) {  // shorter than a line, than a block of lines, and longer
    SCOPED_TRACE(bytes);
    const temporary_file blocks{"t.txt.gz", bgzf(text, bytes)}, frames{"t.txt.zst", zstd_frames(text, bytes)};
    EXPECT_EQ(read_everywhere(blocks.path()).numbers, expected);
    EXPECT_EQ(read_everywhere(frames.path()).numbers, expected);
    const temporary_file unended{"t.txt.zst", zstd_frames(std::string_view{text}.substr(0, text.size() - 1), bytes)};
    EXPECT_EQ(read_everywhere(unended.path()).numbers, expected);
  }
  const std::string comment = "#" + std::string(20000, 'x') + "\n";  // a line over many parts
  const temporary_file long_line{"t.txt.gz", bgzf("1 2\n" + comment + "3 4\n", 300)};
  EXPECT_EQ(read_everywhere(long_line.path()).numbers, (edges{{1, 2}, {3, 4}}));
  const temporary_file faulty{"t.txt.gz", bgzf(text + "1\t2\nx\t3\n", 1000)};
  EXPECT_EQ(refusal_everywhere(faulty.path()),
            R"(t.txt.gz:2002: found "x", expected an id from -9223372036854775808 to 18446744073709551615 in column 1)");
}

TEST(text_source, a_damaged_part_is_refused_with_its_byte_whatever_the_threads) {
  const auto [text, expected] = many_edges();
  for (const bool is_gzip : {true, false}) {
    std::string whole = is_gzip ? bgzf(text, 1000) : zstd_frames(text, 1000);
    const std::size_t middle = whole.size() / 2;
    for (std::size_t i = 0; i < 40; ++i) whole[middle + i] = static_cast<char>(whole[middle + i] ^ 0x5a);
    const temporary_file file{is_gzip ? "t.txt.gz" : "t.txt.zst", whole};
    for (const unsigned threads : {1u, 4u}) {
      io::read_request options{{}, {.threads = threads}};
      options.block_bytes = 100;
      try {
        static_cast<void>(read_text(file.path(), options));
        FAIL() << "not refused";
      } catch (const input_error& e) {
        EXPECT_NE(
            std::string_view{e.what()}.find(is_gzip ? "found a damaged gzip stream near byte " : "found a damaged zstd stream near byte "),
            std::string_view::npos)
            << e.what();
      }
    }
  }
}

TEST(text_source, errors_behind_compression_name_the_line) {
  const temporary_file file{"t.txt.gz", gzip("0 1\n1 2\n\n2 x\n3 y\n")};
  EXPECT_EQ(refusal_everywhere(file.path()),
            R"(t.txt.gz:4: found "x", expected an id from -9223372036854775808 to 18446744073709551615 in column 2)");
}

TEST(text_source, every_cut_is_refused_with_its_byte) {
  const std::string text = "0 1\n1 2\n2 3\n100 2000\n";
  for (const bool is_gzip : {true, false}) {
    const std::string whole = is_gzip ? gzip(text) : zstd(text);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const temporary_file file{is_gzip ? "t.txt.gz" : "t.txt.zst", std::string_view{whole}.substr(0, size)};
      const std::string found = refusal_everywhere(file.path());
      EXPECT_EQ(found.find(file.path().filename().string() + ": found the end of the file at byte " + std::to_string(size)), 0u) << found;
      EXPECT_THROW(io::whole_file{file.path()}, input_error);
    }
  }
}

TEST(text_source, the_window_of_zstd_is_memory_of_the_caller) {
  ZSTD_CCtx* const zstd = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(zstd, ZSTD_c_windowLog, 27);
  std::string packed(1 << 12, '\0');
  const std::string text = "0 1\n1 2\n";
  ZSTD_inBuffer in{text.data(), text.size(), 0};
  ZSTD_outBuffer out{packed.data(), packed.size(), 0};
  ASSERT_EQ(ZSTD_compressStream2(zstd, &out, &in, ZSTD_e_flush), 0u);  // the frame does not know how long its content is
  ASSERT_EQ(ZSTD_compressStream2(zstd, &out, &in, ZSTD_e_end), 0u);
  ZSTD_freeCCtx(zstd);
  packed.resize(out.pos);
  const temporary_file file{"t.txt.zst", packed};
  for (const bool whole : {false, true}) {
    const auto bytes_read_with = [&](std::uint64_t limit) {
      tracked_memory memory{limit};
      if (whole) {
        io::whole_file{file.path(), &memory};
      } else {
        io::read_graph(file.path(), {}, {.threads = 1, .memory = &memory});
      }
      return memory.peak_bytes();
    };
    EXPECT_GT(bytes_read_with(UINT64_MAX), 128u << 20);
    EXPECT_THROW(bytes_read_with(64u << 20), resource_error);
  }
}

TEST(text_source, damage_is_refused_with_its_byte) {
  const auto [text, expected] = many_edges();
  for (std::string whole : {gzip(text), zstd(text)}) {
    const bool is_gzip = whole.starts_with('\x1f');
    whole[whole.size() - 6] = static_cast<char>(whole[whole.size() - 6] ^ 0x55);  // gzip: the checksum
    if (!is_gzip) whole[4] = static_cast<char>(whole[4] ^ 0x08);                  // zstd: a reserved bit of the head
    const temporary_file file{is_gzip ? "t.txt.gz" : "t.txt.zst", whole};
    const std::string found = refusal_everywhere(file.path());
    EXPECT_NE(found.find(is_gzip ? "found a damaged gzip stream near byte " : "found a damaged zstd stream near byte "), std::string::npos)
        << found;
  }
  const temporary_file plain{"plain.txt.gz", "0 1\n"};
  EXPECT_NE(refusal_everywhere(plain.path()).find("damaged gzip stream near byte"), std::string::npos);
  const temporary_file trailing{"t.txt.gz", gzip("0 1\n") + "garbage"};
  EXPECT_NE(refusal_everywhere(trailing.path()).find("damaged gzip stream near byte"), std::string::npos);
}

TEST(text_source, lines_longer_than_a_block) {
  const std::string text = "0 1 " + std::string(5000, 'x') + "\n1 2\n# " + std::string(3000, 'y') + "\n2 3";
  for (const std::string name : {"t.txt", "t.txt.gz"}) {
    const temporary_file file{name, name == "t.txt" ? text : gzip(text)};
    EXPECT_EQ(read_everywhere(file.path()).numbers, (edges{{0, 1}, {1, 2}, {2, 3}}));
  }
}

// Runs `body` with `bytes` coming through standard input.
void with_standard_input(const std::string& bytes, const std::function<void()>& body) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const int kept = ::dup(STDIN_FILENO);
  ASSERT_GE(::dup2(ends[0], STDIN_FILENO), 0);
  ::close(ends[0]);
  std::thread writer{[&] {
    std::size_t at = 0;
    while (at < bytes.size()) {
      const auto put = ::write(ends[1], bytes.data() + at, bytes.size() - at);
      if (put <= 0) break;
      at += static_cast<std::size_t>(put);
    }
    ::close(ends[1]);
  }};
  body();
  writer.join();
  ::dup2(kept, STDIN_FILENO);
  ::close(kept);
}

TEST(text_source, standard_input_plain_and_compressed) {
  const sample sent = many_edges();  // clang 14 captures no structured binding
  for (const std::string& bytes : {sent.text, gzip(sent.text), zstd(sent.text)}) {
    everywhere({}, [&](const io::read_request& options) {
      with_standard_input(bytes, [&] { EXPECT_EQ(read_text("-", options).numbers, sent.expected); });
    });
    with_standard_input(bytes, [&] { EXPECT_EQ(io::whole_file{"-"}.bytes(), sent.text); });
  }
}

TEST(text_source, whole_file_gives_the_same_bytes) {
  const std::string text = many_edges().text;
  for (const auto& [name, bytes] : {std::pair{"t.txt", text}, std::pair{"t.txt.gz", gzip(text) + gzip(text)},
                                    std::pair{"t.zst", zstd(text)}, std::pair{"e.txt", std::string{}}}) {
    const temporary_file file{name, bytes};
    const std::string expected = std::string_view{name} == "t.txt.gz" ? text + text : bytes.empty() ? "" : text;
    EXPECT_EQ(io::whole_file{file.path()}.bytes(), expected);
  }
}

TEST(text_source, what_cannot_be_opened) {
  EXPECT_THROW(io::whole_file{"/nonexistent/file.txt"}, input_error);
  io::read_options options;
  options.format = io::format::edges;
  EXPECT_EQ(refusal_everywhere("/usr/bin", options), "bin: found a directory, expected a file");
}

TEST(text_source, cancellation) {
  test::impatient listener;
  const temporary_file file{"t.txt", "0 1\n"};
  everywhere({}, [&](io::read_request options) {
    options.observer = &listener;
    EXPECT_THROW(read_text(file.path(), options), cancelled);
  });
}

// A sink may fail, too: its exception comes out, and nobody waits for ever.
TEST(text_source, exception_of_the_sink) {
  class failing final : public io::edge_sink {
    void begin(const io::source_facts&) override {}
    void edges(unsigned, const io::edge_batch&) override { throw resource_error{"full"}; }
    void finish() override { FAIL(); }
  };
  const temporary_file list{"t.txt", many_edges().text};
  const temporary_file matrix{"t.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 3\n1 2\n2 3\n3 1\n"};
  everywhere({}, [&](const io::read_request& options) {
    failing sink;
    EXPECT_THROW(parse_list(list.path(), io::format::edges, options, sink), resource_error);
    EXPECT_THROW(io::parse_matrix_market(matrix.path(), options, sink), resource_error);
  });
}

TEST(format, by_suffix_and_name) {
  EXPECT_EQ(io::format_of("a/web.mtx.gz"), io::format::mtx);
  EXPECT_EQ(io::format_of("x.csv"), io::format::csv);
  EXPECT_EQ(io::format_of("x.graph.zst"), io::format::metis);
  EXPECT_EQ(io::format_of("-"), io::format::edges);
  EXPECT_THROW(io::format_of("x.pdf"), input_error);
  EXPECT_THROW(io::format_of("gz"), input_error);
  for (const auto f : {io::format::edges, io::format::csv, io::format::mtx, io::format::metis, io::format::dimacs, io::format::sg,
                       io::format::egr, io::format::adj, io::format::npy, io::format::npz, io::format::coo}) {
    EXPECT_EQ(io::format_named(io::to_string(f)), f);
  }
  EXPECT_THROW(io::format_named("pdf"), usage_error);
}

}  // namespace
}  // namespace copse::testing
