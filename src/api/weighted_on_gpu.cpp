// weighted_forest() of a gpu_graph, and the copy of its weights to the memory of the GPU.
#include <api/device_views.hpp>
#include <api/gpu_parts.hpp>
#include <copse/errors.hpp>
#include <gpu/runtime/staged_copy.hpp>
#include <weighted/variants.hpp>

#include <string>
#include <utility>
#include <variant>

namespace copse {
namespace {

using id = std::uint32_t;

const weighted::weighted_entry& entry_named(const std::string& variant) {
  const weighted::weighted_entry& entry = weighted::entry_named(variant == "auto" ? "cuda.filter_boruvka" : variant);
  if (entry.where == weighted::weighted_backend::cuda) return entry;
  throw usage_error{"weighted forests of a graph on a GPU need auto or a variant of cuda, not " + variant};
}

void expect_form(const std::string& variant, const device::solver::graph& g) {
  std::string found;
  if (!g.is_rows) {
    found = "a list of edges";
  } else if (!g.rows.symmetric || !g.rows.sorted) {
    found = "rows that are not known to be symmetric and sorted";
  } else if (g.rows.arcs >= no_vertex<id>) {
    found = std::to_string(g.rows.arcs) + " arcs";
  } else {
    return;
  }
  throw usage_error{variant + " needs symmetric rows with sorted targets, 32-bit ids and fewer than 2^32 - 1 arcs, not " + found};
}

void expect_weights(std::uint64_t found, std::uint64_t arcs) {
  if (found == arcs) return;
  throw usage_error{"weights must have one element per arc, " + std::to_string(arcs) + ", not " + std::to_string(found)};
}

}  // namespace

device::forest_finder& gpu_session::finder_for(const std::string& variant) {
  const weighted::algorithm method = entry_named(variant).method;
  if (!finder_ || method != method_) {
    finder_.reset();
    finder_.emplace(*solver_, method);
    method_ = method;
  }
  return *finder_;
}

gpu_graph gpu_graph::copy_of(graph_view in_host_memory, weights_view weights, const gpu_graph_options& options, const execution& on) {
  expect_weights(std::visit([](const auto& column) { return column.size(); }, weights),
                 device::sizes_of(device::gpu_arcs_of(in_host_memory)).arcs);
  gpu_graph made = copy_of(in_host_memory, options, on);
  parts& held = *made.parts_;
  const auto here = held.on->enter();
  device::solver& solver = held.on->solver();
  std::visit(
      [&]<class Weight>(std::span<const Weight> column) {
        held.weight_bytes = buffer<std::byte>{column.size_bytes(), &solver.memory()};
        backend::copy_in(solver.on(), held.weight_bytes.data(), column.data(), column.size_bytes(), "copying weights",
                         {.threads = on.threads});
        held.weights = std::span{reinterpret_cast<const Weight*>(held.weight_bytes.data()), column.size()};
      },
      weights);
  return made;
}

gpu_graph gpu_graph::borrow(device_graph_view g, const device_weights_view& weights, const gpu_graph_options& options,
                            const execution& on) {
  gpu_graph made = borrow(g, options, on);
  parts& held = *made.parts_;
  std::visit(
      [&]<class Weight>(device_span<const Weight> column) {
        expect_weights(column.size(), device::sizes_of(held.arcs).arcs);
        api::expect_array("weights", column);
        held.on->solver().expect_in_reach(column.data(), "weights");
        held.weights = api::span_of(column);
      },
      weights);
  return made;
}

void gpu_access::forest_parts::find_edges() {
  if (!searched) return;
  const auto here = on->enter();
  edges = on->last_finder().ends(*searched);
  searched.reset();
  on->before_next_search = nullptr;
}

gpu_spanning_forest weighted_forest(const gpu_graph& g, const weighted_forest_options& options, const execution& on) {
  const auto& held = gpu_access::of(g);
  const std::string chosen{entry_named(options.variant).described.name};
  if (!held.weights) throw usage_error{chosen + " needs a graph that was made with weights"};
  auto found = std::make_unique<gpu_access::forest_parts>(held.on, held.arcs.vertices, false);
  const auto here = held.on->enter();
  device::solver::graph rows = held.arcs;
  if (!held.trusted) held.on->solver().check(rows);
  expect_form(chosen, rows);
  if (const auto save_last = held.on->before_next_search) save_last();
  device::forest_finder& finder = held.on->finder_for(options.variant);
  phase_times times;
  const auto searched = finder.find(rows, *held.weights, options.goal, on.observer, held.on->times_phases() ? &times : nullptr);
  found->arcs = finder.arcs();
  found->searched = rows;
  held.on->before_next_search = [last = found.get()] { last->find_edges(); };
  found->report = held.on->report_of(chosen, {});
  found->report.edges = rows.rows.arcs;
  found->report.solve_seconds = searched.seconds;
  found->report.launches = searched.launches;
  found->report.phases = times.all();
  return gpu_access::owner_of(std::move(found));
}

}  // namespace copse
