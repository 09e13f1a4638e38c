// Pairs of 32 bits go to a sink that takes them as they lie in the file, wherever that is the same: all of them, each once.
#include <gtest/gtest.h>
#include <copse/io.hpp>
#include <copse/views.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "support/temporary_folder.hpp"

namespace copse::test {
namespace {

using pairs = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

class both_widths final : public io::edge_sink {
public:
  [[nodiscard]] io::sink_wishes wishes() const noexcept override { return {.narrow_ids = true}; }
  void begin(const io::source_facts&) override {}
  void edges(unsigned, const io::edge_batch& batch) override {
    EXPECT_TRUE(batch.names.empty());
    keep(wide, batch.ids);
    keep(narrow, batch.narrow_ids);
  }

  pairs wide, narrow;

private:
  template <class Edge>
  void keep(pairs& to, std::span<const Edge> batch) {
    const std::lock_guard alone{guard_};
    for (const auto [u, v] : batch) to.emplace_back(u, v);
  }
  std::mutex guard_;
};

pairs sorted(pairs all) {
  std::sort(all.begin(), all.end());
  return all;
}

TEST(narrow_ids, takes_all_pairs_of_a_coo_file) {
  const temporary_folder folder;
  std::vector<edge<std::uint32_t>> file;
  pairs expected;
  for (std::uint32_t i = 0; i < 5000; ++i) {
    file.push_back({i * 7 % 1000, i});
    expected.emplace_back(i * 7 % 1000, i);
  }
  const std::filesystem::path path = folder / "g.coo";
  write_bytes(path, {reinterpret_cast<const char*>(file.data()), file.size() * sizeof file.front()});
  for (const std::size_t block : {std::size_t{1}, std::size_t{1000}, std::size_t{1} << 20}) {
    io::read_options options;
    options.block_bytes = block;
    both_widths sink;
    io::parse(path, options, sink, {.threads = 3});
    EXPECT_EQ(sorted(sink.narrow), sorted(expected)) << block;
    EXPECT_TRUE(sink.wide.empty()) << block;
    both_widths declared;
    options.vertices = 5000;  // ids are checked then, one by one
    io::parse(path, options, declared, {.threads = 3});
    EXPECT_EQ(sorted(declared.wide), sorted(expected)) << block;
    EXPECT_TRUE(declared.narrow.empty()) << block;
  }
}

}  // namespace
}  // namespace copse::test
