#include <choose/on_gpu.hpp>
#include <copse/core/error.hpp>
#include <copse/registry/hybrid.hpp>
#include <registry/gpu_choice.hpp>

#include <type_traits>
#include <utility>

namespace copse::registry {
namespace {

const row& gpu_row_named(const std::string& name, input_kind input, problem_kind problem) {
  if (is_hybrid(name)) throw usage_error{name + ": found no rows in host memory, expected those of the CPU's share beside the GPU's"};
  const row* named = find_row(name, input, problem);
  if (named == nullptr) throw usage_error{*refusal(name, input, problem)};
  if (named->info.backend != cuda_name)
    throw usage_error{"device: found variant " + named->info.name + ", expected a row of cuda: the others run on the CPU"};
  return *named;
}

}  // namespace

cuda_solver::graph gpu_arcs_of(graph_view view) {
  return std::visit(
      [](const auto& g) -> cuda_solver::graph {
        if constexpr (sizeof(typename std::remove_cvref_t<decltype(g)>::id_type) == sizeof(std::uint32_t)) {
          return cuda_solver::graph{g};
        } else {
          throw usage_error{"cuda: found 64-bit ids, expected at most 2^32 - 1 vertices"};
        }
      },
      view);
}

gpu_choice gpu_row_for(graph_view view, const std::string& variant, problem_kind problem) {
  choose::choice chosen{variant, {}};
  if (is_chooser(variant)) chosen = choose::on_gpu(view);
  const input_kind input = gpu_arcs_of(view).is_rows ? input_kind::csr : input_kind::coo;
  return {&gpu_row_named(chosen.variant, input, problem), std::move(chosen.explanation)};
}

const row& gpu_row_ahead(const graph_sizes& rows, const std::string& variant, problem_kind problem) {
  const std::string name = is_chooser(variant) ? choose::on_gpu(rows.vertices, rows.arcs).variant : variant;
  return gpu_row_named(name, input_kind::csr, problem);
}

}  // namespace copse::registry
