// gpu_graph: graphs that stay on a GPU.
#include <copse/build.hpp>
#include <copse/components.hpp>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/generate.hpp>
#include <copse/labels.hpp>
#include <copse/options.hpp>
#include <variants/gpu_choice.hpp>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "api/gpu_benchmark.hpp"
#include "gpu/gpu.hpp"

namespace copse::test {
namespace {

std::uint64_t answer_of(const graph& g) { return checksum(components(g, {.variant = "serial.none.rem"}).labels); }

TEST(gpu_resident_graph, is_refused_where_there_is_no_gpu) {
  if (has_gpu()) GTEST_SKIP() << "this machine has a GPU";
  EXPECT_THROW(static_cast<void>(gpu_graph::copy_of(rmat().view())), resource_error);
}

TEST(gpu_resident_graph, solves_a_graph_that_stays_any_number_of_times) {
  COPSE_NEEDS_GPU();
  const auto resident = gpu_graph::copy_of(rmat().view());
  for (const char* variant : {"auto", "cuda.none.fast", "cuda.kout.async.halve", "auto"}) {
    const auto labels = components(resident, {.variant = variant});
    EXPECT_EQ(labels.on_device().size(), rmat().vertices());
    EXPECT_GT(labels.report().solve_seconds, 0) << variant;
    EXPECT_EQ(labels.report().copy_seconds, 0) << variant;
    EXPECT_EQ(labels.report().device, "cuda:0");
    EXPECT_EQ(checksum(labels.copy_out(rmat().names())), answer_of(rmat())) << variant;
    EXPECT_EQ(checksum(labels), answer_of(rmat())) << variant;
    if (std::string_view{variant} == "auto") {
      EXPECT_EQ(labels.report().launches, 1u);  // the graph is small
    } else {
      EXPECT_GE(labels.report().launches, 3u) << variant;
    }
  }
}

/// Returns a view of the arrays of these rows on the GPU.
device_csr_view<std::uint32_t> view_of(const device::solver::graph& there, const csr<std::uint32_t, std::uint32_t>& rows) {
  return {.offsets = {static_cast<const std::uint32_t*>(there.rows.offsets.data()), rows.offsets.size()},
          .targets = {there.rows.targets, rows.targets.size()},
          .symmetric = rows.symmetric,
          .sorted = rows.sorted};
}

/// The choice of `auto` depends on the sizes of rows only.
TEST(gpu_resident_graph, takes_the_same_variant_for_rows_in_host_memory_and_on_the_gpu) {
  COPSE_NEEDS_GPU();
  for (const char* spec : {"er:n=100000,m=100000", "rmat:scale=17,edges=1", "path:n=0", "star:n=2", "rmat:scale=10"}) {
    const graph g = build_csr(gen::generate(spec));
    const auto expected = variant::on_gpu("auto", g.view(), solve_options{}.seed);
    const auto copied = gpu_graph::copy_of(g.view());
    const auto generated = gpu_graph::generate(spec);
    for (const gpu_graph* resident : {&copied, &generated}) {
      const auto labels = components(*resident);
      EXPECT_EQ(labels.report().variant, expected.variant) << spec;
      EXPECT_EQ(labels.report().explanation, expected.explanation) << spec;
      EXPECT_EQ(checksum(labels), answer_of(g)) << spec;
    }
  }
}

TEST(gpu_resident_graph, measures_memory_within_what_memories_can_do) {
  COPSE_NEEDS_GPU();
  const gpu_graph g = gpu_graph::copy_of(rmat().view());
  const auto rates = gpu_benchmark::measure_memory(g, 1u << 26);
  EXPECT_GT(rates.copied_bytes_per_second, 1e11);
  EXPECT_LT(rates.copied_bytes_per_second, 1e14);
  EXPECT_GT(rates.gathers_per_second, 1e9);
  EXPECT_LT(4 * rates.gathers_per_second, rates.copied_bytes_per_second);  // a random word costs more than its bytes
  EXPECT_EQ(gpu_benchmark::measure_memory(g, 0).gathers_per_second, 0);
}

TEST(gpu_resident_graph, borrows_arrays_that_are_on_the_gpu) {
  COPSE_NEEDS_GPU();
  const auto& rows = std::get<csr<std::uint32_t, std::uint32_t>>(rmat().shape());
  device::solver owner{{}};  // whose memory the caller's arrays are in
  const auto theirs = owner.copy_in(arc_view{rows.view()});
  const auto resident = gpu_graph::borrow(view_of(theirs.view(), rows));
  EXPECT_EQ(checksum(components(resident).copy_out()), answer_of(rmat()));
}

TEST(gpu_resident_graph, says_what_it_cannot_do) {
  COPSE_NEEDS_GPU();
  EXPECT_THROW(static_cast<void>(gpu_graph::copy_of(graph_view{coo_view<std::uint64_t>{}})), usage_error);
  const auto resident = gpu_graph::copy_of(rmat().view());
  EXPECT_THROW(static_cast<void>(components(resident, {.variant = "threads.none.ecl"})), usage_error);
  EXPECT_THROW(static_cast<void>(components(resident, {.variant = "cuda.none.dfs"})), usage_error);
  EXPECT_THROW(static_cast<void>(components(resident, {.count = true})), usage_error);
  auto one_sided = std::get<csr<std::uint32_t, std::uint32_t>>(rmat().shape()).view();
  one_sided.symmetric = symmetry::unknown;
  const auto half = gpu_graph::copy_of(graph_view{one_sided});
  EXPECT_THROW(static_cast<void>(components(half, {.variant = "cuda.hb.fast"})), usage_error);
  EXPECT_EQ(components(half).report().variant, "cuda.none.rem_cas.naive.halve_one");  // auto knows
  EXPECT_THROW(static_cast<void>(gpu_graph::copy_of(rmat().view(), {}, {.gpu_memory = 1000})), resource_error);
}

TEST(gpu_resident_graph, tells_the_parts_of_a_finish_in_rounds) {
  COPSE_NEEDS_GPU();
  const auto resident = gpu_graph::copy_of(gen::generate_edges("er:n=300000,m=900000").view());
  for (const auto& [variant, parts] :
       std::vector<std::pair<const char*, std::vector<std::string_view>>>{{"cuda.none.cc", {"graft", "shortcut"}},
                                                                          {"cuda.none.cc_updt", {"graft", "shortcut", "update"}},
                                                                          {"cuda.none.sv", {"graft", "shortcut"}},
                                                                          {"cuda.none.soman", {"graft", "shortcut"}}}) {
    const auto labels = components(resident, {.variant = variant});
    double finish = 0, sum = 0;
    std::set<std::string_view> found;
    for (const phase& p : labels.report().phases) {
      if (p.name == "finish") finish = p.seconds;
      if (std::ranges::find(parts, p.name) == parts.end()) continue;
      EXPECT_GT(p.seconds, 0) << variant << ' ' << p.name;
      sum += p.seconds;
      found.insert(p.name);
    }
    EXPECT_EQ(found.size(), parts.size()) << variant;
    EXPECT_LE(sum, finish * 1.01) << variant;
  }
}

TEST(gpu_resident_graph, tells_the_phases_of_the_fast_path_when_asked) {
  COPSE_NEEDS_GPU();
  const auto phases_of = [&](const graph& g) {
    std::vector<std::string_view> phases;
    const auto labels = components(gpu_graph::copy_of(g.view(), {.time_phases = true}), {.variant = "cuda.hb.fast"});
    for (const phase& p : labels.report().phases) phases.push_back(p.name);
    return phases;
  };
  EXPECT_EQ(phases_of(rmat()), std::vector<std::string_view>{"one launch"});
  EXPECT_EQ(phases_of(build_csr(gen::generate("er:n=600000,m=1800000"))),
            (std::vector<std::string_view>{"first hook", "second hook", "finish", "rest", "labels"}));
}

TEST(gpu_resident_graph, takes_empty_graphs_and_lists) {
  COPSE_NEEDS_GPU();
  const graph none{coo<std::uint32_t>{0, buffer<edge<std::uint32_t>>{}}};
  const auto no_labels = components(gpu_graph::copy_of(none.view()));
  EXPECT_EQ(no_labels.copy_out().slots(), 0u);
  EXPECT_EQ(checksum(no_labels), answer_of(none));
  const graph list = gen::generate("rmat:scale=10,edges=8");
  EXPECT_EQ(checksum(components(gpu_graph::copy_of(list.view())).copy_out()), answer_of(list));
}

}  // namespace
}  // namespace copse::test
