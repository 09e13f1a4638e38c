// Files read straight to a GPU: the rows, the facts and the refusals of the reader in host memory.
#include <copse/build.hpp>
#include <copse/components.hpp>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/generate.hpp>
#include <copse/io.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "gpu/gpu.hpp"
#include "io/binary_harness.hpp"
#include "support/thrown.hpp"
#include "support/zoo.hpp"
#include "variants/gpu_choice.hpp"

namespace copse::test {
namespace {

using copse::testing::packed;
using copse::testing::temporary_folder;

std::string packed_words(const std::vector<std::int32_t>& words) {
  return {reinterpret_cast<const char*>(words.data()), words.size() * sizeof(std::int32_t)};
}
std::string egr(std::int32_t n, std::int32_t m, const std::string& arrays) { return packed<std::int32_t>({n, m}) + arrays; }
std::string sg(char directed, std::int64_t m, std::int64_t n, const std::string& arrays) {
  return std::string(1, directed) + packed<std::int64_t>({m, n}) + arrays;
}

/// Small pieces: every array takes many, and none ends with one.
device::solver::settings in_pieces() { return {.copies = {.least_bytes = 0, .piece_bytes = 52}}; }

TEST(gpu_read, gives_the_labels_and_numbers_of_the_host) {
  COPSE_NEEDS_GPU();
  const temporary_folder folder;
  std::vector<graph> graphs;
  for (zoo_graph& animal : zoo(1)) graphs.push_back(build_csr(graph{std::move(animal.edges)}));
  for (const char* spec : {"rmat:scale=15,edges=8", "star:n=70000", "grid2d:side=200"}) graphs.push_back(gen::generate(spec));
  for (const graph& g : graphs) {
    for (const char* name : {"a.egr", "a.sg"}) {
      io::write_graph(g, folder / name);
      const graph held = io::read_graph(folder / name);
      const auto read = gpu_graph::read(folder / name);
      EXPECT_EQ(read.edges(), read.arcs() / 2);
      EXPECT_TRUE(read.both_directions());
      const auto expected = components(held, {.variant = "serial.none.rem"});
      EXPECT_EQ(read.arcs(), expected.report.edges);
      for (const char* variant : {"auto", "cuda.none.ecl", "cuda.kout.rem_cas.naive.split_one"}) {
        const auto solved = components(read, {.variant = variant});
        EXPECT_EQ(checksum(solved.copy_out()), checksum(expected.labels)) << name << ", " << variant;
        EXPECT_TRUE(verify(read, solved)) << name << ", " << variant;
      }
    }
  }
}

TEST(gpu_read, finds_out_what_rows_hold) {
  COPSE_NEEDS_GPU();
  const temporary_folder folder;
  device::solver solver{in_pieces()};
  const auto facts = [&](const std::string& bytes) {
    copse::testing::write_bytes(folder / "a.egr", bytes);
    const graph held = io::read_graph(folder / "a.egr");
    const auto& rows = std::get<0>(held.shape());
    const auto read = solver.read(folder / "a.egr", {}, a_variant);
    EXPECT_EQ(read.narrow.symmetric, rows.symmetric);
    EXPECT_EQ(read.narrow.sorted, rows.sorted);
    EXPECT_EQ(read.rows.view().rows.symmetric, rows.symmetric == symmetry::yes);
    EXPECT_EQ(read.rows.view().rows.sorted, rows.sorted);
    return std::vector<std::uint64_t>{rows.symmetric == symmetry::yes, rows.sorted, read.loops};
  };
  using seen = std::vector<std::uint64_t>;
  EXPECT_EQ(facts(egr(4, 4, packed<std::int32_t>({0, 1, 3, 4, 4, 1, 0, 2, 1}))), (seen{1, 1, 0}));
  EXPECT_EQ(facts(egr(4, 4, packed<std::int32_t>({0, 1, 3, 4, 4, 1, 2, 0, 1}))), (seen{1, 0, 0}));  // a row that is not sorted
  EXPECT_EQ(facts(egr(3, 2, packed<std::int32_t>({0, 1, 2, 2, 1, 2}))), (seen{0, 1, 0}));           // one direction
  EXPECT_EQ(facts(egr(3, 4, packed<std::int32_t>({0, 2, 3, 4, 0, 1, 0, 2}))), (seen{1, 1, 2}));     // loops
  EXPECT_EQ(facts(egr(3, 3, packed<std::int32_t>({0, 2, 3, 3, 1, 1, 0}))), (seen{0, 1, 0}));        // one direction repeated
  EXPECT_EQ(facts(egr(2, 2, packed<std::int32_t>({0, 1, 2, 1, 0, 7, 7}))), (seen{1, 1, 0}));        // weights
  EXPECT_EQ(facts(egr(0, 0, packed<std::int32_t>({0}))), (seen{1, 1, 0}));
  // Many threads, and a fault of the order of one row among them.
  const graph large = gen::generate("rmat:scale=12,edges=8");
  const auto& rows = std::get<0>(large.shape());
  std::vector<std::int32_t> words(rows.offsets.begin(), rows.offsets.end());
  words.insert(words.end(), rows.targets.begin(), rows.targets.end());
  EXPECT_EQ(
      facts(egr(static_cast<std::int32_t>(rows.view().vertices()), static_cast<std::int32_t>(rows.targets.size()), packed_words(words))),
      (seen{1, 1, 0}));
  const std::size_t last = words.size() - 1;
  const auto hub = static_cast<std::size_t>(rows.offsets.size());
  std::swap(words[hub], words[hub + 1]);
  EXPECT_EQ(
      facts(egr(static_cast<std::int32_t>(rows.view().vertices()), static_cast<std::int32_t>(rows.targets.size()), packed_words(words))),
      (seen{1, 0, 0}));
  words[last] = words[last] == 0 ? 1 : words[last] - 1;
  EXPECT_EQ(
      facts(egr(static_cast<std::int32_t>(rows.view().vertices()), static_cast<std::int32_t>(rows.targets.size()), packed_words(words)))[0],
      0u);
}

/// Faults of headers, offsets and targets, cut files, and files that are longer than they say: the same text as in host memory.
TEST(gpu_read, refuses_what_the_host_refuses_in_the_same_words) {
  COPSE_NEEDS_GPU();
  const temporary_folder folder;
  device::solver solver{in_pieces()};
  const std::string offsets32 = packed<std::int32_t>({0, 1, 3, 4, 4}), offsets64 = packed<std::int64_t>({0, 1, 3, 4, 4});
  const std::string targets = packed<std::int32_t>({1, 0, 2, 1});
  std::vector<std::pair<std::string, std::string>> files{{"a.egr", egr(-4, 4, offsets32 + targets)},
                                                         {"a.egr", egr(4, -4, offsets32 + targets)},
                                                         {"a.egr", egr(4, 4, offsets32 + targets + "abc")},
                                                         {"a.egr", egr(INT32_MAX, 4, offsets32)},
                                                         {"a.egr", egr(4, 4, packed<std::int32_t>({0, 3, 1, 4, 4}) + targets)},
                                                         {"a.egr", egr(4, 4, packed<std::int32_t>({1, 1, 3, 4, 4}) + targets)},
                                                         {"a.egr", egr(4, 4, packed<std::int32_t>({0, 1, 3, 3, 3}) + targets)},
                                                         {"a.egr", egr(4, 4, packed<std::int32_t>({0, 1, 3, 9, 4}) + targets)},
                                                         {"a.egr", egr(4, 4, packed<std::int32_t>({0, -1, 3, 4, 4}) + targets)},
                                                         {"a.egr", egr(4, 4, offsets32 + packed<std::int32_t>({1, 4, 9, 1}))},
                                                         {"a.egr", egr(4, 4, offsets32 + packed<std::int32_t>({1, 0, 2, -2}))},
                                                         {"a.sg", sg(7, 4, 4, offsets64 + targets)},
                                                         {"a.sg", sg(0, 4, 3'000'000'000, offsets64 + targets)},
                                                         {"a.sg", sg(0, 4, 4, offsets64 + targets) + "x"},
                                                         {"a.sg", sg(0, 4, 4, packed<std::int64_t>({0, -1, 3, 4, 4}) + targets)},
                                                         {"a.sg", sg(0, 4, 4, packed<std::int64_t>({0, 1, 3, 1LL << 32, 4}) + targets)},
                                                         {"a.sg", sg(0, 4, 4, packed<std::int64_t>({0, 1, 3, 4, 3}) + targets)},
                                                         {"a.sg", sg(0, 4, 4, offsets64 + packed<std::int32_t>({1, 0, 4, 1}))}};
  const std::string good = sg(0, 4, 4, offsets64 + targets);
  for (std::size_t length = 0; length < good.size(); ++length) files.emplace_back("a.sg", good.substr(0, length));
  for (const auto& [name, bytes] : files) {
    copse::testing::write_bytes(folder / name, bytes);
    std::string expected, found = "nothing refused";
    try {
      static_cast<void>(io::read_graph(folder / name));
    } catch (const input_error& refused) {
      expected = refused.what();
    }
    try {
      static_cast<void>(solver.read(folder / name, {}, a_variant));
    } catch (const input_error& refused) {
      found = refused.what();
    }
    EXPECT_EQ(found, expected);
    EXPECT_EQ(solver.memory().current_bytes(), 0u) << found;
  }
}

/// Of two faults the first in the file, whatever thread finds which.
TEST(gpu_read, names_the_first_fault) {
  COPSE_NEEDS_GPU();
  const temporary_folder folder;
  constexpr std::int32_t n = 400'000;
  std::vector<std::int32_t> words{n, n};
  for (std::int32_t i = 0; i <= n; ++i) words.push_back(i);
  const std::size_t targets_at = words.size();
  for (std::int32_t i = 0; i < n; ++i) words.push_back(i == 200'001 || i == 390'000 ? n : n - 1 - i);
  copse::testing::write_bytes(folder / "a.egr", packed_words(words));
  const std::string said = thrown<input_error>([&] { static_cast<void>(gpu_graph::read(folder / "a.egr")); });
  EXPECT_TRUE(
      said.ends_with("found the target 400000 at byte " + std::to_string(4 * (targets_at + 200'001)) + ", expected a vertex below 400000"))
      << said;
}

TEST(gpu_read, says_what_it_does_not_read) {
  io::read_options weighed;
  weighed.min_weight = 1;
  EXPECT_TRUE(gpu_graph::reads("a.egr"));
  EXPECT_TRUE(gpu_graph::reads("a.sg.gz"));
  EXPECT_FALSE(gpu_graph::reads("a.el"));
  EXPECT_FALSE(gpu_graph::reads("a.egr", weighed));
  COPSE_NEEDS_GPU();
  EXPECT_THROW(static_cast<void>(gpu_graph::read("a.el")), usage_error);
  EXPECT_THROW(static_cast<void>(gpu_graph::read("a.egr", weighed)), usage_error);
}

/// What `info --device` says of a graph holds for its file, of which only the sizes are known before it is read. `auto` may need less once
/// the rows are seen.
TEST(gpu_read, rows_ahead_need_what_they_need_when_they_are_seen) {
  for (const char* spec : {"rmat:scale=13,edges=8", "osm:side=20,keep=.6", "mesh:side=30", "path:n=100", "star:n=9", "complete:n=9"}) {
    const graph g = build_csr(gen::generate(spec));
    const auto& rows = std::get<0>(g.shape());
    const device::graph_sizes sizes = device::sizes_of(arc_view{rows.view()});
    for (const std::string variant : {"auto", "cuda.none.ecl", "cuda.kout.jtb.naive"}) {
      for (const auto problem : {problem_kind::components, problem_kind::forest}) {
        const auto needed = [&](graph_view seen) { return gpu_graph::bytes_needed(seen, variant, problem); };
        const std::uint64_t ahead =
            device::needs_of(variant::gpu_variant_ahead(sizes.vertices, sizes.arcs, variant, problem).info, sizes).all();
        if (variant == "auto") {
          EXPECT_GE(ahead, needed(g.view())) << spec << ", " << variant;
        } else {
          EXPECT_EQ(ahead, needed(g.view())) << spec << ", " << variant;
        }
        // Rows of which an unsampled solve is all that is right never take more.
        EXPECT_GE(ahead, needed(csr_view<std::uint32_t, std::uint32_t>{rows.offsets.span(), rows.targets.span(), symmetry::no, false}));
        EXPECT_GE(ahead, needed(csr_view<std::uint32_t, std::uint32_t>{rows.offsets.span(), rows.targets.span(), symmetry::yes, false}));
      }
    }
  }
}

TEST(gpu_read, a_file_that_does_not_fit_is_refused_before_it_is_copied) {
  COPSE_NEEDS_GPU();
  const temporary_folder folder;
  const graph g = gen::generate("rmat:scale=13,edges=8");
  io::write_graph(g, folder / "a.egr");
  const std::uint64_t needed = gpu_graph::bytes_needed(g.view());
  const std::string said =
      thrown<resource_error>([&] { static_cast<void>(gpu_graph::read(folder / "a.egr", {}, {}, {.gpu_memory = needed - 1})); });
  EXPECT_TRUE(said.starts_with("cuda:0: found " + std::to_string(needed - 1) + " bytes free, expected " + std::to_string(needed))) << said;
  static_cast<void>(gpu_graph::read(folder / "a.egr", {}, {}, {.gpu_memory = needed}));
}

}  // namespace
}  // namespace copse::test
