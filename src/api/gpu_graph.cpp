// gpu_graph: how graphs come into the memory of a GPU.
#include <api/device_views.hpp>
#include <api/gpu_benchmark.hpp>
#include <api/gpu_parts.hpp>
#include <copse/errors.hpp>
#include <core/devices.hpp>
#include <gpu/runtime/gpu.hpp>

#include <utility>
#include <variant>

namespace copse {

gpu_session::gpu_session(const gpu_graph_options& options, const execution& on, const gpu_techniques& techniques)
    : on_callers_stream_{on.stream.has_value()}, times_phases_{options.time_phases} {
  const device::on_device callers;
  solver_.emplace(device::solver::settings{.device = gpu_of_hybrid(on).value_or(0),
                                           .stream = on.stream,
                                           .memory_limit_bytes = on.gpu_memory,
                                           .techniques = techniques,
                                           .copies = {.threads = on.threads},
                                           .time_phases = options.time_phases});
}

gpu_session::~gpu_session() {
  const device::on_device callers;
  finder_.reset();
  solver_.reset();
}

device::solver::graph gpu_session::reachable(const graph_view& shape) const {
  const auto arcs = device::gpu_arcs_of(shape);
  solver_->expect_in_reach(arcs);
  return arcs;
}

void gpu_session::expect_callers_stream(const std::string& call) const {
  if (!on_callers_stream_) throw usage_error{call + " needs a graph made with execution::stream"};
}

solve_report gpu_session::report_of(std::string variant, std::string explanation) const {
  solve_report report;
  report.variant = std::move(variant);
  report.explanation = std::move(explanation);
  report.device = std::string{variant::cuda_name}.append(":").append(std::to_string(solver_->device()));
  return report;
}

namespace {

using made_parts = std::unique_ptr<gpu_access::graph_parts>;

std::shared_ptr<gpu_session> new_session(const gpu_graph_options& options, const execution& on, const gpu_techniques& techniques = {}) {
  return std::make_shared<gpu_session>(options, on, techniques);
}

/// Reserves the memory of a search for a weighted forest.
void reserve(const gpu_access::graph_parts& made, const device::graph_sizes& sizes, const gpu_graph_options& options) {
  made.on->finder_for(options.variant).reserve(static_cast<std::uint32_t>(sizes.vertices), sizes.arcs);
}

/// Returns a function that chooses the variant when only the sizes of the rows are known, before they are read or generated.
device::solver::variant_ahead variant_ahead(const gpu_graph_options& options) {
  return [&options](const device::graph_sizes& rows) -> const variant_info& {
    return variant::gpu_variant_ahead(rows.vertices, rows.arcs, options.variant, options.problem).info;
  };
}

/// Completes a graph: sets how many bytes a read of a row fetches from memory.
/// Precondition: `made` has its copy of the graph.
gpu_graph completed(made_parts made, const gpu_graph_options& options) {
  constexpr std::uint64_t long_rows = 16;  // rows of this many arcs (64 bytes) on average are long: variants mostly read only the beginning
  device::solver& solver = made->on->solver();
  made->arcs = made->copy->view();
  const auto& arcs = made->arcs;
  if (options.short_fetches) solver.fetch_at_once(arcs.is_rows && arcs.rows.arcs >= long_rows * arcs.vertices);
  return gpu_access::owner_of(std::move(made));
}

gpu_graph copied(graph_view host, const gpu_graph_options& options, const execution& on, const gpu_techniques& techniques) {
  const bool weighted = options.problem == problem_kind::weighted_forest;
  const auto chosen = weighted ? variant::chosen_gpu_variant{} : variant::gpu_variant_for_host(host, options.variant, options.problem);
  auto made = std::make_unique<gpu_access::graph_parts>(new_session(options, on, techniques));
  const auto here = made->on->enter();
  const auto arcs = device::gpu_arcs_of(host);
  device::solver& solver = made->on->solver();
  if (weighted) {
    reserve(*made, device::sizes_of(arcs), options);
  } else {
    solver.expect_room(chosen.chosen->info, device::sizes_of(arcs));
  }
  made->shape = host;
  if (options.variant == variant::tree_name) made->tree = chosen;
  made->copy = solver.copy_in(arcs);
  return completed(std::move(made), options);
}

/// Makes a graph of the rows that load(solver) returns.
template <class Load>
gpu_graph loaded(const gpu_graph_options& options, const execution& on, Load load) {
  if (options.problem == problem_kind::weighted_forest)
    throw usage_error{"gpu_graph: read() and generate() bring no weights; for weighted forests use copy_of() or borrow() with weights"};
  auto made = std::make_unique<gpu_access::graph_parts>(new_session(options, on));
  const auto here = made->on->enter();
  device::solver::read_rows rows = load(made->on->solver());
  if (rows.wide.offsets.empty()) {
    made->shape = rows.narrow;
  } else {
    made->shape = rows.wide;
  }
  made->copy = std::move(rows.rows);
  made->loops = rows.loops;
  return completed(std::move(made), options);
}

void expect_readable(const std::filesystem::path& path, const io::read_options& input) {
  if (gpu_graph::reads(path, input)) return;
  if (input.min_weight) {
    throw usage_error{path.string() +
                      ": a least weight (the option min-weight) is not supported for a file that is read into the memory "
                      "of a GPU; read the file in host memory, and copy the graph"};
  }
  throw usage_error{path.string() + ": found " + std::string{io::to_string(input.format ? *input.format : io::format_of(path))} +
                    ", expected egr or sg; read a file of another format in host memory, and copy the graph"};
}

}  // namespace

gpu_graph gpu_graph::copy_of(graph_view in_host_memory, const gpu_graph_options& options, const execution& on) {
  return copied(in_host_memory, options, on, {});
}

gpu_graph gpu_graph::borrow(device_graph_view g, const gpu_graph_options& options, const execution& on) {
  const graph_view shape = api::shape_of(g);
  auto made = std::make_unique<parts>(new_session(options, on));
  made->shape = shape;
  made->arcs = made->on->reachable(shape);
  made->trusted = std::visit([](const auto& view) { return view.trusted; }, g);
  if (options.problem == problem_kind::weighted_forest) {
    const auto here = made->on->enter();
    reserve(*made, device::sizes_of(made->arcs), options);
  }
  return gpu_access::owner_of(std::move(made));
}

gpu_graph gpu_graph::read(const std::filesystem::path& path, const io::read_options& input, const gpu_graph_options& options,
                          const execution& on) {
  expect_readable(path, input);
  return loaded(options, on, [&](device::solver& solver) { return solver.read(path, {input, on}, variant_ahead(options)); });
}

gpu_graph gpu_graph::generate(std::string_view spec, const gpu_graph_options& options, const execution& on) {
  return loaded(options, on, [&](device::solver& solver) { return solver.generate(spec, variant_ahead(options)); });
}

std::uint32_t gpu_graph::vertices() const noexcept { return parts_->arcs.vertices; }
std::uint64_t gpu_graph::arcs() const noexcept { return device::sizes_of(parts_->arcs).arcs; }
bool gpu_graph::both_directions() const noexcept { return parts_->arcs.is_rows && parts_->arcs.rows.symmetric; }

std::uint64_t gpu_graph::edges() const {
  if (!both_directions()) return arcs();
  if (!parts_->loops) {
    const auto here = parts_->on->enter();
    parts_->loops = parts_->on->solver().count_loops(parts_->arcs);
  }
  return (arcs() - *parts_->loops) / 2 + *parts_->loops;
}

gpu_graph gpu_benchmark::copy_of(graph_view in_host_memory, const gpu_graph_options& options, const execution& on,
                                 const gpu_techniques& techniques) {
  return copied(in_host_memory, options, on, techniques);
}

gpu_graph gpu_benchmark::generate_unsorted(std::string_view spec, std::uint64_t seed, const gpu_graph_options& options,
                                           const execution& on) {
  return loaded(options, on, [&](device::solver& solver) { return solver.generate(spec, variant_ahead(options), seed); });
}

gpu_graph gpu_benchmark::view_of(const gpu_graph& g, const gpu_graph_options& options, const gpu_techniques& techniques) {
  const auto& arrays = gpu_access::of(g);
  execution there;
  there.device = "cuda:" + std::to_string(arrays.on->solver().device());
  auto made = std::make_unique<gpu_access::graph_parts>(new_session(options, there, techniques));
  made->shape = arrays.shape;
  made->arcs = arrays.arcs;
  made->tree = arrays.tree;
  made->loops = arrays.loops;
  return gpu_access::owner_of(std::move(made));
}

gpu_benchmark::memory_rates gpu_benchmark::measure_memory(const gpu_graph& g, std::uint32_t words) {
  auto& on = *gpu_access::of(g).on;
  const auto here = on.enter();
  return on.solver().measure_memory(words);
}

}  // namespace copse
