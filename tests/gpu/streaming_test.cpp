// Graphs streamed through GPUs in pieces: the same labels for pieces of any size, any number of parts, and whatever the edges come from.
// Several parts share a GPU where there is only one.
#include <gtest/gtest.h>
#include <api/through_gpus.hpp>
#include <copse/build.hpp>
#include <copse/components.hpp>
#include <copse/components_sink.hpp>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/generate.hpp>
#include <copse/io.hpp>
#include <copse/labels.hpp>
#include <copse/prepared_graph.hpp>
#include <copse/verify.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <variant>
#include <vector>

#include "gpu/callers.hpp"
#include "gpu/gpu.hpp"
#include "gpu/parts.hpp"
#include "support/impatient.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace copse::test {
namespace {

using id = std::uint32_t;
std::uint64_t answer(const graph& g) { return checksum(components(g, {.variant = "serial.none.rem"}).labels); }

TEST(streamed_through_gpus, is_refused_where_there_is_no_gpu) {
  if (has_gpu()) GTEST_SKIP() << "this machine has a GPU";
  EXPECT_THROW((components_sink{{.vertices = 5}, {.device = "cuda"}}), resource_error);
}

TEST(streamed_through_gpus, lists_and_columns_in_pieces_of_any_size) {
  COPSE_NEEDS_GPU();
  for (const std::string& spec : specs()) {
    const graph g = gen::generate_edges(spec);
    const auto list = std::get<coo_view<id>>(g.view());
    std::vector<id> sources, targets;
    for (const auto [u, v] : list.edges) {
      sources.push_back(u);
      targets.push_back(v);
    }
    const edge_columns_view<id> columns{list.vertex_count, sources, targets};
    for (const parts& gpus : all_parts()) {
      for (const std::uint64_t bytes : piece_sizes) {
        if (bytes == 64 && (gpus.size() > 2 || spec.starts_with("rmat"))) continue;  // tens of thousands of launches
        const request<device::streaming_options> options{{.piece_bytes = bytes}, {.device = device_of(gpus)}};
        EXPECT_EQ(checksum(api::components_through_gpus(g.view(), options).labels), answer(g))
            << spec << ", " << gpus.size() << " x " << bytes;
        EXPECT_EQ(checksum(api::components_through_gpus(columns, options).labels), answer(g))
            << spec << ", " << gpus.size() << " x " << bytes;
      }
    }
  }
}

TEST(streamed_through_gpus, rows_with_offsets_of_both_widths) {
  COPSE_NEEDS_GPU();
  for (const std::string& spec : specs()) {
    const graph g = build_csr(gen::generate(spec));
    const auto rows = std::get<csr_view<id, id>>(g.view());
    const std::vector<std::uint64_t> wide_offsets(rows.offsets.begin(), rows.offsets.end());
    csr_view<id, std::uint64_t> wide{wide_offsets, rows.targets};
    csr_view<id, id> one_way = rows;
    one_way.symmetric = symmetry::unknown;
    for (const parts& gpus : all_parts()) {
      for (const std::uint64_t bytes : piece_sizes) {
        if (bytes == 64 && (gpus.size() > 2 || spec.starts_with("rmat"))) continue;
        const request<device::streaming_options> options{{.piece_bytes = bytes}, {.device = device_of(gpus)}};
        for (const graph_view view : {graph_view{rows}, graph_view{wide}, graph_view{one_way}}) {
          EXPECT_EQ(checksum(api::components_through_gpus(view, options).labels), answer(g))
              << spec << ", " << gpus.size() << " x " << bytes;
        }
      }
    }
  }
}

TEST(sink_on_gpus, takes_batches_and_resident_edges_as_one_graph) {
  COPSE_NEEDS_GPU();
  const graph g = gen::generate_edges("rmat:scale=14,edges=6");
  const auto edges = std::get<coo_view<id>>(g.view()).edges;
  const std::size_t third = edges.size() / 3;
  const words resident{edges.subspan(third, third)};
  const auto there = resident.of<edge<id>>();
  for (const parts& gpus : all_parts()) {
    if (gpus.front() != 0) continue;
    for (const bool keep_forest : {false, true}) {
      components_sink sink{{.vertices = g.vertices(), .keep_forest = keep_forest}, {.device = device_of(gpus)}};
      sink.add(edges.first(third));
      sink.add_async({there.data(), third / 2});
      sink.add_async({there.data() + third / 2, third - third / 2});
      sink.add(edges.subspan(2 * third));
      EXPECT_EQ(sink.edge_count(), edges.size());
      if (keep_forest) {
        const forest_result found = sink.finish_with_forest();
        const verdict proved = verify_forest(g.view(), found.edges);
        EXPECT_TRUE(proved) << proved.reason;
        EXPECT_EQ(checksum(*found.labels), answer(g));
      } else {
        const components_result found = sink.finish();
        EXPECT_EQ(checksum(found.labels), answer(g));
        EXPECT_EQ(found.report.variant, "cuda.none.fast");
        EXPECT_EQ(found.report.device, device_of(gpus));
      }
    }
  }
}

/// Undeclared: vertices are the ids that occur, in batches of every type that a GPU takes, small and large.
TEST(sink_on_gpus, finds_what_the_cpu_finds) {
  COPSE_NEEDS_GPU();
  const graph g = gen::generate_edges("er:n=50000,m=30000,seed=3");
  const auto edges = std::get<coo_view<id>>(g.view()).edges;
  std::vector<std::int64_t> sources, targets;
  std::vector<edge<std::uint64_t>> wide;
  for (const auto [u, v] : edges) {
    sources.push_back(u);
    targets.push_back(v);
    wide.push_back({u, v});
  }
  const std::vector<std::uint32_t> alone{7, 60000};
  for (const std::size_t batch : {std::size_t{100}, edges.size()}) {
    components_sink on_cpu, on_gpus{{}, {.device = "cuda:0,0"}};
    for (components_sink* sink : {&on_cpu, &on_gpus}) {
      for (std::size_t at = 0; at < edges.size(); at += batch) {
        const std::size_t size = std::min(batch, edges.size() - at);
        sink->add(edges.subspan(at, size));
        sink->add(std::span{wide}.subspan(at, size));
        sink->add({std::span{sources}.subspan(at, size), std::span{targets}.subspan(at, size)});
        sink->add_by(0, edges.subspan(at, size));
      }
      sink->add_vertices(alone);
    }
    const auto found = on_gpus.finish(), expected = on_cpu.finish();
    EXPECT_EQ(checksum(found.labels), checksum(expected.labels)) << batch;
    EXPECT_EQ(summarise(found.labels).vertices, summarise(expected.labels).vertices) << batch;
    EXPECT_EQ(found.report.edges, expected.report.edges);
  }
  EXPECT_EQ((components_sink{{}, {.device = "cuda"}}.finish().count()), 0u);
}

TEST(sink_on_gpus, refuses_what_no_gpu_numbers) {
  COPSE_NEEDS_GPU();
  components_sink sink{{}, {.device = "cuda"}};
  const std::vector<std::string> ann{"ann"}, bob{"bob"};
  const std::vector<std::int64_t> one{1}, minus{-1}, large{std::int64_t{1} << 32};
  EXPECT_EQ(thrown<usage_error>([&] { sink.add({ann, bob}); }), "components_sink: ids must be integers on a GPU, not strings");
  EXPECT_EQ(thrown<input_error>([&] {
              sink.add({one, minus});
            }),
            "components_sink: targets[0]: found -1, expected ids of 0 or more on a GPU");
  EXPECT_EQ(thrown<input_error>([&] {
              sink.add({large, one});
            }),
            "components_sink: sources[0]: found 4294967296, expected ids below 4294967295 on a GPU");
  const words resident{2};
  EXPECT_THROW((components_sink{{}, {.device = "cuda"}}.add_async(resident.of<edge<id>>())), usage_error) << "vertices are not declared";
  EXPECT_THROW((components_sink{{.vertices = 5}}.add_async(resident.of<edge<id>>())), usage_error) << "it is on the CPU";
  EXPECT_THROW((components_sink{{}, {.device = "hybrid"}}), usage_error);
  const std::vector<edge<id>> host{{0, 1}};
  EXPECT_EQ(thrown<usage_error>([&] {
              components_sink{{.vertices = 5}, {.device = "cuda"}}.add_async({host.data(), 1});
            }),
            "edges must be on a GPU that the execution names, not in host memory");
  sink.add({one, one});
  EXPECT_EQ(sink.finish().count(), 1u) << "what was refused left the sink as it was";
}

TEST(streamed_through_gpus, small_and_empty_graphs) {
  COPSE_NEEDS_GPU();
  for (const parts& gpus : all_parts()) {
    const request<device::streaming_options> options{{}, {.device = device_of(gpus)}};
    EXPECT_EQ(api::components_through_gpus(graph_view{coo_view<id>{}}, options).labels.slots(), 0u);
    EXPECT_EQ(api::components_through_gpus(graph_view{coo_view<id>{1, {}}}, options).count(), 1u);
    EXPECT_EQ(api::components_through_gpus(graph_view{csr_view<id, id>{}}, options).labels.slots(), 0u);
    const std::vector<edge<id>> one{{2, 1}};
    EXPECT_EQ(api::components_through_gpus(graph_view{coo_view<id>{3, one}}, options).count(), 2u);
  }
}

TEST(streamed_through_gpus, refuses_ids_that_are_no_vertices) {
  COPSE_NEEDS_GPU();
  const std::vector<edge<id>> edges{{0, 1}, {7, 1}};
  const words resident{std::span{edges}};
  components_sink sink{{.vertices = 5}, {.device = "cuda"}};
  EXPECT_EQ(thrown<input_error>([&] { sink.add(edges); }), "components_sink: edges[1].u: found 7, expected ids below 5");
  sink.add_async(resident.of<edge<id>>());
  EXPECT_EQ(thrown<input_error>([&] { static_cast<void>(sink.finish()); }),
            "cuda: found 1 edges with ids that are no vertices, expected ids below 5");
  EXPECT_EQ(thrown<usage_error>([&] {
              static_cast<void>(components(graph_view{coo_view<id>{5, edges}}, {}, {.device = "cuda:0,0"}));
            }),
            "graph: found edges[1] = 7 1, expected vertices below 5");
  EXPECT_THROW(components(graph_view{coo_view<std::uint64_t>{}}, {}, {.device = "cuda:0,0"}), usage_error);
  EXPECT_THROW(api::components_through_gpus(graph_view{coo_view<id>{}}, {{}, {.device = "cuda:1000"}}), usage_error);
}

TEST(streamed_through_gpus, says_how_much_memory_it_needs) {
  COPSE_NEEDS_GPU();
  const std::string text = thrown<resource_error>([] {
    components_sink{{.vertices = 1u << 24}, {.device = "cuda", .gpu_memory = 1 << 20}};
  });
  EXPECT_NE(text.find("found 1048576 bytes free, expected "), std::string::npos) << text;
}

TEST(streamed_through_gpus, can_be_cancelled) {
  COPSE_NEEDS_GPU();
  impatient watcher{2};
  EXPECT_THROW(api::components_through_gpus(rmat().view(), {{.piece_bytes = 1000}, {.observer = &watcher}}), cancelled);
}

/// Every format straight from its file, beside the CPU: labels, gaps between ids included.
TEST(streamed_through_gpus, files_of_every_format) {
  COPSE_NEEDS_GPU();
  const temporary_folder folder;
  const graph list = gen::generate_edges("er:n=4000,m=3000,seed=9");
  const graph rows = build_csr(gen::generate("rmat:scale=12,edges=6"));
  for (const char* name : {"g.el", "g.coo", "g.coo64", "g.mtx", "g.el.gz"}) io::write_graph(list, folder.path() / name);
  for (const char* name : {"g.sg", "g.egr"}) io::write_graph(rows, folder.path() / name);
  std::ofstream{folder.path() / "words.csv"} << "from,to\nann,bob\ncy,dan\nbob,eve\n";
  std::ofstream{folder.path() / "gaps.el"} << "5 9\n3 3\n9 20\n70000 70001\n";
  std::ofstream{folder.path() / "large.el"} << "5 9\n4294967295 9\n";
  for (const auto& entry : std::filesystem::directory_iterator{folder.path()}) {
    const std::filesystem::path path = entry.path();
    const auto expected = components(path, {});
    for (const parts& gpus : all_parts()) {
      for (const std::uint64_t bytes : {std::uint64_t{1000}, std::uint64_t{0}}) {
        const auto found = api::components_of_files_through_gpus({&path, 1}, {}, {{.piece_bytes = bytes}, {.device = device_of(gpus)}});
        EXPECT_EQ(checksum(found.labels), checksum(expected.labels)) << path << ", " << gpus.size() << " x " << bytes;
        EXPECT_EQ(summarise(found.labels).vertices, summarise(expected.labels).vertices) << path;
      }
    }
  }
  const std::array<std::filesystem::path, 2> two{folder.path() / "g.el", folder.path() / "gaps.el"};
  EXPECT_EQ(checksum(components(two, {}, {}, {.device = "cuda:0,0"}).labels), checksum(components(two, {}).labels));
  const std::array<std::filesystem::path, 1> both_directions{folder.path() / "g.sg"};
  const auto arcs = std::get<csr_view<id, id>>(rows.view()).targets.size();
  const auto found = api::components_of_files_through_gpus(both_directions, {}, {});
  EXPECT_EQ(found.report.edges, arcs / 2);
  EXPECT_EQ(found.arcs, arcs);
}

/// One GPU: lists are streamed as they are parsed, rows are held, and what does not fit is streamed in pieces.
TEST(gpu_prepared_graph, of_files_and_of_specs) {
  COPSE_NEEDS_GPU();
  const temporary_folder folder;
  const graph list = gen::generate_edges("er:n=40000,m=30000,seed=9");
  const graph rows = gen::generate("rmat:scale=16,edges=16");  // larger than the limit below
  for (const char* name : {"g.el", "g.coo", "g.mtx", "g.el.gz"}) io::write_graph(list, folder.path() / name);
  for (const char* name : {"g.sg", "g.egr"}) io::write_graph(rows, folder.path() / name);
  std::ofstream{folder.path() / "words.csv"} << "from,to\nann,bob\ncy,dan\nbob,eve\n";
  std::ofstream{folder.path() / "far_apart.el"} << "5 9\n4000000000 9\n";
  for (const auto& entry : std::filesystem::directory_iterator{folder.path()}) {
    const std::filesystem::path path = entry.path();
    const bool is_list = !io::has_rows(io::format_of(path));
    const auto expected = components(path, {});
    for (const execution& on :
         {execution{.device = "cuda"}, execution{.device = "cuda:all"}, execution{.device = "cuda", .gpu_memory = 4 << 20}}) {
      prepared_graph ready{{&path, 1}, {}, {}, on};
      EXPECT_EQ(ready.is_streamed(), is_list || on.gpu_memory != UINT64_MAX || gpus().size() > 1) << path << ' ' << on.device;
      for (int again = 0; again < 2; ++again) {
        const auto found = ready.components();
        EXPECT_EQ(checksum(found.labels), checksum(expected.labels)) << path;
        EXPECT_TRUE(found.report.device.starts_with("cuda:0"));
        EXPECT_TRUE(ready.verify(found.labels)) << path;
      }
      prepared_graph forest{{&path, 1}, {}, {{.with_labels = true}, problem_kind::forest}, on};
      const auto found = forest.spanning_forest();
      const graph whole = io::read_graph(path);
      const verdict proved = verify_forest(whole.view(), found.edges);
      EXPECT_TRUE(proved) << path << ": " << proved.reason;
      EXPECT_EQ(checksum(*found.labels), checksum(expected.labels)) << path;
    }
  }
  const auto expected = checksum(components(rows).labels);
  for (const char* variant : {"auto", "cuda.none.fast", "cuda.none.rem_cas.naive.halve_one", "gconn_tree"}) {
    prepared_graph ready{"rmat:scale=16,edges=16", {{.variant = variant}}, {.device = "cuda"}};
    EXPECT_FALSE(ready.is_streamed());
    EXPECT_EQ(checksum(ready.components().labels), expected) << variant;
  }
  prepared_graph wants_rows{"rmat:scale=16,edges=16", {{}, problem_kind::components, true}, {.device = "cuda"}};
  ASSERT_NE(wants_rows.held(), nullptr);
  EXPECT_EQ(checksum(wants_rows.components().labels), expected);
}

TEST(streamed_through_gpus, names_the_byte_of_a_bad_row) {
  COPSE_NEEDS_GPU();
  const temporary_folder folder;
  const std::filesystem::path path = folder.path() / "g.egr";
  const std::vector<std::int32_t> bad_target{2, 2, 0, 1, 2, 1, 9}, bad_offset{2, 2, 0, 3, 2, 1, 0};
  const auto complaint = [&](const std::vector<std::int32_t>& words) {
    std::ofstream{path, std::ios::binary}.write(reinterpret_cast<const char*>(words.data()),
                                                static_cast<std::streamsize>(4 * words.size()));
    const std::string expected = thrown<input_error>([&] { static_cast<void>(io::read_graph(path)); });
    EXPECT_EQ(thrown<input_error>([&] { static_cast<void>(components(path, {}, {}, {.device = "cuda:0,0"})); }), expected);
  };
  complaint(bad_target);
  complaint(bad_offset);
}

}  // namespace
}  // namespace copse::test
