// The C API of components of edges in batches, from arrays and tables.
#include <copse/components_sink.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "c/call.hpp"
#include "c/labels.hpp"
#include "c/tables.hpp"
#include "io/arrow/edges.hpp"

using namespace copse;
using namespace copse::c;

namespace {

std::shared_ptr<caller_options> options_of_batches(const copse_options* given) {
  auto options = std::make_shared<caller_options>(given);
  options->expect_no_choice("edges that come in batches");
  return options;
}

}  // namespace

struct copse_edges {
  copse_edges(std::uint64_t vertices, const copse_options* given)
      : options{options_of_batches(given)},
        sink{components_sink_options{.vertices = vertices == COPSE_ANY_VERTICES ? std::nullopt : std::optional{vertices}}, options->on()} {}

  copse_table_counts add(given_table from, const copse_table* table) {
    const arrow::row_rules rules = from.rules(table, false);
    binary |= has_binaries(rules);
    const auto counts =
        arrow::pass_on({{&from.stream(), 0}}, rules, sink.for_readers(), {.workers = sink.worker_count(), .watcher = &options->watcher()});
    arrow::tell_unreached(counts, rules, options->watcher());
    return {counts.rows, counts.nulls, counts.below};
  }

  std::unique_ptr<copse_labels> finish() { return labels_handle(options, std::move(sink.finish().labels), binary); }

  std::shared_ptr<caller_options> options;
  components_sink sink;
  bool binary = false;
};

copse_status copse_edges_new(uint64_t vertices, const copse_options* options, copse_edges** edges, copse_error* error) {
  return made(edges, "edges", error, [&] { return std::make_unique<copse_edges>(vertices, options); });
}

copse_status copse_edges_add(copse_edges* edges, copse_type type, const void* sources, const void* targets, uint64_t count,
                             copse_error* error) {
  return guarded(error, [&] {
    components_sink& sink = expect_given(edges, "edges").sink;
    with_columns(type, sources, targets, count, [&](auto from, auto to) { sink.add({from, to}); });
  });
}

copse_status copse_edges_add_vertices(copse_edges* edges, copse_type type, const void* ids, uint64_t count, copse_error* error) {
  return guarded(error, [&] {
    components_sink& sink = expect_given(edges, "edges").sink;
    with_type(type, [&]<class Id>(Id) { sink.add_vertices(ids_of<Id>(ids, count, "ids")); });
  });
}

copse_status copse_edges_add_stream(copse_edges* edges, struct ArrowArrayStream* from, const copse_table* table, copse_table_counts* counts,
                                    copse_error* error) {
  return guarded(error, [&] {
    given_table given{from};
    tell_counts(counts, expect_given(edges, "edges").add(std::move(given), table));
  });
}

copse_status copse_edges_add_array(copse_edges* edges, struct ArrowSchema* schema, struct ArrowArray* array, const copse_table* table,
                                   copse_table_counts* counts, copse_error* error) {
  return guarded(error, [&] {
    given_table given{schema, array};
    tell_counts(counts, expect_given(edges, "edges").add(std::move(given), table));
  });
}

copse_status copse_edges_finish(copse_edges* edges, copse_labels** labels, copse_error* error) {
  return made(labels, "labels", error, [&] { return expect_given(edges, "edges").finish(); });
}

void copse_edges_free(copse_edges* edges) { delete edges; }

copse_status copse_components_stream(struct ArrowArrayStream* edges, const copse_table* table, struct ArrowArrayStream* to,
                                     copse_table_counts* counts, const copse_options* options, copse_error* error) {
  return guarded(error, [&] {
    given_table given{edges};
    expect_given(to, "to");
    copse_edges all{COPSE_ANY_VERTICES, options};
    tell_counts(counts, all.add(std::move(given), table));
    arrow::give_stream(table_of(*all.finish()), *to);
  });
}
