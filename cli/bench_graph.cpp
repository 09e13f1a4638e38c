#include "bench_graph.hpp"

#include <fmt/format.h>

#include <copse/build.hpp>
#include <copse/errors.hpp>
#include <type_traits>
#include <utility>
#include <variant>

#include "degrees.hpp"
#include "yardstick.hpp"

namespace copse::cli {
namespace {

template <class Shape>
constexpr bool has_offsets = requires(Shape shape) {
  shape.offsets;
};

/// visit(u, v) for every edge of the rows once: where both directions are stored, the one from the larger vertex.
template <class View, class Visit>
void each_edge(const View& rows, Visit visit) {
  using id = typename View::id_type;
  for (id u = 0; u < rows.vertices(); ++u) {
    for (const id v : rows.row(u)) {
      if (rows.symmetric != symmetry::yes || v <= u) visit(u, v);
    }
  }
}

graph list_of(const graph& rows, std::pmr::memory_resource* memory) {
  return std::visit(
      [&]<class Shape>(const Shape& shape) -> graph {
        if constexpr (has_offsets<Shape>) {
          using id = typename Shape::id_type;
          const auto view = shape.view();
          std::size_t count = 0, next = 0;
          each_edge(view, [&](id, id) { ++count; });
          buffer<edge<id>> edges{count, memory};
          each_edge(view, [&](id u, id v) { edges[next++] = {u, v}; });
          return {coo<id>{view.vertices(), std::move(edges)}, rows.names()};
        } else {
          throw usage_error{"found a list, expected rows"};
        }
      },
      rows.shape());
}

}  // namespace

bench_graph::bench_graph(const input& from, input_kind as, resources& context, std::uint64_t seed, gpu_techniques on_gpu)
    : as_{as}, context_{context}, seed_{seed}, on_gpu_{on_gpu}, held_{from.read()} {
  if (!held_.has_rows()) held_ = build_csr(held_, {.threads = context.threads, .observer = &context.observer, .memory = &context.memory});
  const edge_summary counted = count_edges(held_.view());
  facts_.text = from.text();
  facts_.vertices = held_.vertices();
  facts_.arcs = counted.arcs;
  facts_.edges = counted.edges;
  facts_.graph_checksum = graph_checksum(held_.view(), context.threads);
  if (as == input_kind::coo) held_ = list_of(held_, &context.memory);
  const auto solved = copse::components(
      held_, {.variant = "serial.none.rem", .threads = 1, .seed = seed, .observer = &context.observer, .memory = &context.memory});
  reference_ = checked(solved);
  facts_.checksum = reference_.checksum;
  facts_.components = summarise(solved.labels, 0, &context.memory).components;
}

solved_once bench_graph::checked(const components_result& result) const {
  return {result.report.variant, result.report.build_seconds + result.report.solve_seconds, checksum(result.labels, context_.threads)};
}

std::vector<contender> bench_graph::contenders(const std::vector<bench_entry>& entries) {
  std::vector<contender> all;
  for (const bench_entry& entry : entries) {
    all.push_back(
        {entry.variant, std::string{to_string(as_)}, entry.threads, [this, entry](observer& watcher) {
           if (entry.variant.starts_with("cuda.")) return solve_on_gpu(entry.variant, watcher);
           return checked(copse::components(
               held_,
               {.variant = entry.variant, .threads = entry.threads, .seed = seed_, .observer = &watcher, .memory = &context_.memory}));
         }});
  }
  return all;
}

solved_once bench_graph::solve_on_gpu(const std::string& variant, observer& watcher) {
  if (!resident_) {
    if (!gpu_) gpu_.emplace(gpu_solver::settings{.techniques = &on_gpu_, .short_fetches = true});
    resident_ = gpu_->copy_in(held_.view());
    facts_.floor = {facts_.vertices, facts_.arcs, gpu_->measure_memory(static_cast<std::uint32_t>(facts_.vertices))};
  }
  const auto labels = gpu_->solve(*resident_, {.variant = variant == auto_on_gpu ? "auto" : variant, .seed = seed_, .observer = &watcher});
  return {labels.report().variant, labels.report().solve_seconds,
          held_.names().what() == vertex_names::kind::identity
              ? gpu_->checksum(labels)
              : checksum(gpu_->copy_out(labels, held_.names(), &context_.memory), context_.threads),
          labels.report().launches};
}

std::optional<work_counts> bench_graph::count(const measurement& result) const {
  try {
    return copse::components(
               held_, {.variant = result.variant, .threads = result.threads, .count = true, .seed = seed_, .memory = &context_.memory})
        .report.work;
  } catch (const usage_error&) {  // the fast path, and ids of 64 bits
    return std::nullopt;
  }
}

std::vector<contender> bench_graph::yardsticks() {
  return std::visit(
      [this]<class Shape>(const Shape& shape) -> std::vector<contender> {
        if constexpr (has_offsets<Shape>) {
          const auto rows = shape.view();
          if (rows.symmetric != symmetry::yes || !rows.sorted)
            throw usage_error{
                fmt::format("--yardstick: found {} without sorted rows of both directions, expected a graph that has them: the "
                            "loop looks at smaller neighbours only",
                            facts_.text)};
          std::vector<contender> all;
          for (const auto& [name, where] :
               {std::pair{"ten_line_loop", label_memory::fresh}, std::pair{"ten_line_loop_on_touched_memory", label_memory::touched}}) {
            all.push_back({name, "csr", 1, [this, rows, name = std::string{name}, where = where](observer&) -> solved_once {
                             auto result = run_yardstick(rows, where);
                             return {name, result.seconds, checksum(labelling{std::move(result.labels), held_.names()}, context_.threads)};
                           }});
          }
          return all;
        } else {
          throw usage_error{"--yardstick: found --input coo, expected csr: the loop walks rows"};
        }
      },
      held_.shape());
}

}  // namespace copse::cli
