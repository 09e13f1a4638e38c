#include <variants/gpu_choice.hpp>

#include <fmt/format.h>
#include <copse/errors.hpp>
#include <copse/hybrid.hpp>
#include <copse/options.hpp>
#include <copse/views.hpp>
#include <fast/cuda/beginning.hpp>
#include <variants/added.hpp>
#include <variants/cuda.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace copse::variant {

namespace {

constexpr const char* unsampled_variant = "cuda.none.rem_cas.naive.halve_one";

choice for_rows(std::uint64_t n, std::uint64_t arcs, bool symmetric, bool sorted) {
  if (n == 0) return {"cuda.none.fast", "GPU, rows, no vertices"};
  auto seen =
      fmt::format("GPU, rows, {} vertices, {} arcs ({:.1f} per vertex)", n, arcs, static_cast<double>(arcs) / static_cast<double>(n));
  if (!symmetric) return {unsampled_variant, seen + ": one direction of edges may be missing; unite all as they stand"};
  const bool by_sample = fast::beginning_of(n, arcs, sorted) == fast::begins::by_sample;
  return {"cuda.hb.fast",
          seen + (by_sample ? ": short rows; the GPU samples them and decides how to begin" : ": hook, and sample for a giant to skip")};
}

}  // namespace

choice on_gpu(std::string_view chooser, graph_view in_host_memory, std::uint64_t seed) {
  if (chooser == "gconn_tree") return gconn_tree(in_host_memory, seed, "cuda");
  return chooser == "gconn_default" ? gconn_default(in_host_memory, "cuda") : on_gpu(in_host_memory);
}

choice on_gpu(std::uint64_t vertices, std::uint64_t arcs) { return for_rows(vertices, arcs, true, true); }

choice on_gpu(graph_view view) {
  return std::visit(
      [](const auto& g) -> choice {
        if constexpr (requires { g.offsets; }) {
          return for_rows(g.vertices(), g.arcs(), g.symmetric == symmetry::yes, g.sorted);
        } else {
          return {unsampled_variant,
                  fmt::format("GPU, edge list, {} vertices, {} edges: unite all edges as they stand", g.vertices(), g.edges.size())};
        }
      },
      view);
}

namespace {

const table_entry& gpu_variant_named(const std::string& name, input_kind input, problem_kind problem) {
  if (is_hybrid(name))
    throw usage_error{name + " also needs the rows of the CPU's share in host memory; use the call that takes them, or a variant of cuda"};
  const table_entry* named = find_entry(name, input, problem);
  if (named == nullptr) throw usage_error{*refusal(name, input, problem)};
  if (named->info.backend != cuda_name) refuse_cpu_variant(named->info.name);
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
  if (is_chooser(name)) chosen = on_gpu(name, in_host_memory, solve_options{}.seed);
  const input_kind input = narrow_input(in_host_memory);
  return {&gpu_variant_named(chosen.variant, input, problem), std::move(chosen.explanation)};
}

chosen_gpu_variant gpu_variant_for(graph_view view, const std::string& name, problem_kind problem, const chosen_gpu_variant& tree) {
  choice chosen{name, {}};
  if (name == tree_name) {
    if (tree.chosen == nullptr)
      throw usage_error{"the variant " + name +
                        " must be named in gpu_graph_options when the graph is copied to the GPU; or use a variant of cuda"};
    chosen = {tree.chosen->info.name, tree.explanation};
  } else if (is_chooser(name)) {
    chosen = name == "auto" ? on_gpu(view) : gconn_default(view, cuda_name);
  }
  const input_kind input = narrow_input(view);
  return {&gpu_variant_named(chosen.variant, input, problem), std::move(chosen.explanation)};
}

const table_entry& gpu_variant_ahead(std::uint64_t vertices, std::uint64_t arcs, const std::string& name, problem_kind problem) {
  if (name == tree_name) throw usage_error{"the variant " + name + " needs a graph in host memory, because it looks at the rows"};
  const auto picked = [&] {
    if (!is_chooser(name)) return name;
    if (name == "auto") return on_gpu(vertices, arcs).variant;
    return gconn_default(graph_view{csr_view<std::uint32_t, std::uint32_t>{}}, cuda_name).variant;  // its choice is the same for all rows
  };
  return gpu_variant_named(picked(), input_kind::csr, problem);
}

namespace {

bool waits_for_gpu(const table_entry& entry) {
  const finish_entry& finish = finish_at(entry.finish);
  return !finish.traits.fast_path && (entry.info.sampler != "none" || !finish.unites);
}

}  // namespace

void expect_no_waits(const table_entry& entry) {
  if (!waits_for_gpu(entry)) return;
  throw usage_error{entry.info.name +
                    " cannot be enqueued, because it waits for the GPU between its steps; use auto, cuda.hb.fast, "
                    "cuda.none.fast or a union-find rule without a sampler"};
}

}  // namespace copse::variant
