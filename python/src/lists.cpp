// Ranks of linked lists.
#include <copse/errors.hpp>
#include <copse/list_ranking.hpp>

#include "bindings.hpp"
#include "graph.hpp"

namespace copse::python {
namespace {

rank_operation operation_named(const std::string& name) {
  if (name == "sum") return rank_operation::sum;
  if (name == "min") return rank_operation::min;
  if (name == "max") return rank_operation::max;
  refuse("operation", "'sum', 'min' or 'max'", "'" + name + "'");
}

rank_origin origin_named(const std::string& name) {
  if (name == "end") return rank_origin::end;
  if (name == "head") return rank_origin::head;
  refuse("origin", "'end' or 'head'", "'" + name + "'");
}

nb::object ranks_of(const input_array& successors, const std::optional<input_array>& weights, const std::string& operation,
                    const std::string& origin, const call_options& from) {
  expect_one_dimension("successors", successors);
  if (weights && !holds<std::int64_t>(*weights)) refuse_array("weights", *weights, "int64");
  const call_memory memory{from.memory_bytes};
  return with_integer_type("successors", successors, [&]<class T>(T) {
    using id = std::make_unsigned_t<T>;
    const rank_options options{.variant = from.variant, .from = origin_named(origin), .seed = from.seed};
    if (weights) {
      auto result = run(from, [&](observer& watcher) {
        return rank_list(elements<id>(successors), elements<std::int64_t>(*weights), operation_named(operation), options,
                         execution_of(from, watcher, memory));
      });
      return numpy_array<std::int64_t>(std::move(result.ranks), memory);
    }
    operation_named(operation);
    auto result =
        run(from, [&](observer& watcher) { return rank_list(elements<id>(successors), options, execution_of(from, watcher, memory)); });
    const std::uint64_t largest = result.ranks.size();
    return numpy_ids(std::move(result.ranks), largest, memory);
  });
}

}  // namespace

void bind_lists(nb::module_& m) { m.def("rank_list", &ranks_of); }

}  // namespace copse::python
