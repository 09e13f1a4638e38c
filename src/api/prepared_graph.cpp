// prepared_graph, and components() and spanning_forest() of files: the one place that decides where a source is solved.
#include <api/through_gpus.hpp>
#include <copse/build.hpp>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/generate.hpp>
#include <copse/prepared_graph.hpp>
#include <core/devices.hpp>
#include <core/hide.hpp>
#include <core/memory_error.hpp>
#include <device/gpus.hpp>
#include <drivers/streaming/streaming_sink.hpp>
#include <plan/auto_device.hpp>
#include <plan/files.hpp>
#include <plan/room.hpp>
#include <plan/streamed.hpp>
#include <variants/cuda.hpp>

#include <algorithm>
#include <chrono>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace copse {
namespace {

using clock = std::chrono::steady_clock;

/// Adds to `total` the seconds from its construction to its destruction.
class seconds_into {
public:
  explicit seconds_into(double& total) : total_{total} {}
  ~seconds_into() { total_ += std::chrono::duration<double>(clock::now() - start_).count(); }
  seconds_into(const seconds_into&) = delete;
  seconds_into& operator=(const seconds_into&) = delete;

private:
  double& total_;
  clock::time_point start_ = clock::now();
};

/// Returns the variant of that name over rows or over edge lists; null for a chooser, such as auto.
const variant_info* info_of(const std::string& variant, problem_kind problem) {
  const variant_info* over_rows = find_variant(variant, input_kind::csr, problem);
  return over_rows != nullptr ? over_rows : find_variant(variant, input_kind::coo, problem);
}

bool takes_lists(const std::string& variant, problem_kind problem) {
  return is_chooser(variant) || find_variant(variant, input_kind::coo, problem) != nullptr;
}

bool stores_both_directions(const graph& g) {
  return std::visit(
      [](const auto& view) {
        if constexpr (requires { view.symmetric; }) {
          return view.symmetric == symmetry::yes;
        } else {
          return false;
        }
      },
      g.view());
}

/// Parses the files with `threads` threads into a sink that unites their edges, and returns the result of take(), which takes the answer
/// from the sink. `held`: the end of the report's explanation, which says which edges are kept in memory.
template <class Take>
auto stream(streaming::streaming_sink& sink, unsigned threads, std::span<const std::filesystem::path> paths, const io::read_options& input,
            const solve_request& options, std::string_view held, Take take) {
  const auto start = clock::now();
  execution reading = options.on();
  reading.threads = threads;
  io::parse(paths, input, sink, reading);
  auto result = take();
  result.report.variant = sink.shared() ? streaming::shared_variant : streaming::serial_variant;
  if (options.variant == "auto") {
    result.report.explanation = "the edges pass by once: united while parsed (" + std::to_string(sink.workers()) +
                                (sink.shared() ? " workers" : " worker") + "), " + std::string{held};
  }
  result.report.threads = sink.workers();
  result.report.edges = sink.edge_count();
  result.report.solve_seconds = std::chrono::duration<double>(clock::now() - start).count();
  return result;
}

// The places where a prepared graph may be held or streamed from: the alternatives of prepared_graph::state::where.

struct streamed_on_cpu {
  unsigned threads;
};
/// The edges are streamed through GPUs: from host memory if the graph is stored there, otherwise from the files. `why`: that there are
/// several GPUs, or what did not fit one.
struct streamed_through_gpus {
  std::string why;
};
struct on_cpu {};  ///< solved on the CPU, or on the CPU and a GPU together

}  // namespace

struct prepared_graph::state {
  state(std::span<const std::filesystem::path> files, const io::read_options& how, std::string_view generated, const prepare_options& asked,
        const execution& execution)
      : paths{files.begin(), files.end()}, input{how}, spec{generated}, options{asked}, on{execution} {}

  std::vector<std::filesystem::path> paths;
  io::read_options input;
  std::string spec;  ///< the spec of a generated graph, which has no paths
  prepare_options options;
  execution on;
  std::string reason;  ///< why the device auto chose the device it did; empty if the caller named one
  std::variant<on_cpu, streamed_on_cpu, streamed_through_gpus, gpu_graph> where;
  std::optional<graph> held;
  double read_seconds = 0, build_seconds = 0, copy_seconds = 0;
  size counted;

