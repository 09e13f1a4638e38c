// Files that are read instead of mapped: the same edges, and a file that is cut off meanwhile is a short file, not a signal.
#include "io/text_harness.hpp"
#include "support/sanitized.hpp"

#include <copse/errors.hpp>
#include <copse/io.hpp>

namespace copse::testing {
namespace {

/// Cuts the file off as soon as an edge was read.
class cutting_sink final : public io::edge_sink {
public:
  explicit cutting_sink(std::filesystem::path path) : path_{std::move(path)} {}
  void begin(const io::source_facts&) override {}
  void edges(unsigned, const io::edge_batch& batch) override {
    if (count == 0) std::filesystem::resize_file(path_, 0);
    count += batch.size();
  }
  std::uint64_t count = 0;

private:
  std::filesystem::path path_;
};

std::string many_lines() {
  std::string text;
  for (int i = 0; i < 500'000; ++i) text += std::to_string(i) + " " + std::to_string(i + 1) + "\n";
  return text;
}

io::read_request asked(bool mapped) {
  io::read_request options{{}, {.threads = 1}};
  options.block_bytes = std::size_t{1} << 16;
  options.mapped = mapped;
  return options;
}

TEST(unmapped, a_file_that_is_cut_off_is_a_short_one) {
  const temporary_file file{"t.el", many_lines()};
  cutting_sink sink{file.path()};
  io::parse(file.path(), asked(false), io::part_of_file{}, sink);
  EXPECT_GT(sink.count, 0u);
  EXPECT_LT(sink.count, 500'000u);
}

TEST(unmapped_death, a_mapped_file_that_is_cut_off_ends_the_process) {
  if (test::sanitized) GTEST_SKIP() << "a sanitizer ends the process its own way";
  const temporary_file file{"t.el", many_lines()};
  cutting_sink sink{file.path()};
  EXPECT_EXIT(io::parse(file.path(), asked(true), io::part_of_file{}, sink), ::testing::KilledBySignal(SIGBUS), "");
}

TEST(unmapped, every_format_reads_the_same) {
  const temporary_file text{"t.csv", "u,v\n1,2\n2,3\n"}, rows{"t.graph", "3 2\n2\n1 3\n2\n"},
      pairs{"t.coo", std::string_view{"\1\0\0\0\2\0\0\0", 8}},
      huge{"t.mtx", "%%MatrixMarket matrix coordinate pattern general\n2000000000 2000000000 1\n1 2\n"};
  io::read_options unmapped;
  unmapped.mapped = false;
  for (const auto* file : {&text, &rows, &pairs}) {
    const graph mapped = io::read_graph(file->path()), read = io::read_graph(file->path(), unmapped, {.threads = 1});
    EXPECT_EQ(mapped.vertices(), read.vertices());
    EXPECT_EQ(arcs_of(mapped), arcs_of(read));
  }
  EXPECT_THROW(io::read_graph(huge.path(), unmapped, {.threads = 1}), input_error) << "its size is known all the same";
}

}  // namespace
}  // namespace copse::testing
