#include <variants/choice.hpp>

#include <copse/errors.hpp>
#include <copse/incremental.hpp>
#include <core/devices.hpp>
#include <variants/choosers.hpp>
#include <variants/cuda.hpp>
#include <variants/gpu_choice.hpp>
#include <variants/validity.hpp>

#include <chrono>
#include <string>
#include <type_traits>
#include <utility>

namespace copse::variant {
namespace {

using clock = std::chrono::steady_clock;

double seconds_since(clock::time_point start) { return std::chrono::duration<double>(clock::now() - start).count(); }

input_kind input_of(graph_view view) {
  return std::visit([]<class View>(const View&) { return is_rows<View> ? input_kind::csr : input_kind::coo; }, view);
}

std::uint64_t edges_of(graph_view view) {
  return std::visit(
      [](const auto& g) {
        if constexpr (is_rows<std::remove_cvref_t<decltype(g)>>) {
          return std::uint64_t{g.arcs()};
        } else {
          return std::uint64_t{g.edges.size()};
        }
      },
      view);
}

choice chosen_by(const std::string& chooser, graph_view view, const solve_request& options, problem_kind problem, unsigned threads,
                 bool one_gpu) {
  if (one_gpu) return on_gpu(chooser, view, options.seed);
  return problem == problem_kind::forest ? choose_for_forest(chooser, view, threads, options.seed)
                                         : choose(chooser, view, threads, options.seed);
}

}  // namespace

chosen_variant choose_variant(graph_view view, const solve_request& options, problem_kind problem, solve_report& report) {
  chosen_variant result;
  const bool one_gpu = gpu_of(options).has_value();
  report.threads = usable_threads(options.threads);
  report.edges = edges_of(view);
  std::string name = options.variant;
  if (is_chooser(name)) {
    const auto start = clock::now();
    auto chosen = chosen_by(name, view, options, problem, report.threads, one_gpu);
    name = std::move(chosen.variant);
    report.explanation = std::move(chosen.explanation);
    result.choosing_seconds = seconds_since(start);
  }
  // A variant that walks the arcs of a vertex needs rows: they are built from an edge list first, and the report says how long that took.
  if (input_of(view) == input_kind::coo && find_variant(name, input_kind::coo, problem) == nullptr &&
      find_variant(name, input_kind::csr, problem) != nullptr) {
    const auto start = clock::now();
    result.built = build_csr(view, {}, options.on());
    view = result.built.view();
    report.build_seconds = seconds_since(start);
  }
  result.view = view;
  const variant_info* info = find_variant(name, input_of(view), problem);
  if (info == nullptr) throw usage_error{*refusal(name, input_of(view), problem)};
  if (one_gpu && info->backend != cuda_name) {
    refuse_cpu_variant(info->name);
  }
  report.variant = info->name;
  if (info->backend == "serial" || info->backend == cuda_name) report.threads = 1;
  result.chosen = find_entry(info->name, info->input, problem);
  return result;
}

const table_entry& incremental_variant_named(std::string_view name, unsigned threads, bool on_gpu) {
  if (name == "auto") name = on_gpu ? "cuda.none.fast" : threads > 1 ? "threads.none.fast" : "serial.none.fast";
  if (const auto reason = incremental_refusal(name)) throw usage_error{*reason};
  const table_entry& found = *find_entry(name, input_kind::coo, problem_kind::incremental);
  if (on_gpu && found.info.backend != cuda_name) {
    refuse_cpu_variant(found.info.name);
  }
  return found;
}

}  // namespace copse::variant

namespace copse {

std::optional<std::string> incremental_refusal(std::string_view name, mixing mode) {
  if (auto reason = refusal(name, input_kind::coo, problem_kind::incremental); reason || mode == mixing::phased) return reason;
  const auto& found = *variant::find_entry(name, input_kind::coo, problem_kind::incremental);
  const auto reason =
      variant::concurrent_refusal_of(variant::finish_entries[found.finish].traits, found.info.backend != backend::serial::name);
  return reason.empty() ? std::nullopt : std::optional{std::string{name}.append(": ").append(reason)};
}

}  // namespace copse