  [[nodiscard]] solve_request request() const { return {options, on}; }

  void prepare();
  void choose_device();
  void prepare_on_gpu();
  std::optional<gpu_graph> read_to_gpu();
  gpu_graph copy_to_gpu();
  [[nodiscard]] gpu_graph_options on_gpu() const {
    return {.variant = options.variant, .problem = options.problem, .short_fetches = options.short_fetches};
  }
  void hold();
  void build_rows(bool drop);
  template <class Result>
  Result with_report(Result result);
  components_result components();
  components_result components_through_gpus(const std::string& why);
  forest_result spanning_forest();
  forest_result forest_through_gpus(const std::string& why);
  [[nodiscard]] std::string why_streamed(const std::string& why, std::string_view done) const {
    return api::streaming_explanation(why, device::gpus_of(on).size(), done);
  }
  /// Calls f(). To the text of its errors about memory it adds the other ways that the plan knows for these files.
  template <class F>
  auto naming_ways(F f);
};

template <class F>
auto prepared_graph::state::naming_ways(F f) {
  if (paths.empty()) return f();
  try {
    return f();
  } catch (const memory_error& problem) {
    throw plan::with_ways(problem, paths, input, on);
  } catch (const std::bad_alloc&) {
    throw resource_error{"out of memory while " +
                         (paths.size() == 1 ? paths.front().string() + " was read" : std::to_string(paths.size()) + " files were read")};
  }
}

void prepared_graph::state::hold() {
  if (held) return;
  if (paths.size() > 1)
    throw usage_error{"device " + on.device + " needs the graph in memory, where several files cannot be held as one: give one file"};
  const seconds_into reading{read_seconds};
  held = paths.empty() ? gen::generate_edges(spec, on) : io::read_graph(paths.front(), input, on);
}

void prepared_graph::state::build_rows(bool drop) {
  const seconds_into building{build_seconds};
  held = build_csr(*held, {.drop_duplicates = drop, .drop_loops = drop}, on);
}

void prepared_graph::state::choose_device() {
  if (!devices_of(on).by_cost) return;
  on.device = "cpu";
  if (options.variant != "auto" || options.count) return;
  if (paths.empty()) hold();
  const device_choice choice =
      paths.empty() ? device_for(size_of_graph(held->view()), on, options.explain) : device_for(paths, input, on, options.explain);
  on.device = choice.device;
  reason = choice.reason;
}

void prepared_graph::state::prepare() {
  if (const auto why = refusal(options.variant, options.problem)) throw usage_error{*why};
  if (options.problem == problem_kind::forest) api::expect_forest_possible(request());
  choose_device();
  named_devices named = devices_of(on);
  if (named.all_gpus) {
    const seconds_into initialising{copy_seconds};
    named.gpus = device::gpus_of(on);
    named.all_gpus = false;
    if (!named.several()) on.device = "cuda:" + std::to_string(named.gpus.front());
  }
  const bool hybrid = named.hybrid || is_hybrid(options.variant);
  const variant_info* info = info_of(options.variant, options.problem);
  const bool on_gpus = !hybrid && (!named.gpus.empty() || (info != nullptr && info->backend == "cuda"));
  if (on_gpus && info != nullptr && info->backend != "cuda") variant::refuse_cpu_variant(info->name);
  if (on_gpus && (named.several() || paths.size() > 1)) {
    api::expect_streamed_variant(request());
    if (paths.empty() || options.hold || plan::is_read_once(paths)) hold();
    where = streamed_through_gpus{named.several() ? "several GPUs" : "several files"};
  } else if (on_gpus) {
    prepare_on_gpu();
  } else if (const auto threads =
                 paths.empty() || hybrid || options.hold ? std::nullopt : plan::streaming_threads(paths, input, request())) {
    where = streamed_on_cpu{*threads};
  } else {
    if (!paths.empty() && !held) plan::expect_room(paths, input, on);
    hold();
    if (!held->has_rows() && (hybrid || !takes_lists(options.variant, options.problem))) build_rows(true);
  }
}

