// What is not labels: memory that ends, devices that are not there, two solves at once, and the way through components().
#include <cuda_runtime_api.h>
#include <copse/build.hpp>
#include <copse/components.hpp>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/generate.hpp>
#include <copse/labels.hpp>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "gpu/gpu.hpp"
#include "gpu/plain_memory.hpp"
#include "support/failing_memory.hpp"
#include "support/thrown.hpp"

namespace copse::test {
namespace {

/// One for each array that a rule may ask for.
const std::vector<std::string> one_for_each_array{"cuda.none.ecl",
                                                  "cuda.hb.hooks.naive",
                                                  "cuda.kout.jtb.naive",
                                                  "cuda.hb.liu_tarjan.PUS",
                                                  "cuda.none.shiloach_vishkin",
                                                  "cuda.kout_random.stergiou",
                                                  "cuda.hb.fast",
                                                  "cuda.none.fast"};

TEST(gpu, is_refused_where_there_is_none) {
  if (has_gpu()) GTEST_SKIP() << "this machine has a GPU";
  EXPECT_THROW(components(rmat(), {.variant = "cuda.none.ecl"}), resource_error);
  EXPECT_THROW(components(rmat(), {}, {.device = "cuda"}), resource_error);
}

TEST(gpu, takes_variants_of_cuda_only) {
  EXPECT_THROW(components(rmat(), {.variant = "threads.none.ecl"}, {.device = "cuda"}), usage_error);
  const coo_view<std::uint64_t> wide{};
  EXPECT_THROW(components(graph_view{wide}, {.variant = "cuda.none.ecl"}), usage_error);
  EXPECT_THROW(components(rmat(), {.variant = "cuda.none.fast", .count = true}), usage_error);  // it has no counters
}

TEST(gpu, of_a_number_too_high_is_refused) {
  COPSE_NEEDS_GPU();
  EXPECT_THROW(components(rmat(), {}, {.device = "cuda:1000"}), usage_error);
}

TEST(gpu, solves_what_components_is_given) {
  COPSE_NEEDS_GPU();
  const auto expected = checksum(components(rmat(), {.variant = "serial.none.rem"}).labels);
  const auto automatic = components(rmat(), {}, {.device = "cuda"});
  EXPECT_EQ(automatic.report.variant, "cuda.hb.fast");
  EXPECT_EQ(automatic.report.device, "cuda:0");
  EXPECT_GT(automatic.report.copy_seconds, 0);
  EXPECT_EQ(checksum(automatic.labels), expected);
  std::vector<std::string_view> phases;
  for (const phase& p : automatic.report.phases) phases.push_back(p.name);
  EXPECT_EQ(phases, (std::vector<std::string_view>{"copy in", "copy out"}));
  // Rows that store one direction only, which a sampled variant has to complete first.
  auto one_sided = rmat_rows().view();
  one_sided.symmetric = symmetry::unknown;
  EXPECT_EQ(checksum(components(graph_view{one_sided}, {.variant = "cuda.kout.async.halve"}).labels), expected);
  const auto list = gen::generate("rmat:scale=13,edges=8");
  EXPECT_EQ(checksum(components(list, {}, {.device = "cuda"}).labels), expected);
}

TEST(gpu, memory_that_ends_is_reported_and_given_back) {
  COPSE_NEEDS_GPU();
  device::solver small{{.memory_limit_bytes = 1000}};
  EXPECT_THROW(static_cast<void>(small.copy_in(arc_view{rmat_rows().view()})), resource_error);
  EXPECT_EQ(small.memory().current_bytes(), 0u);
  plain_gpu_memory pool;
  failing_memory source{&pool};
  device::solver solver{{.source = &source}};
  const auto resident = solver.copy_in(arc_view{rmat_rows().view()});
  for (const auto& name : one_for_each_array) {
    const variant::table_entry& entry = *variant::find_entry(name, input_kind::csr);
    const auto whole = solve_on(solver, entry, resident.view());
    const auto failures = failures_of(source, solver.memory(), [&] {
      const auto labels = solve_on(solver, entry, resident.view());
      EXPECT_TRUE(std::equal(labels.begin(), labels.end(), whole.begin(), whole.end())) << name;
    });
    EXPECT_GT(failures, 0u) << name;
  }
}

TEST(gpu, more_memory_than_there_is_is_refused_with_the_numbers) {
  COPSE_NEEDS_GPU();
  device::solver solver{{}};
  const std::string said = thrown<resource_error>([&] {
    const buffer<std::uint32_t> never{static_cast<std::size_t>(gpus().front().memory_bytes), &solver.memory()};
  });
  EXPECT_TRUE(said.starts_with("out of memory on cuda:0: ")) << said;
  const auto resident = solver.copy_in(arc_view{rmat_rows().view()});  // and nothing is broken by it
  EXPECT_EQ(solve_on(solver, *variant::find_entry("cuda.none.ecl", input_kind::csr), resident.view()).size(), rmat().vertices());
}

TEST(gpu, a_graph_that_does_not_fit_is_refused_before_it_is_copied) {
  COPSE_NEEDS_GPU();
  for (const std::string variant : {"auto", "cuda.none.ecl", "cuda.kout.jtb.naive"}) {
    const std::uint64_t needed = gpu_graph::bytes_needed(rmat().view(), variant);
    const auto copy_into = [&](std::uint64_t room) {
      static_cast<void>(gpu_graph::copy_of(rmat().view(), {.variant = variant}, {.gpu_memory = room}));
    };
    const std::string said = thrown<resource_error>([&] { copy_into(needed - 1); });  // the graph alone would fit
    const std::string found =
        "cuda:0: found " + std::to_string(needed - 1) + " bytes free, expected " + std::to_string(needed) + " for cuda.";
    EXPECT_TRUE(said.starts_with(found)) << said;
    copy_into(needed);
  }
  EXPECT_THROW(static_cast<void>(gpu_graph::bytes_needed(rmat().view(), "threads.none.ecl")), usage_error);
}

/// So that no graph is refused that would fit.
TEST(gpu, no_variant_takes_less_than_is_asked_for) {
  COPSE_NEEDS_GPU();
  const auto list = gen::generate_edges("rmat:scale=13,edges=8");
  for (const variant::table_entry& entry : variant::table()) {
    if (entry.info.backend != variant::cuda_name) continue;
    device::solver solver{{}};
    const arc_view host =
        entry.info.input == input_kind::csr ? arc_view{rmat_rows().view()} : arc_view{std::get<coo<std::uint32_t>>(list.shape()).view()};
    const auto resident = solver.copy_in(host);
    static_cast<void>(solve_on(solver, entry, resident.view()));
    EXPECT_GE(solver.memory().peak_bytes(), device::needs_of(entry.info, device::sizes_of(host)).all()) << entry.info.name;
  }
}

TEST(gpu, solves_on_two_streams_at_once) {
  COPSE_NEEDS_GPU();
  const auto expected = components(rmat(), {.variant = "serial.none.rem"});
  const auto& labels = std::get<buffer<std::uint32_t>>(expected.labels.labels());
  std::atomic<int> wrong{0};
  std::vector<std::jthread> threads;
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&] {
      device::solver solver{{}};
      const auto resident = solver.copy_in(arc_view{rmat_rows().view()});
      for (int round = 0; round < 20; ++round) {
        for (const auto& name : one_for_each_array) {
          const auto found = solve_on(solver, *variant::find_entry(name, input_kind::csr), resident.view());
          if (!std::equal(found.begin(), found.end(), labels.begin(), labels.end())) ++wrong;
        }
      }
    });
  }
  threads.clear();
  EXPECT_EQ(wrong, 0);
}

