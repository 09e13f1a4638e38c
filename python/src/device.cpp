// Graphs in the memory of a GPU, given by addresses from other Python libraries; labels are written to an address of the caller.
#include <copse/cuda.hpp>
#include <copse/errors.hpp>

#include <cstdint>
#include <memory>
#include <utility>

#include "arrays.hpp"
#include "bindings.hpp"
#include "labels.hpp"

namespace copse::python {
namespace {

template <class T>
device_span<T> span_at(std::uintptr_t address, std::size_t size) {
  return {reinterpret_cast<T*>(address), size};  // NOLINT: an address in GPU memory from __cuda_array_interface__
}

cuda_stream stream_at(std::uintptr_t address) { return reinterpret_cast<cuda_stream>(address); }

device_graph_view rows_at(std::uintptr_t offsets, unsigned offset_bits, std::size_t vertices, std::uintptr_t targets, std::size_t arcs,
                          bool trusted, bool symmetric) {
  const auto rows = [&]<class Offset>(Offset) {
    device_csr_view<Offset> view;
    view.offsets = span_at<const Offset>(offsets, vertices + 1);
    view.targets = span_at<const std::uint32_t>(targets, arcs);
    view.trusted = trusted;
    if (symmetric) view.symmetric = symmetry::yes;
    return device_graph_view{view};
  };
  return offset_bits == 64 ? rows(std::uint64_t{}) : rows(std::uint32_t{});
}

device_graph_view pairs_at(std::uintptr_t edges, std::size_t count, std::uint64_t vertices, bool trusted) {
  if (vertices > std::numeric_limits<std::uint32_t>::max()) {
    refuse("vertices", "less than 2^32 on a GPU", std::to_string(vertices));
  }
  return device_edges_view{static_cast<std::uint32_t>(vertices), span_at<const edge<std::uint32_t>>(edges, count), trusted};
}

std::uint32_t vertices_of(const device_graph_view& g) {
  return std::visit([](const auto& view) { return view.vertices(); }, g);
}

/// Solves the graph. A trusted graph is solved asynchronously on the stream, without a report; any other is checked first, and the call
/// waits for the labels.
std::optional<call_report> solve_on_device(const device_graph_view& g, std::uintptr_t labels, std::uintptr_t stream,
                                           const call_options& from) {
  const nb::gil_scoped_release unlocked;
  const auto options = solve_options_of(from);
  const execution on{.stream = stream_at(stream)};
  const auto to = span_at<std::uint32_t>(labels, vertices_of(g));
  if (std::visit([](const auto& view) { return view.trusted; }, g)) {
    components_async(g, to, options, on);
    return std::nullopt;
  }
  return call_report{components(g, to, options, on), {}};
}

/// A prepared solve for graphs of one size, on the caller's stream.
class prepared {
public:
  prepared(std::uintptr_t stream, const device_graph_view& like, const call_options& from) : ready_{make(stream, like, from)} {}

  /// Returns the address of the labels, which are valid until the next call.
  std::uintptr_t solve(const device_graph_view& g) {
    const nb::gil_scoped_release unlocked;
    const gpu_labels& labels = ready_.components(g);
    report_ = {labels.report(), {}};
    return reinterpret_cast<std::uintptr_t>(labels.on_device().data());
  }
  [[nodiscard]] const call_report& report() const noexcept { return report_; }

private:
  static gpu_prepared_solve make(std::uintptr_t stream, const device_graph_view& like, const call_options& from) {
    const nb::gil_scoped_release unlocked;
    return gpu_prepared_solve{gpu_graph::borrow(like, {}, {.stream = stream_at(stream)}), solve_options_of(from)};
  }

  gpu_prepared_solve ready_;
  call_report report_;
};

}  // namespace

void bind_device(nb::module_& m) {
  nb::class_<device_graph_view>(m, "DeviceGraph")
      .def_static("of_rows", &rows_at)
      .def_static("of_pairs", &pairs_at)
      .def_prop_ro("vertices", &vertices_of);
  m.def("solve_on_device", &solve_on_device);
  nb::class_<prepared>(m, "PreparedSolve")
      .def(nb::init<std::uintptr_t, const device_graph_view&, const call_options&>())
      .def("solve", &prepared::solve)
      .def_prop_ro("report", &prepared::report);
}

}  // namespace copse::python
