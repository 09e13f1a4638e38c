// components() on the caller's arrays and the caller's stream: between a slow kernel that writes the arrays just before and a kernel that
// overwrites them just after, and what is refused.
#include <cuda_runtime_api.h>
#include <copse/components_sink.hpp>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/incremental.hpp>
#include <copse/labels.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "gpu/callers.hpp"
#include "gpu/gpu.hpp"
#include "gpu/late_graph.hpp"
#include "support/rows.hpp"
#include "support/thrown.hpp"
#include "sweep/sweep.hpp"

namespace copse::test {
namespace {

using id = std::uint32_t;

// A span of the host is no span of a device, and nothing of the one leads to the other.
static_assert(!std::is_convertible_v<std::span<id>, device_span<id>> && !std::is_constructible_v<device_span<id>, std::span<id>>);
static_assert(!std::is_convertible_v<device_span<id>, std::span<id>> && !std::is_constructible_v<std::span<id>, device_span<id>>);
static_assert(std::is_convertible_v<device_span<id>, device_span<const id>> &&
              !std::is_convertible_v<device_span<const id>, device_span<id>>);
static_assert(std::is_same_v<cuda_stream, cudaStream_t>);

TEST(gpu_stream, solves_between_a_slow_writer_and_an_overwriter_and_returns_before_either) {
  COPSE_NEEDS_GPU();
  expect_returns_between_writer_and_overwriter([](const late_graph& g, cudaStream_t stream) {
    return [&g, stream] { components_async(g.view(), g.labels(), {}, {.stream = stream}); };
  });
}

TEST(gpu_stream, waits_for_the_labels_when_asked_to) {
  COPSE_NEEDS_GPU();
  const streams callers;
  gate open;
  open.set(true);
  for (const auto& g : late_graphs()) {
    for (const auto& [name, stream] : callers.all()) {
      for (const bool trusted : {false, true}) {
        g.write(stream, {spin, patience, open.word()});
        const solve_report report = components(g.view(trusted), g.labels(), {}, {.stream = stream});
        // Copied in the order of another stream: there is nothing to wait for.
        EXPECT_TRUE(g.solved(callers.all().back().second)) << g.name() << ", " << name << " stream, trusted " << trusted;
        EXPECT_EQ(report.variant, g.variant());
        EXPECT_EQ(report.device, "cuda:0");
        EXPECT_GT(report.solve_seconds, 0);
        EXPECT_GT(report.launches, 0u);
      }
    }
  }
}

TEST(gpu_stream, orders_batches_of_edges_too) {
  COPSE_NEEDS_GPU();
  late_runs runs;
  const late_graph list{"er:n=50000,m=60000,seed=2", shape::list, ""};
  const auto edges = std::get<device_edges_view>(list.view()).edges;
  const words answers{2};
  for (const auto& [name, stream] : runs.callers.all()) {
    for (int run = -1; run < runs.count; ++run) {
      incremental live{{.vertices = 50000}, {.device = "cuda", .stream = stream}};
      overwrite(answers.data(), answers.size(), 0, stream);
      const auto enqueue = [&] {
        live.insert_async(edges);
        live.connected_async({edges.data(), 64}, {reinterpret_cast<std::uint64_t*>(answers.data()), 1});
        live.labels_async(list.labels());
      };
      runs.between_writer_and_overwriter(list, name, stream, run, enqueue, [&, stream = stream] {
        EXPECT_EQ(answers.on_host(stream), (std::vector<id>(2, ~id{0})));  // the ends of 64 edges are connected
        return list.solved(stream);
      });
      if (HasFatalFailure()) return;
    }
  }
}

TEST(gpu_stream, orders_mixed_batches_too) {
  COPSE_NEEDS_GPU();
  late_runs runs;
  const late_graph list{"er:n=50000,m=60000,seed=2", shape::list, ""};
  const auto edges = std::get<device_edges_view>(list.view()).edges;
  const words kinds{edges.size() / sizeof(id) + 1}, answers{2 * (edges.size() / 64 + 1)};
  overwrite(kinds.data(), kinds.size(), 0, nullptr);  // all are inserts
  expect_done(cudaDeviceSynchronize());
  for (const auto& [name, stream] : runs.callers.all()) {
    for (int run = -1; run < runs.count; ++run) {
      incremental live{{.vertices = 50000}, {.device = "cuda", .stream = stream}};
      const auto enqueue = [&] {
        live.apply_async(edges, {reinterpret_cast<const operation*>(kinds.data()), edges.size()},
                         {reinterpret_cast<std::uint64_t*>(answers.data()), answers.size() / 2});
        live.labels_async(list.labels());
      };
      runs.between_writer_and_overwriter(list, name, stream, run, enqueue, [&, stream = stream] { return list.solved(stream); });
      if (HasFatalFailure()) return;
    }
  }
}

TEST(gpu_stream, orders_edges_that_are_streamed_too) {
  COPSE_NEEDS_GPU();
  late_runs runs;
  const late_graph list{"er:n=50000,m=60000,seed=2", shape::list, ""};
  const auto edges = std::get<device_edges_view>(list.view()).edges;
  for (const auto& [name, stream] : runs.callers.all()) {
    for (int run = -1; run < runs.count; ++run) {
      components_sink sink{{.vertices = 50000}, {.device = "cuda", .threads = 1, .stream = stream}};
      const auto enqueue = [&] { sink.add_async(edges); };
      runs.between_writer_and_overwriter(list, name, stream, run, enqueue, [&] {
        return std::ranges::equal(std::get<buffer<id>>(sink.finish().labels.labels()), list.expected());
      });
      if (HasFatalFailure()) return;
    }
  }
}

/// Any state of rows, either width of offsets, any cuda variant; what is unknown of rows is found out.
TEST(gpu_stream, solves_the_zoo) {
  COPSE_NEEDS_GPU();
  cudaStream_t const stream = cudaStreamPerThread;
  for (const auto& g : solved_zoo()) {
    const words labels{g.labels.size()};
    const auto check = [&](const device_graph_view& view, const char* variant, std::string_view state) {
      overwrite(labels.data(), labels.size(), no_vertex<id>, stream);
      const auto report = components(view, labels.span(), {.variant = variant, .seed = g.seed}, {.stream = stream});
      EXPECT_TRUE(same_labels(labels.on_host(stream), g)) << report.variant << ", " << context(g, 1, state);
    };
    const auto check_rows = [&]<class Offset>(const test_rows<id, Offset>& rows, std::string_view state) {
      const words offsets{std::span<const Offset>{rows.offsets}}, targets{std::span<const id>{rows.targets}};
      const auto host = rows.view();
      const device_csr_view<Offset> view{
          .offsets = offsets.of<Offset>(), .targets = targets.span(), .symmetric = host.symmetric, .sorted = host.sorted};
      for (const char* variant : {"auto", "cuda.none.fast", "cuda.none.rem_cas.naive.halve_one"}) check(view, variant, state);
      overwrite(labels.data(), labels.size(), no_vertex<id>, stream);
      components_async(view, labels.span(), {.seed = g.seed}, {.stream = stream});
      EXPECT_TRUE(same_labels(labels.on_host(stream), g)) << "async, " << context(g, 1, state);
      if (state == "simple") check(view, "cuda.bfs.async.naive", state);
      if (host.symmetric == symmetry::unknown) check(view, "cuda.hb.fast", state);
    };
    for (const row_state state : {row_state::simple, row_state::raw, row_state::one_sided, row_state::undeclared}) {
      check_rows(make_test_rows<id, id>(g.edges.view(), state), to_string(state));
    }
    check_rows(make_test_rows<id, std::uint64_t>(g.edges.view(), row_state::simple), "wide offsets");
    const words edges{std::span<const edge<id>>{g.edges.edges.span()}};
    for (const char* variant : {"auto", "cuda.none.async.halve"}) {
      check(device_edges_view{g.edges.vertex_count, edges.of<edge<id>>()}, variant, "coo");
    }
  }
}

TEST(gpu_stream, lets_several_threads_solve_on_streams_of_their_own) {
  COPSE_NEEDS_GPU();
  const auto graphs = late_graphs();
  gate open;
  open.set(true);
  std::array<unsigned, 3> wrong{};
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < wrong.size(); ++k) {
    threads.emplace_back([&, k] {
      cudaStream_t const stream = cudaStreamPerThread;
      for (int run = 0; run < 50; ++run) {
        graphs[k].write(stream, {0, 0, open.word()});
        components_async(graphs[k].view(), graphs[k].labels(), {}, {.stream = stream});
        graphs[k].spoil(stream);
        wrong[k] += !graphs[k].solved(stream);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, (std::array<unsigned, 3>{}));
}

TEST(gpu_stream, solves_on_the_device_of_the_stream) {
  COPSE_NEEDS_GPU();
  if (gpus().size() < 2) GTEST_SKIP() << "one GPU on this machine, expected two";
  expect_done(cudaSetDevice(1));
  {
    const streams callers;
    gate open;
    open.set(true);
    const late_graph g{"rmat:scale=14,edges=8", shape::symmetric, "cuda.hb.fast"};
    cudaStream_t const stream = callers.all().back().second;
    g.write(stream, {spin, patience, open.word()});
    expect_done(cudaSetDevice(0));
    EXPECT_EQ(components(g.view(), g.labels(), {}, {.stream = stream}).device, "cuda:1");
    int now = -1;
    expect_done(cudaGetDevice(&now));
    EXPECT_EQ(now, 0);
    EXPECT_TRUE(g.solved(stream));
    EXPECT_THROW(components_async(g.view(), g.labels()), usage_error);  // device 0 does not hold the arrays
  }
}

/// Without a GPU too: nothing is looked at but the view.
TEST(gpu_stream, refuses_sizes_that_do_not_fit) {
  id* const somewhere = reinterpret_cast<id*>(std::uintptr_t{4096});
  const auto async = [&](const device_graph_view& g, device_span<id> labels, const char* variant = "auto") {
    return thrown<usage_error>([&] { components_async(g, labels, {.variant = variant}); });
  };
  const auto waiting = [&](const device_graph_view& g, device_span<id> labels) {
    return thrown<usage_error>([&] { components(g, labels); });
  };
  const device_csr_view<id> rows{.offsets = {somewhere, 11}, .targets = {somewhere, 40}, .symmetric = symmetry::yes, .sorted = true};
  const device_span<id> labels{somewhere, 10};
  EXPECT_EQ(async(rows, {somewhere, 11}), "labels must have one element for each of 10 vertices, not 11 elements");
  EXPECT_EQ(waiting(rows, {somewhere, 9}), "labels must have one element for each of 10 vertices, not 9 elements");
  EXPECT_EQ(async(rows, {nullptr, 10}), "labels must not be null: it has 10 elements");
  device_csr_view<id> broken = rows;
  broken.targets = {nullptr, 40};
  EXPECT_EQ(async(broken, labels), "targets must not be null: it has 40 elements");
  broken = rows;
  broken.offsets = {};
  EXPECT_EQ(waiting(broken, {}), "targets must have no elements where there are no offsets, not 40 elements");
  EXPECT_EQ(async(device_edges_view{10, {nullptr, 3}}, labels), "edges must not be null: it has 3 elements");
  EXPECT_EQ(waiting(device_csr_view<std::uint64_t>{.offsets = {reinterpret_cast<std::uint64_t*>(somewhere), (std::size_t{1} << 32) + 1},
                                                   .targets = {}},
                    labels),
            "offsets must have at most 4294967296 elements for 32-bit ids, not 4294967297 elements");
  EXPECT_NE(async(rows, labels, "cuda.bfs.async.naive").find("cuda.bfs.async.naive cannot be enqueued, because it waits"),
            std::string::npos);
  EXPECT_NE(async(rows, labels, "threads.hb.fast").find("choose a variant of cuda"), std::string::npos);
  broken = rows;
  broken.symmetric = symmetry::unknown;
  EXPECT_NE(async(broken, labels, "cuda.hb.fast").find("needs both directions of every edge"), std::string::npos);
}

TEST(gpu_stream, refuses_arrays_that_are_no_graph_and_says_where) {
  COPSE_NEEDS_GPU();
  const words labels{3};
  const auto refusal = [&](std::vector<id> offsets, std::vector<id> targets, symmetry symmetric = symmetry::unknown, bool sorted = false) {
    const words there{std::span<const id>{offsets}}, arcs{std::span<const id>{targets}};
    return thrown<usage_error>([&] { components(device_csr_view<id>{there.span(), arcs.span(), symmetric, sorted}, labels.span()); });
  };
  EXPECT_EQ(refusal({0, 1, 2, 2}, {1, 0}, symmetry::yes, true), "");
  EXPECT_EQ(refusal({0, 2, 1, 2}, {1, 0}),
            "graph: found offsets[2] = 1 after 2, expected ascending offsets up to the number of targets, 2");
  EXPECT_EQ(refusal({1, 2, 2, 2}, {1, 0}), "graph: found offsets[0] = 1, expected 0");
  EXPECT_EQ(refusal({0, 1, 2, 2}, {1, 3}), "graph: found targets[1] = 3, expected a vertex below 3");
  EXPECT_NE(refusal({0, 1, 1, 1}, {1}, symmetry::yes), "");
  EXPECT_NE(refusal({0, 2, 3, 4}, {2, 1, 0, 0}, symmetry::yes, true), "");
  const std::vector<edge<id>> list{{0, 1}, {2, 3}};
  const words edges{std::span<const edge<id>>{list}};
  EXPECT_EQ(thrown<usage_error>([&] {
              components(device_edges_view{3, edges.of<edge<id>>()}, labels.span());
            }),
            "graph: found edges[1] = 2 3, expected vertices below 3");
}

TEST(gpu_stream, refuses_host_memory) {
  COPSE_NEEDS_GPU();
  std::vector<id> host(3);
  const words labels{3};
  const device_csr_view<id> rows{.offsets = {host.data(), 1}, .targets = {}};
  EXPECT_EQ(thrown<usage_error>([&] {
              components_async(device_edges_view{3, {}}, {host.data(), 3});
            }),
            "labels must be in the memory of cuda:0, the device of the stream, not of the host");
  EXPECT_NE(thrown<usage_error>([&] { components_async(rows, {}); }).find("offsets must be in the memory of cuda:0"), std::string::npos);
  components(device_edges_view{3, {}}, labels.span());
  EXPECT_EQ(labels.on_host(nullptr), (std::vector<id>{0, 1, 2}));
  components_async(device_csr_view<id>{}, {});  // no vertices
}

}  // namespace
}  // namespace copse::test
