// gpu_solver: graphs that stay on a GPU.
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

#include "api/benchmark_solver.hpp"
#include "gpu/gpu.hpp"

namespace copse::test {
namespace {

std::uint64_t answer_of(const graph& g) { return checksum(components(g, {.variant = "serial.none.rem"}).labels); }

TEST(gpu_solver, is_refused_where_there_is_no_gpu) {
  if (has_gpu()) GTEST_SKIP() << "this machine has a GPU";
  EXPECT_THROW(gpu_solver{}, resource_error);
}

TEST(gpu_solver, solves_a_graph_that_stays_any_number_of_times) {
  COPSE_NEEDS_GPU();
  gpu_solver solver;
  const auto resident = solver.copy_in(rmat().view());
  for (const char* variant : {"auto", "cuda.none.fast", "cuda.kout.async.halve", "auto"}) {
    const auto labels = solver.solve(resident, {.variant = variant});
    EXPECT_EQ(labels.on_device().size(), rmat().vertices());
    EXPECT_GT(labels.report().solve_seconds, 0) << variant;
    EXPECT_EQ(labels.report().copy_seconds, 0) << variant;
    EXPECT_EQ(labels.report().device, "cuda:0");
    EXPECT_EQ(checksum(solver.copy_out(labels, rmat().names())), answer_of(rmat())) << variant;
    EXPECT_EQ(solver.checksum(labels), answer_of(rmat())) << variant;
    if (std::string_view{variant} == "auto") {
      EXPECT_EQ(labels.report().launches, 1u);  // the graph is small
    } else {
      EXPECT_GE(labels.report().launches, 3u) << variant;
    }
  }
}

/// The sample of rows that `auto` goes by is the same wherever they are.
TEST(gpu_solver, sees_in_rows_what_is_seen_in_host_memory) {
  COPSE_NEEDS_GPU();
  gpu_solver solver;
  for (const char* spec : {"er:n=100000,m=100000", "rmat:scale=17,edges=1", "web:n=300000,degree=3", "osm:side=100", "path:n=0", "star:n=2",
                           "rmat:scale=10"}) {
    const graph g = build_csr(gen::generate(spec));
    const auto expected = variant::on_gpu("auto", g.view(), solve_options{}.seed);
    const auto copied = solver.copy_in(g.view());
    const auto generated = solver.generate(spec);
    for (const auto* resident : {&copied, &generated.graph}) {
      const auto labels = solver.solve(*resident);
      EXPECT_EQ(labels.report().variant, expected.variant) << spec;
      EXPECT_EQ(labels.report().explanation, expected.explanation) << spec;
      EXPECT_EQ(solver.checksum(labels), answer_of(g)) << spec;
    }
  }
}

TEST(gpu_solver, measures_memory_within_what_memories_can_do) {
  COPSE_NEEDS_GPU();
  benchmark_solver solver;
  const auto rates = solver.measure_memory(1u << 26);
  EXPECT_GT(rates.copied_bytes_per_second, 1e11);
  EXPECT_LT(rates.copied_bytes_per_second, 1e14);
  EXPECT_GT(rates.gathers_per_second, 1e9);
  EXPECT_LT(4 * rates.gathers_per_second, rates.copied_bytes_per_second);  // a random word costs more than its bytes
  EXPECT_EQ(solver.measure_memory(0).gathers_per_second, 0);
}

TEST(gpu_solver, borrows_arrays_that_are_on_the_gpu) {
  COPSE_NEEDS_GPU();
  const auto& rows = std::get<csr<std::uint32_t, std::uint32_t>>(rmat().shape());
  device::solver owner{{}};  // whose memory the caller's arrays are in
  const auto theirs = owner.copy_in(gpu_graph{rows.view()});
  const device_csr_view<std::uint32_t> view{
      .offsets = {static_cast<const std::uint32_t*>(theirs.view().rows.offsets.data()), rows.offsets.size()},
      .targets = {theirs.view().rows.targets, rows.targets.size()},
      .symmetric = rows.symmetric,
      .sorted = rows.sorted};
  gpu_solver solver;
  const auto resident = solver.borrow(view);
  EXPECT_EQ(checksum(solver.copy_out(solver.solve(resident))), answer_of(rmat()));
}

TEST(gpu_solver, says_what_it_cannot_do) {
  COPSE_NEEDS_GPU();
  gpu_solver solver;
  EXPECT_THROW(static_cast<void>(solver.copy_in(graph_view{coo_view<std::uint64_t>{}})), usage_error);
  const auto resident = solver.copy_in(rmat().view());
  EXPECT_THROW(static_cast<void>(solver.solve(resident, {.variant = "threads.none.ecl"})), usage_error);
  EXPECT_THROW(static_cast<void>(solver.solve(resident, {.variant = "cuda.none.dfs"})), usage_error);
  EXPECT_THROW(static_cast<void>(solver.solve(resident, {.count = true})), usage_error);
  auto one_sided = std::get<csr<std::uint32_t, std::uint32_t>>(rmat().shape()).view();
  one_sided.symmetric = symmetry::unknown;
  const auto half = solver.copy_in(graph_view{one_sided});
  EXPECT_THROW(static_cast<void>(solver.solve(half, {.variant = "cuda.hb.fast"})), usage_error);
  EXPECT_EQ(solver.solve(half).report().variant, "cuda.none.rem_cas.naive.halve_one");  // auto knows
  gpu_solver small{{}, {.gpu_memory = 1000}};
  EXPECT_THROW(static_cast<void>(small.copy_in(rmat().view())), resource_error);
}

TEST(gpu_solver, tells_the_parts_of_a_finish_in_rounds) {
  COPSE_NEEDS_GPU();
  gpu_solver solver;
  const auto resident = solver.copy_in(gen::generate_edges("er:n=300000,m=900000").view());
  for (const auto& [variant, parts] :
       std::vector<std::pair<const char*, std::vector<std::string_view>>>{{"cuda.none.cc", {"graft", "shortcut"}},
                                                                          {"cuda.none.cc_updt", {"graft", "shortcut", "update"}},
                                                                          {"cuda.none.sv", {"graft", "shortcut"}},
                                                                          {"cuda.none.soman", {"graft", "shortcut"}}}) {
    const auto labels = solver.solve(resident, {.variant = variant});
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

TEST(gpu_solver, tells_the_phases_of_the_fast_path_when_asked) {
  COPSE_NEEDS_GPU();
  gpu_solver solver{{.time_phases = true}};
  const auto phases_of = [&](const graph& g) {
    std::vector<std::string_view> phases;
    const auto labels = solver.solve(solver.copy_in(g.view()), {.variant = "cuda.hb.fast"});
    for (const phase& p : labels.report().phases) phases.push_back(p.name);
    return phases;
  };
  EXPECT_EQ(phases_of(rmat()), std::vector<std::string_view>{"one launch"});
  EXPECT_EQ(phases_of(build_csr(gen::generate("er:n=600000,m=1800000"))),
            (std::vector<std::string_view>{"first hook", "second hook", "finish", "rest", "labels"}));
}

TEST(gpu_solver, takes_empty_graphs_and_lists) {
  COPSE_NEEDS_GPU();
  gpu_solver solver;
  const graph none{coo<std::uint32_t>{0, buffer<edge<std::uint32_t>>{}}};
  const auto no_labels = solver.solve(solver.copy_in(none.view()));
  EXPECT_EQ(solver.copy_out(no_labels).slots(), 0u);
  EXPECT_EQ(solver.checksum(no_labels), answer_of(none));
  const graph list = gen::generate("rmat:scale=10,edges=8");
  EXPECT_EQ(checksum(solver.copy_out(solver.solve(solver.copy_in(list.view())))), answer_of(list));
}

}  // namespace
}  // namespace copse::test
