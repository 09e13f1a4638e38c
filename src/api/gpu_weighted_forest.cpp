// gpu_weighted_forest: the caller's arrays, checked, and what a finder finds in them.
#include <api/device_views.hpp>
#include <copse/cuda_weighted_forest.hpp>
#include <copse/errors.hpp>
#include <core/devices.hpp>
#include <core/request.hpp>
#include <device/solver.hpp>
#include <device/weighted_forest.hpp>
#include <gpu/runtime/staged_copy.hpp>
#include <gpu/settings.hpp>
#include <weighted/variants.hpp>

#include <string>
#include <utility>

namespace copse {
namespace {

using id = std::uint32_t;

[[noreturn]] void refuse_form(const std::string& variant, const std::string& found) {
  throw usage_error{variant + " needs symmetric rows with sorted targets, 32-bit ids and fewer than 2^32 - 1 arcs, not " + found};
}

weighted::algorithm algorithm_of(const std::string& variant) {
  const weighted::weighted_entry& entry = weighted::entry_named(variant);
  if (entry.where == weighted::weighted_backend::cuda) return entry.method;
  throw usage_error{"variant must begin with cuda here, not " + variant};
}

void expect_form(const std::string& variant, const device::solver::graph& g) {
  if (!g.is_rows) refuse_form(variant, "a list of edges");
  if (!g.rows.symmetric || !g.rows.sorted) refuse_form(variant, "rows that are not known to be symmetric and sorted");
  if (g.rows.arcs >= no_vertex<id>) refuse_form(variant, std::to_string(g.rows.arcs) + " arcs");
}

void expect_weights(std::uint64_t found, std::uint64_t arcs) {
  if (found == arcs) return;
  throw usage_error{"weights must have one element per arc, " + std::to_string(arcs) + ", not " + std::to_string(found)};
}

template <class T>
device_span<const T> device_span_of(std::span<const T> array) {
  return {array.data(), array.size()};
}

}  // namespace

struct gpu_weighted_forest::state {
  explicit state(const request<gpu_weighted_forest_options>& how)
      : solver{{.device = gpu_of(how).value_or(0),
                .stream = how.stream,
                .memory_limit_bytes = how.gpu_memory,
                .copies = {.threads = how.threads}}},
        finder{solver, algorithm_of(how.variant)},
        variant{how.variant},
        copies{.threads = how.threads},
        time_phases{how.time_phases} {}

  device::solver solver;
  device::forest_finder finder;
  std::string variant;
  backend::copy_settings copies;
  bool time_phases;
  device::solver::graph rows = {};  ///< the rows of the last find
  buffer<edge<id>> edges = {};
  gpu_weighted_forest::found found = {};
};

struct gpu_weighted_forest::resident::parts {
  device::solver::device_graph rows;
  buffer<std::byte> weights;
  device_graph_view graph_view;
  device_weights_view weights_view;
};
gpu_weighted_forest::resident::resident(std::unique_ptr<parts> owned) : parts_{std::move(owned)} {}
gpu_weighted_forest::resident::resident(resident&&) noexcept = default;
gpu_weighted_forest::resident& gpu_weighted_forest::resident::operator=(resident&&) noexcept = default;
gpu_weighted_forest::resident::~resident() = default;
const device_graph_view& gpu_weighted_forest::resident::graph() const noexcept { return parts_->graph_view; }
const device_weights_view& gpu_weighted_forest::resident::weights() const noexcept { return parts_->weights_view; }

gpu_weighted_forest::gpu_weighted_forest(const gpu_weighted_forest_options& options, const execution& on)
    : state_{new state{{options, on}}} {}
gpu_weighted_forest::gpu_weighted_forest(gpu_weighted_forest&&) noexcept = default;
gpu_weighted_forest& gpu_weighted_forest::operator=(gpu_weighted_forest&&) noexcept = default;
gpu_weighted_forest::~gpu_weighted_forest() = default;

void gpu_weighted_forest::reserve(id vertices, std::uint64_t arcs) { state_->finder.reserve(vertices, arcs); }

const gpu_weighted_forest::found& gpu_weighted_forest::find(const device_graph_view& g, const device_weights_view& weights,
                                                            forest_goal goal, observer* watcher) {
  state& s = *state_;
  s.found = {};
  s.edges = {};
  s.rows = device::gpu_arcs_of(api::shape_of(g));
  s.solver.expect_in_reach(s.rows);
  if (!std::visit([](const auto& view) { return view.trusted; }, g)) s.solver.check(s.rows);
  expect_form(s.variant, s.rows);
  const weights_view column = std::visit(
      [&]<class Weight>(device_span<const Weight> on_device) -> weights_view {
        expect_weights(on_device.size(), s.rows.rows.arcs);
        api::expect_array("weights", on_device);
        s.solver.expect_in_reach(on_device.data(), "weights");
        return api::span_of(on_device);
      },
      weights);
  phase_times times;
  const auto searched = s.finder.find(s.rows, column, goal, watcher, s.time_phases ? &times : nullptr);
  s.found = {device_span_of(searched.arcs), searched.seconds, searched.launches, times.all()};
  return s.found;
}

device_span<const edge<id>> gpu_weighted_forest::edges() {
  if (state_->edges.empty()) state_->edges = state_->finder.ends(state_->rows);
  return device_span_of(std::as_const(state_->edges).span());
}

buffer<id> gpu_weighted_forest::copy_out(std::pmr::memory_resource* memory) {
  const auto& arcs = state_->found.arcs;
  buffer<id> copy{arcs.size(), memory};
  backend::copy_out(state_->solver.on(), copy.data(), arcs.data(), arcs.size() * sizeof(id), "copying arcs", state_->copies);
  return copy;
}

gpu_weighted_forest::resident gpu_weighted_forest::copy_in(graph_view rows, weights_view weights) {
  auto held = std::make_unique<resident::parts>();
  const device::solver::graph host = device::gpu_arcs_of(rows);
  expect_form(state_->variant, host);
  held->rows = state_->solver.copy_in(host);
  const auto& copied = held->rows.view().rows;
  const auto view_of = [&]<class Offset>(Offset) {
    const auto* const offsets = static_cast<const Offset*>(copied.offsets.data());
    const std::size_t entries = offsets == nullptr ? 0 : std::size_t{copied.vertices()} + 1;
    held->graph_view = device_csr_view<Offset>{.offsets = {offsets, entries},
                                               .targets = {copied.targets, copied.arcs},
                                               .symmetric = symmetry::yes,
                                               .sorted = true,
                                               .trusted = true};
  };
  copied.offsets.width_bytes() == 8 ? view_of(std::uint64_t{}) : view_of(std::uint32_t{});
  std::visit(
      [&]<class Weight>(std::span<const Weight> column) {
        expect_weights(column.size(), copied.arcs);
        held->weights = buffer<std::byte>{column.size_bytes(), &state_->solver.memory()};
        backend::copy_in(state_->solver.on(), held->weights.data(), column.data(), column.size_bytes(), "copying weights", state_->copies);
        held->weights_view = device_span<const Weight>{reinterpret_cast<const Weight*>(held->weights.data()), column.size()};
      },
      weights);
  return resident{std::move(held)};
}

}  // namespace copse
