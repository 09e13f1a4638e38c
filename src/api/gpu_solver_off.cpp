// What a build without the GPU part has of gpu_solver: a text that says so.
#include <api/benchmark_solver.hpp>
#include <api/no_gpu_part.hpp>
#include <api/residents.hpp>
#include <copse/cuda.hpp>

#if !defined(COPSE_HAS_CUDA)
namespace copse {

struct gpu_solver::parts {};

gpu_solver::gpu_solver(const settings&) { refuse_build(); }
gpu_solver::gpu_solver(const settings&, const gpu_techniques&) { refuse_build(); }
gpu_solver::~gpu_solver() = default;

// No object of it exists, so nobody calls these.
gpu_solver::resident_graph gpu_solver::copy_in(graph_view, const std::string&, problem_kind) { refuse_build(); }
gpu_solver::read_rows gpu_solver::read(const std::filesystem::path&, const io::read_options&, const std::string&, problem_kind) {
  refuse_build();
}
gpu_solver::read_rows gpu_solver::generate(std::string_view, const std::string&, problem_kind) { refuse_build(); }
gpu_solver::resident_graph gpu_solver::borrow(device_graph_view) { refuse_build(); }
gpu_solver::resident_labels gpu_solver::solve(const resident_graph&, const solve_options&) { refuse_build(); }
gpu_solver::resident_labels gpu_solver::solve_in_place(resident_graph&, const solve_options&) { refuse_build(); }
void gpu_solver::solve_async(const resident_graph&, device_span<std::uint32_t>, const device_options&) { refuse_build(); }
void gpu_solver::spanning_forest_async(const resident_graph&, device_span<edge<std::uint32_t>>, device_span<std::uint32_t>,
                                       device_span<std::uint32_t>, const device_options&) {
  refuse_build();
}
gpu_solver::resident_forest gpu_solver::spanning_forest(const resident_graph&, const solve_options&, forest_parts) { refuse_build(); }
forest_result gpu_solver::copy_out(const resident_forest&, vertex_names, std::pmr::memory_resource*) { refuse_build(); }
gpu_solver::resident_labels gpu_solver::solve(const resident_graph&, graph_view, const solve_options&, const hybrid_options&) {
  refuse_build();
}
gpu_solver::prepared_solve gpu_solver::prepare(const resident_graph&, const solve_options&) { refuse_build(); }
const gpu_solver::resident_labels& gpu_solver::solve_again(prepared_solve&, const resident_graph&) { refuse_build(); }
device_span<const std::uint32_t> gpu_solver::solve_again_async(prepared_solve&, const resident_graph&) { refuse_build(); }
benchmark_solver::benchmark_solver(const settings& how, const gpu_techniques& techniques) : gpu_solver{how, techniques} {}
backend::memory_rates benchmark_solver::measure_memory(std::uint32_t) { refuse_build(); }
std::uint64_t gpu_solver::checksum(const resident_labels&) { refuse_build(); }
verdict gpu_solver::verify(const resident_graph&, const resident_labels&) { refuse_build(); }
verdict gpu_solver::verify(const resident_graph&, const labelling&) { refuse_build(); }
void gpu_solver::copy_out(const resident_labels&, std::span<std::uint32_t>) { refuse_build(); }
void gpu_solver::copy_out(const resident_forest&, std::span<edge<std::uint32_t>>, std::span<std::uint32_t>) { refuse_build(); }
labelling gpu_solver::copy_out(const resident_labels&, vertex_names, std::pmr::memory_resource*) { refuse_build(); }

}  // namespace copse
#endif