/// What the L2 cache takes at once from memory, for all of this process.
std::size_t fetch_bytes() {
  std::size_t bytes = 0;
  EXPECT_EQ(cudaDeviceGetLimit(&bytes, cudaLimitMaxL2FetchGranularity), cudaSuccess);
  return bytes;
}

/// The limit is lowered while graphs with rows of 16 and more arcs per vertex exist, and is what it was after the last of them.
TEST(gpu, short_fetches_are_for_long_rows_only) {
  COPSE_NEEDS_GPU();
  const graph long_rows = build_csr(gen::generate("complete:n=17")), short_rows = build_csr(gen::generate("complete:n=16"));
  const std::size_t before = fetch_bytes();
  EXPECT_GT(before, 32u);
  {
    const auto plain = gpu_graph::copy_of(long_rows.view());
    EXPECT_EQ(fetch_bytes(), before) << "nobody asked for it";
  }
  const gpu_graph_options shorter{.short_fetches = true};
  const auto other = gpu_graph::copy_of(short_rows.view(), shorter);
  const auto list = gpu_graph::copy_of(gen::generate_edges("complete:n=40").view(), shorter);
  EXPECT_EQ(fetch_bytes(), before) << "short rows, and an edge list, which has no rows";
  auto first = std::optional{gpu_graph::copy_of(long_rows.view(), shorter)};
  EXPECT_EQ(fetch_bytes(), 32u);
  EXPECT_EQ(checksum(components(*first)), checksum(components(long_rows).labels));
  EXPECT_EQ(fetch_bytes(), 32u) << "for the next solve too";
  auto second = std::optional{gpu_graph::generate("complete:n=40", shorter)};
  first.reset();
  EXPECT_EQ(fetch_bytes(), 32u) << "while another is left";
  second.reset();
  EXPECT_EQ(fetch_bytes(), before) << "when the last has gone";
}

}  // namespace
}  // namespace copse::test
