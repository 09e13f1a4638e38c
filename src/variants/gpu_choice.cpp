#include <copse/errors.hpp>
#include <copse/hybrid.hpp>
#include <copse/options.hpp>
#include <copse/views.hpp>
#include <variants/auto_on_gpu.hpp>
#include <variants/entries.hpp>
#include <variants/gpu_choice.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace copse::variant {
namespace {

const table_entry& gpu_variant_named(const std::string& name, input_kind input, problem_kind problem) {
  if (is_hybrid(name)) throw usage_error{name + ": found no rows in host memory, expected those of the CPU's share beside the GPU's"};
  const table_entry* named = find_entry(name, input, problem);
  if (named == nullptr) throw usage_error{*refusal(name, input, problem)};
  if (named->info.backend != cuda_name)
    throw usage_error{"device: found variant " + named->info.name + ", expected a variant of cuda: the others run on the CPU"};
  return *named;
}

input_kind narrow_input(graph_view view) {
  return std::visit(
      []<class View>(const View&) {
        if constexpr (sizeof(typename View::id_type) != sizeof(std::uint32_t)) refuse_wide_ids();
        return requires(View g) { g.offsets; }
        ? input_kind::csr : input_kind::coo;
      },
      view);
}

}  // namespace

chosen_gpu_variant gpu_variant_for_host(graph_view in_host_memory, const std::string& name, problem_kind problem) {
  choice chosen{name, {}};
  if (is_chooser(name)) chosen = on_gpu(name, in_host_memory, solve_options{}.seed, problem);
  const input_kind input = narrow_input(in_host_memory);
  return {&gpu_variant_named(chosen.variant, input, problem), std::move(chosen.explanation)};
}

chosen_gpu_variant gpu_variant_for(graph_view view, const std::string& name, problem_kind problem, const known_rows& known) {
  choice chosen{name, {}};
  if (name == tree_name) {
    const chosen_gpu_variant& tree = known.tree;
    if (tree.chosen == nullptr) throw usage_error{"variant: found " + name + ", expected a graph that was copied in for it, or a variant"};
    chosen = {tree.chosen->info.name, tree.explanation};
  } else if (is_chooser(name)) {
    chosen = name == "auto" ? on_gpu(view, known.sample, problem) : gconn_default(view, cuda_name);
  }
  const input_kind input = narrow_input(view);
  return {&gpu_variant_named(chosen.variant, input, problem), std::move(chosen.explanation)};
}

const table_entry& gpu_variant_ahead(std::uint64_t vertices, std::uint64_t arcs, const std::string& name, problem_kind problem) {
  if (name == tree_name) throw usage_error{"variant: found " + name + ", expected a graph in host memory, whose rows it looks at"};
  const auto picked = [&] {
    if (!is_chooser(name)) return name;
    if (name == "auto") return on_gpu(vertices, arcs).variant;
    return gconn_default(graph_view{csr_view<std::uint32_t, std::uint32_t>{}}, cuda_name).variant;  // of rows, whatever they are
  };
  return gpu_variant_named(picked(), input_kind::csr, problem);
}

void expect_no_waits(const table_entry& entry) {
  if (finish_entries[entry.finish].traits.fast_path || (entry.info.sampler == "none" && entry.finish < unite_count)) return;
  throw usage_error{entry.info.name +
                    ": found a variant that waits for the GPU between its steps, expected auto, cuda.hb.fast, "
                    "cuda.none.fast or a union-find rule without a sampler"};
}

}  // namespace copse::variant