void prepared_graph::state::prepare_on_gpu() {
  if (!paths.empty() && !options.hold && plan::is_streamed_to_gpu(paths.front(), input, request())) {
    where = streamed_through_gpus{"a list of edges"};
    return;
  }
  {
    const seconds_into initialising{copy_seconds};
    static_cast<void>(gpu_graph::copy_of(coo_view<std::uint32_t>{}, {}, without_stream(on)));  // initialises CUDA, and throws if that fails
  }
  try {
    auto there = read_to_gpu();
    where = there ? std::move(*there) : copy_to_gpu();
  } catch (const resource_error& no_room) {
    if (options.variant != "auto") throw;
    if (paths.empty()) hold();
    where = streamed_through_gpus{no_room.what()};
  }
}

/// Reads the file, or generates the spec, directly into the memory of the GPU. Returns nothing if that is not possible, or if the variant
/// cannot run on the result.
std::optional<gpu_graph> prepared_graph::state::read_to_gpu() {
  const std::string& variant = options.variant;
  if (held || options.hold || variant == "gconn_tree") return std::nullopt;  // the variant gconn_tree reads rows in host memory
  const variant_info* info = info_of(variant, options.problem);
  const bool over_rows = is_chooser(variant) || info->input == input_kind::csr;
  if (paths.empty() ? !over_rows : plan::is_read_once(paths) || !gpu_graph::reads(paths.front(), input)) return std::nullopt;
  const seconds_into reading{read_seconds};
  const execution there = without_stream(on);
  auto rows = paths.empty() ? gpu_graph::generate(spec, on_gpu(), there) : gpu_graph::read(paths.front(), input, on_gpu(), there);
  if (info != nullptr && info->both_directions && !rows.both_directions()) return std::nullopt;
  counted = {rows.edges(), rows.arcs()};
  return rows;
}

gpu_graph prepared_graph::state::copy_to_gpu() {
  hold();
  const variant_info* info = info_of(options.variant, options.problem);
  if (!held->has_rows()) {
    if (!takes_lists(options.variant, options.problem)) build_rows(true);
  } else if (info != nullptr && info->both_directions && !stores_both_directions(*held)) {
    build_rows(false);
  }
  const seconds_into copying{copy_seconds};
  return gpu_graph::copy_of(held->view(), on_gpu(), without_stream(on));
}

/// Adds the times of preparing the graph to the report. Input that is parsed again is not counted again.
template <class Result>
Result prepared_graph::state::with_report(Result result) {
  input.counts = nullptr;
  solve_report& report = result.report;
  report.read_seconds += read_seconds;
  report.build_seconds += build_seconds;
  report.copy_seconds += copy_seconds;
  if (!reason.empty()) report.explanation = plan::with_reason(reason, report.explanation);
  return result;
}

components_result prepared_graph::state::components_through_gpus(const std::string& why) {
  components_result result;
  if (held) {
    result = api::components_through_gpus(held->view(), held->names(), {{}, on});
  } else {
    auto found = api::components_of_files_through_gpus(paths, input, {{}, on});
    counted = {found.report.edges, found.arcs};
    result = std::move(found);
  }
  result.report.explanation = why_streamed(why, api::united_as_they_come);
  return result;
}

components_result prepared_graph::state::components() {
  if (const auto* streamed = std::get_if<streamed_on_cpu>(&where)) {
    streaming::streaming_sink sink{streamed->threads, on.memory};
    auto result = stream(sink, streamed->threads, paths, input, request(), "none held", [&] {
      components_result all;
      all.labels = sink.take_labelling();
      return all;
    });
    counted = {result.report.edges, result.report.edges};
    return result;
  }
  if (const auto* streamed = std::get_if<streamed_through_gpus>(&where)) return components_through_gpus(streamed->why);
  if (const auto* resident = std::get_if<gpu_graph>(&where)) {
    const gpu_labels labels = copse::components(*resident, options, on);
    components_result result;
    result.report = labels.report();
    const seconds_into copying{result.report.copy_seconds};
    result.labels = labels.copy_out(held ? held->names() : vertex_names::identity(resident->vertices()), on.memory);
    return result;
  }
  return copse::components(*held, options, on);
}

