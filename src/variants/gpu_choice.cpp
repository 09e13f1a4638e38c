#include <copse/errors.hpp>
#include <copse/hybrid.hpp>
#include <variants/auto_on_gpu.hpp>
#include <variants/entries.hpp>
#include <variants/gpu_choice.hpp>

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

/// A graph on a GPU cannot be looked at from here: of the choosers, `auto` asks for sizes only.
void expect_no_look(const std::string& name) {
  if (is_chooser(name) && name != "auto") {
    throw usage_error{"variant: found " + name +
                      " for a graph in GPU memory, expected one in host memory, which it looks at: ask copse::choose first"};
  }
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

chosen_gpu_variant gpu_variant_for(graph_view view, const std::string& name, problem_kind problem) {
  expect_no_look(name);
  choice chosen{name, {}};
  if (is_chooser(name)) chosen = on_gpu(view);
  const input_kind input = narrow_input(view);
  return {&gpu_variant_named(chosen.variant, input, problem), std::move(chosen.explanation)};
}

const table_entry& gpu_variant_ahead(std::uint64_t vertices, std::uint64_t arcs, const std::string& name, problem_kind problem) {
  expect_no_look(name);
  return gpu_variant_named(is_chooser(name) ? on_gpu(vertices, arcs).variant : name, input_kind::csr, problem);
}

void expect_no_waits(const table_entry& entry) {
  if (finish_entries[entry.finish].traits.fast_path || (entry.info.sampler == "none" && entry.finish < unite_count)) return;
  throw usage_error{entry.info.name +
                    ": found a variant that waits for the GPU between its steps, expected auto, cuda.hb.fast, "
                    "cuda.none.fast or a union-find rule without a sampler"};
}

}  // namespace copse::variant
