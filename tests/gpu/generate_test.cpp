// Graphs made on a GPU: the edge lists, the rows and the refusals of the generators in host memory.
#include <cuda_runtime_api.h>
#include <copse/components.hpp>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/generate.hpp>
#include <gen/gpu_edges.hpp>
#include <gen/unsorted_rows.hpp>
#include <gpu/loops/edge_rows.hpp>
#include <gpu/runtime/gpu.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "gen/edges.hpp"
#include "gpu/gpu.hpp"
#include "gpu/plain_memory.hpp"
#include "support/failing_memory.hpp"
#include "support/thrown.hpp"

namespace copse::test {
namespace {

template <class T>
std::vector<T> fetched(const void* from, std::size_t count) {
  std::vector<T> copied(count);
  EXPECT_EQ(cudaMemcpy(copied.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost), cudaSuccess);
  return copied;
}
template <class T>
std::vector<T> fetched(std::span<const T> from) {
  return fetched<T>(from.data(), from.size());
}

/// Larger than what the host can check item by item: many blocks of threads.
std::vector<std::string> all_specs() {
  std::vector<std::string> specs = specs_of_every_size();
  for (const char* large : {"rmat:scale=18,edges=16,shuffle=1",
                            "er:n=1000000,m=3000000",
                            "er:n=400000,p=.00002",
                            "er:n=3000,p=.9",
                            "ba:n=300000,shuffle=1",
                            "grid2d:rows=3,cols=300000",
                            "mesh:side=1000,shuffle=1",
                            "osm:side=1000",
                            "web:n=300000,shuffle=1",
                            "clusters:n=3000000,shuffle=1",
                            "configuration:n=3000000",
                            "bipartite:left=300000,right=200000,m=2000000,skew=4",
                            "giants:k=3,size=300000",
                            "torus3d:side=90",
                            "geometric:n=700000,degree=9",
                            "knn:n=300000,k=6,shuffle=1",
                            "cliques:n=500000,size=16",
                            "power_cliques:n=1000000",
                            "clique_chain:n=500000,size=12,shuffle=1",
                            "caterpillar:n=2000000,legs=6",
                            "star_of_stars:n=2000000,shuffle=1"})
    specs.emplace_back(large);
  return specs;
}

TEST(gpu_generate, writes_the_edges_of_the_host) {
  COPSE_NEEDS_GPU();
  const backend::gpu on{0};
  backend::gpu_memory device{on};
  for (const std::string& spec : all_specs()) {
    const gen::gpu_edges edges{gen::recipe_of(spec), on, &device};
    const auto expected = edges_of(spec, 0);
    ASSERT_EQ(edges.vertices(), expected.vertex_count) << spec;
    ASSERT_EQ(edges.edges(), expected.edges.size()) << spec;
    buffer<edge<std::uint32_t>> on_device{expected.edges.size(), &device};
    edges.write(on_device.data());
    ASSERT_EQ(cudaStreamSynchronize(on.stream()), cudaSuccess);
    EXPECT_TRUE(std::ranges::equal(fetched<edge<std::uint32_t>>(on_device.data(), on_device.size()), expected.edges.span())) << spec;
  }
}

TEST(gpu_generate, streams_have_each_edge_once_either_way_round) {
  COPSE_NEEDS_GPU();
  const backend::gpu on{0};
  backend::gpu_memory device{on};
  for (const std::string spec : {"rmat:scale=12,edges=8", "ba:n=5000,k=3", "osm:side=40", "path:n=0", "path:n=2"}) {
    const gen::gpu_edges edges{gen::recipe_of(spec), on, &device};
    buffer<edge<std::uint32_t>> on_device{edges.edges(), &device}, scratch{edges.edges(), &device};
    edges.write_shuffled(on_device.data(), scratch.data(), 5);
    ASSERT_EQ(cudaStreamSynchronize(on.stream()), cudaSuccess);
    auto found = fetched<edge<std::uint32_t>>(on_device.data(), on_device.size());
    auto expected = fetched<edge<std::uint32_t>>(scratch.data(), on_device.size());
    const auto differs = [&] { return !std::ranges::equal(found, expected); };
    EXPECT_TRUE(differs() || expected.size() < 2) << spec;
    for (auto* list : {&found, &expected}) {
      for (auto& e : *list) e = {std::min(e.u, e.v), std::max(e.u, e.v)};
      std::ranges::sort(*list, {}, [](const auto& e) { return std::pair{e.u, e.v}; });
    }
    EXPECT_FALSE(differs()) << spec;
  }
}

TEST(gpu_generate, makes_the_rows_of_the_host) {
  COPSE_NEEDS_GPU();
  device::solver solver{{}};
  for (const std::string& spec : all_specs()) {
    const graph held = gen::generate(spec);
    const auto& expected = std::get<0>(held.shape());
    const auto generated = solver.generate(spec, a_variant);
    ASSERT_TRUE(generated.wide.offsets.empty()) << spec;
    EXPECT_TRUE(std::ranges::equal(fetched(generated.narrow.offsets), expected.offsets.span())) << spec;
    EXPECT_TRUE(std::ranges::equal(fetched(generated.narrow.targets), expected.targets.span())) << spec;
    EXPECT_TRUE(generated.narrow.symmetric == symmetry::yes && generated.narrow.sorted) << spec;
    EXPECT_TRUE(generated.rows.view().rows.symmetric && generated.rows.view().rows.sorted) << spec;
    EXPECT_EQ(generated.rows.view().vertices, expected.view().vertices()) << spec;
  }
  EXPECT_EQ(solver.memory().current_bytes(), 0u);
}

TEST(gpu_generate, unsorted_rows_are_those_of_the_host) {
  COPSE_NEEDS_GPU();
  device::solver solver{{}};
  std::vector<std::string> specs = small_specs();
  for (const char* large : {"rmat:scale=18,edges=16,shuffle=1", "star:n=1000000", "path:n=0", "er:n=5,m=0"}) specs.emplace_back(large);
  for (const std::string& spec : specs) {
    const graph held = gen::unsorted_rows(gen::generate(spec), 5);
    const auto& expected = std::get<0>(held.shape());
    const auto generated = solver.generate(spec, a_variant, 5);
    EXPECT_TRUE(std::ranges::equal(fetched(generated.narrow.offsets), expected.offsets.span())) << spec;
    EXPECT_TRUE(std::ranges::equal(fetched(generated.narrow.targets), expected.targets.span())) << spec;
    EXPECT_TRUE(generated.narrow.symmetric == symmetry::yes && !generated.narrow.sorted) << spec;
    EXPECT_TRUE(generated.rows.view().rows.symmetric && !generated.rows.view().rows.sorted) << spec;
  }
  EXPECT_EQ(solver.memory().current_bytes(), 0u);
}

TEST(gpu_generate, offsets_are_wide_where_arcs_do_not_fit) {
  COPSE_NEEDS_GPU();
  const backend::gpu on{0};
  backend::gpu_memory device{on};
  const std::string spec = "rmat:scale=12,edges=16";
  const graph held = gen::generate(spec);
  const auto& expected = std::get<0>(held.shape());
  const gen::gpu_edges edges{gen::recipe_of(spec), on, &device};
  for (const std::uint64_t most : {expected.targets.size(), expected.targets.size() - 1}) {
    backend::edge_rows rows{on, &device, static_cast<std::uint32_t>(edges.vertices()), edges.edges(), most};
    edges.write(rows.edges());
    const auto generated = std::move(rows).build();
    ASSERT_EQ(generated.offset_bytes, most == expected.targets.size() ? 4u : 8u);
    const std::size_t ends = expected.offsets.size();
    if (generated.offset_bytes == 4) {
      EXPECT_TRUE(std::ranges::equal(fetched<std::uint32_t>(generated.offsets.data(), ends), expected.offsets.span()));
    } else {
      EXPECT_TRUE(std::ranges::equal(fetched<std::uint64_t>(generated.offsets.data(), ends), expected.offsets.span()));
    }
    EXPECT_TRUE(std::ranges::equal(fetched<std::uint32_t>(generated.targets.data(), generated.targets.size()), expected.targets.span()));
  }
}

TEST(gpu_generate, gives_the_labels_and_numbers_of_the_host) {
  COPSE_NEEDS_GPU();
  for (const std::string& spec : specs_of_every_size()) {
    const graph held = gen::generate(spec);
    const std::uint64_t arcs = std::get<0>(held.shape()).targets.size();
    const auto generated = gpu_graph::generate(spec);
    EXPECT_EQ(generated.arcs(), arcs) << spec;
    EXPECT_EQ(generated.edges(), arcs / 2) << spec;
    EXPECT_TRUE(generated.both_directions()) << spec;
    const auto expected = checksum(components(held, {.variant = "serial.none.rem"}).labels);
    for (const char* variant : {"auto", "cuda.none.ecl"}) {
      const auto solved = components(generated, {.variant = variant});
      EXPECT_EQ(checksum(solved.copy_out()), expected) << spec << ", " << variant;
      EXPECT_TRUE(verify(generated, solved)) << spec << ", " << variant;
    }
  }
}

TEST(gpu_generate, refuses_what_the_host_refuses_in_the_same_words) {
  COPSE_NEEDS_GPU();
  for (const char* spec :
       {"rmat", "rmat:scale=x", "rmat:scale=5,a=.9,b=.9", "er:n=5", "nothing:n=5", "grid2d:side=2,rows=2", "path:n=5,m=3"})
    EXPECT_EQ(thrown<usage_error>([&] { return gpu_graph::generate(spec); }), thrown<usage_error>([&] { return gen::generate(spec); }));
  EXPECT_THROW(static_cast<void>(gpu_graph::generate("path:n=5", {.variant = "threads.none.ecl"})), usage_error);
  // The second has more vertices than 32 bits count only once its streets are.
  for (const char* spec : {"path:n=4294967296", "osm:side=46341,keep=.6"}) {
    EXPECT_EQ(thrown<usage_error>([&] { return gpu_graph::generate(spec); }), "a GPU needs 32-bit ids: at most 2^32 - 1 vertices") << spec;
  }
}

TEST(gpu_generate, what_does_not_fit_is_refused_with_the_numbers) {
  COPSE_NEEDS_GPU();
  // Making the rows takes most; it takes what it says, to the byte, and no more.
  const std::string spec = "rmat:scale=13,edges=8";
  const std::uint64_t needed = backend::edge_rows::bytes_needed(1 << 13, 8 << 13);
  EXPECT_GE(needed, std::uint64_t{32} * (8 << 13));
  const auto refusal_of = [](const std::string& what, std::uint64_t limit) {
    device::solver solver{{.memory_limit_bytes = limit}};
    const std::string text = thrown<resource_error>([&] { return solver.generate(what, a_variant); });
    EXPECT_EQ(solver.memory().current_bytes(), 0u) << what;
    return text;
  };
  EXPECT_EQ(refusal_of(spec, needed), "");
  const std::string text = refusal_of(spec, needed - 1);
  EXPECT_TRUE(text.starts_with("cuda:0: found " + std::to_string(needed - 1) + " bytes free, expected " + std::to_string(needed) +
                               " to make rows of 8192 vertices and 65536 edges"))
      << text;
  // Labels take more than rows of next to no arcs; blocks are counted before edges are known; and sizes that no memory holds.
  EXPECT_TRUE(refusal_of("er:n=1000000,m=1", 8'000'000).starts_with("cuda:0: found 8000000 bytes free, expected "));
  EXPECT_TRUE(refusal_of("er:n=100000,p=.001", 1000).find("to count the edges of er:n=100000,p=.001") != std::string::npos);
  EXPECT_TRUE(refusal_of("complete:n=4000000000", UINT64_MAX).starts_with("cuda:0: found "));
  EXPECT_TRUE(refusal_of("er:n=4000000000,p=.4", UINT64_MAX).starts_with("cuda:0: found "));
}

TEST(gpu_generate, a_failing_allocation_leaves_nothing) {
  COPSE_NEEDS_GPU();
  plain_gpu_memory pool;
  failing_memory source{&pool};
  device::solver solver{{.source = &source}};
  for (const char* spec : {"rmat:scale=8", "osm:side=50"}) {
    const auto failures = failures_of(source, solver.memory(), [&] { static_cast<void>(solver.generate(spec, a_variant)); });
    EXPECT_GT(failures, 3u) << spec;
    EXPECT_LT(failures, 50u) << spec;
  }
}

}  // namespace
}  // namespace copse::test