forest_result prepared_graph::state::forest_through_gpus(const std::string& why) {
  forest_result result;
  if (held) {
    result = api::spanning_forest_through_gpus(held->view(), held->names(), {{}, on}, options.with_labels);
  } else {
    auto found = api::components_of_files_through_gpus(paths, input, {{.keep_forest = true}, on});
    counted = {found.report.edges, found.arcs};
    result.report = std::move(found.report);
    result.edges = std::move(found.forest);
    if (options.with_labels) result.labels = std::move(found.labels);
  }
  result.report.explanation = why_streamed(why, api::joining_edges_kept);
  return result;
}

forest_result prepared_graph::state::spanning_forest() {
  if (const auto* streamed = std::get_if<streamed_on_cpu>(&where)) {
    streaming::streaming_sink sink{streamed->threads, on.memory, true};
    auto result = stream(sink, streamed->threads, paths, input, request(), api::joining_edges_kept, [&] {
      auto [edges, labels] = sink.take_forest();
      forest_result found;
      found.edges = std::move(edges);
      if (options.with_labels) found.labels = std::move(labels);
      return found;
    });
    counted = {result.report.edges, result.report.edges};
    return result;
  }
  if (const auto* streamed = std::get_if<streamed_through_gpus>(&where)) return forest_through_gpus(streamed->why);
  if (const auto* resident = std::get_if<gpu_graph>(&where)) {
    const gpu_spanning_forest forest = copse::spanning_forest(*resident, options, on);
    double copying_seconds = 0;
    forest_result result;
    {
      const seconds_into copying{copying_seconds};
      result = forest.copy_out(held ? held->names() : vertex_names::identity(resident->vertices()), on.memory);
    }
    result.report.copy_seconds += copying_seconds;
    return result;
  }
  return copse::spanning_forest(*held, options, on);
}

prepared_graph::prepared_graph(std::span<const std::filesystem::path> paths, const io::read_options& input, const prepare_options& options,
                               const execution& on)
    : state_{hide(std::make_unique<state>(paths, input, std::string_view{}, options, on))} {
  if (paths.empty()) throw usage_error{"graph: at least one file is required"};
  state_->naming_ways([&] { state_->prepare(); });
}

prepared_graph::prepared_graph(std::string_view spec, const prepare_options& options, const execution& on)
    : state_{hide(std::make_unique<state>(std::span<const std::filesystem::path>{}, io::read_options{}, spec, options, on))} {
  state_->prepare();
}

bool prepared_graph::is_streamed() const noexcept {
  return !state_->held &&
         (std::holds_alternative<streamed_on_cpu>(state_->where) || std::holds_alternative<streamed_through_gpus>(state_->where));
}

const graph* prepared_graph::held() const noexcept { return state_->held ? &*state_->held : nullptr; }

prepared_graph::size prepared_graph::edge_count() const {
  if (!state_->held) return state_->counted;
  const edge_counts counted = count_edges(state_->held->view(), state_->on);
  return {counted.edges, counted.arcs};
}

components_result prepared_graph::components() {
  return state_->naming_ways([&] { return state_->with_report(state_->components()); });
}

forest_result prepared_graph::spanning_forest() {
  return state_->naming_ways([&] { return state_->with_report(state_->spanning_forest()); });
}

verdict prepared_graph::verify(const labelling& labels) {
  if (const auto* resident = std::get_if<gpu_graph>(&state_->where)) return copse::verify(*resident, labels);
  if (state_->held) return copse::verify(state_->held->view(), labels);
  return copse::verify(state_->paths, state_->input, labels, state_->on);
}

components_result components(std::span<const std::filesystem::path> paths, const io::read_options& input, const solve_options& options,
                             const execution& on) {
  return prepared_graph{paths, input, {options}, on}.components();
}

components_result components(const std::filesystem::path& path, const io::read_options& input, const solve_options& options,
                             const execution& on) {
  return components(std::span{&path, 1}, input, options, on);
}

forest_result spanning_forest(std::span<const std::filesystem::path> paths, const io::read_options& input, const solve_options& options,
                              const execution& on) {
  return prepared_graph{paths, input, {options, problem_kind::forest}, on}.spanning_forest();
}

forest_result spanning_forest(const std::filesystem::path& path, const io::read_options& input, const solve_options& options,
                              const execution& on) {
  return spanning_forest(std::span{&path, 1}, input, options, on);
}

}  // namespace copse
