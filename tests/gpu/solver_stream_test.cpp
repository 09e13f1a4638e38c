// gpu_solver on the caller's stream.
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
TEST(gpu_solver_stream, is_what_a_solver_may_work_on) {
  COPSE_NEEDS_GPU();
  const streams callers;
  gate open;
  open.set(true);
  for (const auto& g : late_graphs()) {
    for (const auto& [name, stream] : callers.all()) {
      g.write(stream, {spin, patience, open.word()});
      gpu_solver solver{{.stream = stream}};
      const auto resident = solver.borrow(g.view());
      const auto labels = solver.solve(resident);
      const auto forest = solver.spanning_forest(resident);
      g.spoil(stream);
      const labelling found = solver.copy_out(labels);
      const auto components = summarise(found).components;
      EXPECT_TRUE(std::ranges::equal(std::get<buffer<id>>(found.labels()), g.expected())) << g.name() << ", " << name << " stream";
      EXPECT_EQ(forest.edges_on_device().size(), g.expected().size() - components) << g.name() << ", " << name << " stream";
    }
  }
}

TEST(gpu_solver_stream, solves_of_resident_graphs_are_enqueued) {
  COPSE_NEEDS_GPU();
  expect_returns_between_writer_and_overwriter(20, [](const late_graph& g, cudaStream_t stream) {
    auto solver = std::make_unique<gpu_solver>(gpu_solver::settings{.stream = stream});
    auto resident = solver->borrow(g.view());
    return [&g, solver = std::move(solver), resident = std::move(resident)] { solver->solve_async(resident, g.labels()); };
  });
}

TEST(gpu_solver_stream, enqueues_what_was_copied_in_and_made_there_too) {
  COPSE_NEEDS_GPU();
  const streams callers;
  cudaStream_t const stream = callers.all().back().second;
  gpu_solver solver{{.stream = stream}};
  const graph host = gen::generate("rmat:scale=12,edges=8");
  const auto expected = components(host, {.variant = "serial.none.rem"}).labels;
  const words labels{host.vertices()};
  const auto copied = solver.copy_in(host.view());
  const auto generated = solver.generate("rmat:scale=12,edges=8");
  for (const auto* const resident : {&copied, &generated.graph}) {
    for (const char* const variant : {"auto", "cuda.none.rem_cas.naive.halve_one"}) {
      overwrite(labels.data(), labels.size(), no_vertex<id>, stream);
      solver.solve_async(*resident, labels.span(), {.variant = variant});
      EXPECT_TRUE(std::ranges::equal(labels.on_host(stream), std::get<buffer<id>>(expected.labels()))) << variant;
    }
  }
}

TEST(gpu_solver_stream, refuses_what_cannot_be_enqueued) {
  COPSE_NEEDS_GPU();
  const words labels{16};
  const graph host = gen::generate("path:n=16");
  gpu_solver own, callers{{.stream = cudaStreamPerThread}};
  const auto of_own = own.copy_in(host.view()), of_callers = callers.copy_in(host.view());
  EXPECT_EQ(thrown<usage_error>([&] { own.solve_async(of_own, labels.span()); }),
            "solve_async: found no stream in the settings, expected the caller's");
  const auto refusal = [&](device_span<id> to, const char* variant) {
    return thrown<usage_error>([&] { callers.solve_async(of_callers, to, {.variant = variant}); });
  };
  EXPECT_EQ(refusal({labels.data(), 15}, "auto"), "labels: found 15 elements, expected 16, one per vertex");
  EXPECT_EQ(refusal({nullptr, 16}, "auto"), "labels: found null, expected 16 elements");
  std::vector<id> in_host_memory(16);
  EXPECT_NE(refusal({in_host_memory.data(), 16}, "auto").find("found memory of the host"), std::string::npos);
  EXPECT_NE(refusal(labels.span(), "cuda.bfs.async.naive").find("found a variant that waits"), std::string::npos);
  EXPECT_NE(refusal(labels.span(), "omp.hb.fast").find("expected a variant of cuda"), std::string::npos);
}

}  // namespace
}  // namespace copse::test
