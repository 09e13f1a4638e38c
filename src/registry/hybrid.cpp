#include <choose/on_gpu.hpp>
#include <copse/core/error.hpp>
#include <own/probe.hpp>
#include <registry/cuda.hpp>
#include <registry/hybrid.hpp>

#include <algorithm>

namespace copse {

bool is_hybrid(std::string_view name) noexcept { return name.starts_with(registry::hybrid_prefix); }

graph_looks looks_of(graph_view g, std::uint64_t seed) {
  return std::visit(
      [seed](const auto& view) -> graph_looks {
        if constexpr (requires { view.offsets; }) {
          return {view.vertices(), view.targets.size(), own::share_of_scattered_arcs(view, seed)};
        } else {
          return {view.vertices(), 2 * view.edges.size()};
        }
      },
      g);
}

}  // namespace copse

namespace copse::registry {
namespace {

/// The two halves of a name: `CPU`, and `cuda.ROW`.
struct halves {
  std::string_view part;
  std::string gpu;
};
halves halves_of(std::string_view name) {
  const std::string_view rest = name.substr(hybrid_prefix.size());
  const std::size_t dot = std::min(rest.find('.'), rest.size());
  return {rest.substr(0, dot), std::string{cuda_name}.append(rest.substr(dot))};
}

}  // namespace

std::optional<std::string> hybrid_refusal(std::string_view name, problem_kind problem) {
  const auto refused = [name](std::string_view why) { return std::string{name}.append(": ").append(why); };
  if (problem != problem_kind::components) return refused("the CPU and a GPU together find components only");
  if (!has_cuda) return refused("this build has no GPU part");
  if (name == hybrid_auto) return std::nullopt;
  const auto [part, gpu] = halves_of(name);
  if (std::ranges::find(cpu_part_names, part) == cpu_part_names.end()) {
    std::string known{"auto"};
    for (const auto other : cpu_part_names) known.append(", ").append(other);
    return refused(std::string{"unknown CPU part '"}.append(part).append("'; known: ").append(known));
  }
  if (find_row(gpu, input_kind::csr) != nullptr) return std::nullopt;
  return refused(refusal(gpu, input_kind::csr).value_or("its row of cuda has a shorter name"));
}

hybrid_row hybrid_named(std::string_view name, graph_view rows) {
  if (!is_hybrid(name)) throw usage_error{std::string{"variant: found "}.append(name).append(", expected one of hybrid")};
  if (const auto why = hybrid_refusal(name, problem_kind::components)) throw usage_error{*why};
  if (name == hybrid_auto) {
    const row* const gpu = find_row(choose::on_gpu(rows).variant, input_kind::csr);
    return {std::string{"hybrid.own"}.append(gpu->info.name.substr(cuda_name.size())), cpu_part::own, gpu};
  }
  const auto [part, gpu] = halves_of(name);
  const auto at = std::ranges::find(cpu_part_names, part) - cpu_part_names.begin();
  return {std::string{name}, static_cast<cpu_part>(at), find_row(gpu, input_kind::csr)};
}

#if !defined(COPSE_HAS_CUDA)
components_result solve_hybrid(graph_view whole, const vertex_names& /*names*/, const solve_options& options,
                               const hybrid_options& /*how*/) {
  static_cast<void>(hybrid_named(options.variant, whole));  // throws: there is no row to name
  return {};
}
#endif

}  // namespace copse::registry
