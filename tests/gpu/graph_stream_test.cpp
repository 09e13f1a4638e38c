// gpu_graph on the caller's stream.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>
#include <copse/components.hpp>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/generate.hpp>
#include <copse/labels.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <variant>
#include <vector>

#include "gpu/gpu.hpp"
#include "gpu/late_graph.hpp"
#include "support/thrown.hpp"

namespace copse::test {
namespace {

using id = std::uint32_t;

/// Borrowed arrays are in order with what the caller enqueues, and so are labels and forests that stay.
TEST(gpu_graph_stream, is_what_a_graph_may_be_made_with) {
  COPSE_NEEDS_GPU();
  const streams callers;
  gate open;
  open.set(true);
  for (const auto& g : late_graphs()) {
    for (const auto& [name, stream] : callers.all()) {
      g.write(stream, {spin, patience, open.word()});
      const gpu_graph resident = gpu_graph::borrow(g.view(), {}, {.stream = stream});
      const auto labels = components(resident);
      const auto forest = spanning_forest(resident);
      g.spoil(stream);
      const labelling found = labels.copy_out();
      const auto count = summarise(found).components;
      EXPECT_TRUE(std::ranges::equal(std::get<buffer<id>>(found.labels()), g.expected())) << g.name() << ", " << name << " stream";
      EXPECT_EQ(forest.edges_on_device().size(), g.expected().size() - count) << g.name() << ", " << name << " stream";
    }
  }
}

TEST(gpu_graph_stream, solves_of_resident_graphs_are_enqueued) {
  COPSE_NEEDS_GPU();
  expect_returns_between_writer_and_overwriter([](const late_graph& g, cudaStream_t stream) {
    return [&g, resident = gpu_graph::borrow(g.view(), {}, {.stream = stream})] { components_async(resident, g.labels()); };
  });
}

/// Of these the ones that the fast path solves.
std::vector<late_graph> late_rows() {
  auto all = late_graphs();
  std::erase_if(all, [](const late_graph& g) { return !g.variant().ends_with(".fast"); });
  return all;
}

/// Are the first `count` of the edges a spanning forest of g? All has ended that writes them.
::testing::AssertionResult spans(const late_graph& g, const words& edges, id count) {
  std::size_t components = 0;
  for (id v = 0; v < g.expected().size(); ++v) components += g.expected()[v] == v ? 1 : 0;
  if (count != g.expected().size() - components) return ::testing::AssertionFailure() << count << " edges";
  const auto ends = edges.on_host(cudaStreamPerThread);
  std::vector<id> parents(g.expected().size());
  std::iota(parents.begin(), parents.end(), id{0});
  const auto root = [&](id v) {
    while (parents[v] != v) v = parents[v] = parents[parents[v]];
    return v;
  };
  for (id i = 0; i < count; ++i) {
    const id u = ends[2 * i], v = ends[2 * i + 1];
    if (u >= parents.size() || v >= parents.size() || g.expected()[u] != g.expected()[v] || root(u) == root(v)) {
      return ::testing::AssertionFailure() << "edge " << i << " is " << u << " " << v;
    }
    parents[root(u)] = root(v);
  }
  return ::testing::AssertionSuccess();
}

TEST(gpu_graph_stream, spanning_forests_are_enqueued) {
  COPSE_NEEDS_GPU();
  late_runs runs;
  for (const auto& g : late_rows()) {
    const words edges{2 * g.expected().size()}, count{1};
    for (const bool labelled : {true, false}) {
      for (const auto& [name, stream] : runs.callers.all()) {
        const gpu_graph resident = gpu_graph::borrow(g.view(), {}, {.stream = stream});
        const device_span<edge<id>> slots{reinterpret_cast<edge<id>*>(edges.data()), g.expected().size()};
        for (int run = -1; run < (labelled ? runs.count : 5); ++run) {
          overwrite(count.data(), 1, no_vertex<id>, stream);
          const auto enqueue = [&] {
            spanning_forest_async(resident, slots, count.span(), labelled ? g.labels() : device_span<id>{}, {.variant = g.variant()});
          };
          const bool looks_at_edges = run % 20 == 0 || !labelled;  // on the host, which takes longest
          runs.between_writer_and_overwriter(g, name, stream, run, enqueue, [&, stream = stream]() -> ::testing::AssertionResult {
            const id found = count.on_host(stream)[0];
            if (labelled && !g.solved(stream)) return g.solved(stream);
            return looks_at_edges ? spans(g, edges, found) : ::testing::AssertionSuccess();
          });
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST(gpu_graph_stream, prepared_solves_are_enqueued) {
  COPSE_NEEDS_GPU();
  late_runs runs;
  for (const auto& g : late_rows()) {
    for (const auto& [name, stream] : runs.callers.all()) {
      const gpu_graph resident = gpu_graph::borrow(g.view(), {}, {.stream = stream});
      gpu_prepared_solve ready{resident, {.variant = g.variant()}};
      for (int run = -1; run < runs.count; ++run) {
        const auto enqueue = [&, stream = stream] {
          const auto labels = ready.components_async(resident);
          expect_done(cudaMemcpyAsync(g.labels().data(), labels.data(), labels.size() * sizeof(id), cudaMemcpyDeviceToDevice, stream));
        };
        runs.between_writer_and_overwriter(g, name, stream, run, enqueue, [&, stream = stream] { return g.solved(stream); });
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(gpu_graph_stream, enqueues_forests_of_no_vertices_and_of_no_edges) {
  COPSE_NEEDS_GPU();
  const words offsets{4}, edges{6}, count{1};
  overwrite(offsets.data(), offsets.size(), 0, cudaStreamPerThread);
  for (const std::size_t vertices : {std::size_t{0}, std::size_t{3}}) {
    const device_csr_view<id> rows{
        .offsets = {offsets.data(), vertices == 0 ? 0 : vertices + 1}, .symmetric = symmetry::yes, .sorted = true};
    overwrite(count.data(), 1, no_vertex<id>, cudaStreamPerThread);
    const gpu_graph resident = gpu_graph::borrow(rows, {}, {.stream = cudaStreamPerThread});
    spanning_forest_async(resident, {reinterpret_cast<edge<id>*>(edges.data()), vertices}, count.span(), {}, {.variant = "cuda.none.fast"});
    EXPECT_EQ(count.on_host(cudaStreamPerThread)[0], 0u) << vertices;
  }
}

TEST(gpu_graph_stream, enqueues_what_was_copied_in_and_made_there_too) {
  COPSE_NEEDS_GPU();
  const streams callers;
  cudaStream_t const stream = callers.all().back().second;
  const execution on{.stream = stream};
  const graph host = gen::generate("rmat:scale=12,edges=8");
  const auto expected = components(host, {.variant = "serial.none.rem"}).labels;
  const words labels{host.vertices()};
  const auto copied = gpu_graph::copy_of(host.view(), {}, on);
  const auto generated = gpu_graph::generate("rmat:scale=12,edges=8", {}, on);
  for (const gpu_graph* const resident : {&copied, &generated}) {
    for (const char* const variant : {"auto", "cuda.none.rem_cas.naive.halve_one"}) {
      overwrite(labels.data(), labels.size(), no_vertex<id>, stream);
      components_async(*resident, labels.span(), {.variant = variant});
      EXPECT_TRUE(std::ranges::equal(labels.on_host(stream), std::get<buffer<id>>(expected.labels()))) << variant;
    }
  }
}

TEST(gpu_graph_stream, refuses_what_cannot_be_enqueued) {
  COPSE_NEEDS_GPU();
  const words labels{16};
  const graph host = gen::generate("path:n=16");
  const gpu_graph own = gpu_graph::copy_of(host.view()), callers = gpu_graph::copy_of(host.view(), {}, {.stream = cudaStreamPerThread});
  EXPECT_EQ(thrown<usage_error>([&] { components_async(own, labels.span()); }),
            "components_async needs a graph made with execution::stream");
  const words room{32}, count{1};
  const device_span<edge<id>> edges{reinterpret_cast<edge<id>*>(room.data()), 16};
  EXPECT_EQ(thrown<usage_error>([&] { spanning_forest_async(own, edges, count.span()); }),
            "spanning_forest_async needs a graph made with execution::stream");
  EXPECT_EQ(thrown<usage_error>([&] {
              gpu_prepared_solve ready{own};
              ready.components_async(own);
            }),
            "components_async needs a graph made with execution::stream");
  EXPECT_EQ(thrown<usage_error>([&] {
              spanning_forest_async(callers, {edges.data(), 15}, count.span());
            }),
            "edges must have room for 16 elements, not 15");
  EXPECT_EQ(thrown<usage_error>([&] { spanning_forest_async(callers, edges, {}); }), "count must have room for 1 elements, not 0");
  EXPECT_EQ(thrown<usage_error>([&] {
              spanning_forest_async(callers, edges, count.span(), {labels.data(), 15});
            }),
            "labels must have one element for each of 16 vertices, not 15 elements");
  EXPECT_EQ(thrown<usage_error>([&] { spanning_forest_async(callers, edges, count.span(), {}, {.variant = "cuda.none.ecl"}); }),
            "spanning_forest_async needs the variant cuda.hb.fast or cuda.none.fast, not cuda.none.ecl");
  const auto refusal = [&](device_span<id> to, const char* variant) {
    return thrown<usage_error>([&] { components_async(callers, to, {.variant = variant}); });
  };
  EXPECT_EQ(refusal({labels.data(), 15}, "auto"), "labels must have one element for each of 16 vertices, not 15 elements");
  EXPECT_EQ(refusal({nullptr, 16}, "auto"), "labels must not be null: it has 16 elements");
  std::vector<id> in_host_memory(16);
  EXPECT_NE(refusal({in_host_memory.data(), 16}, "auto").find("must be in the memory of cuda:0"), std::string::npos);
  EXPECT_NE(refusal(labels.span(), "cuda.bfs.async.naive").find("cannot be enqueued, because it waits"), std::string::npos);
  EXPECT_NE(refusal(labels.span(), "threads.hb.fast").find("choose a variant of cuda"), std::string::npos);
}

}  // namespace
}  // namespace copse::test
