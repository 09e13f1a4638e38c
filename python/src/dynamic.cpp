// Components of a graph whose edges arrive and leave: one class for each kind of id, over columns of ids.
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <copse/dynamic.hpp>
#include <copse/errors.hpp>

#include <algorithm>
#include <concepts>
#include <filesystem>
#include <mutex>
#include <new>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "labels.hpp"
#include "tables.hpp"

namespace copse::python {
namespace {

/// A column of ids: an array of integers of any type, or a list of strings. It is constructed with the interpreter lock, and read without
/// it.
template <dynamic_id Id>
class given_ids {
public:
  given_ids(nb::handle from, const char* what) : what_{what} {
    if constexpr (std::same_as<Id, std::string_view>) {
      strings_of(nb::cast<nb::list>(from), ids_, what);
    } else {
      array_ = nb::cast<input_array>(from);
    }
  }

  /// The ids of the column. Throws input_error for an integer that Id does not hold.
  std::span<const Id> get() {
    if constexpr (!std::same_as<Id, std::string_view>) {
      with_integer_type(what_, array_, [&]<class T>(T) {
        const auto all = elements<T>(array_);
        ids_.resize(all.size());
        for (std::size_t i = 0; i < all.size(); ++i) {
          if (!std::in_range<Id>(all[i])) refuse(std::to_string(all[i]), i);
          ids_[i] = static_cast<Id>(all[i]);
        }
      });
    }
    return ids_;
  }

private:
  [[noreturn]] void refuse(const std::string& found, std::size_t i) const {
    constexpr const char* expected = std::signed_integral<Id> ? "ids below 2^63, as the first batch was not of uint64"
                                                              : "ids of 0 or more, as the first batch was of uint64";
    throw input_error{std::string{what_} + "[" + std::to_string(i) + "]: found " + found + ", expected " + expected};
  }

  const char* what_;
  input_array array_;
  std::vector<Id> ids_;
};

/// Returns id_of(row) for every row: as an array of integers, or for strings as a list of str, or of bytes if `binary`.
template <dynamic_id Id, class Rows, class IdOf>
nb::object ids_for_python(const Rows& rows, bool binary, IdOf id_of) {
  if constexpr (std::same_as<Id, std::string_view>) {
    nb::list texts;
    for (const auto& row : rows) texts.append(python_text(id_of(row), binary));
    return texts;
  } else {
    buffer<Id> ids{rows.size()};
    std::transform(rows.begin(), rows.end(), ids.begin(), id_of);
    return numpy_array<Id>(std::move(ids));
  }
}

/// Returns value_of(row) for every row, as an array of T.
template <class T, class Rows, class ValueOf>
nb::object values_as(const Rows& rows, ValueOf value_of) {
  buffer<T> values{rows.size()};
  std::transform(rows.begin(), rows.end(), values.begin(), [&](const auto& row) { return static_cast<T>(value_of(row)); });
  return numpy_array<T>(std::move(values));
}

nb::tuple batch_tuple(const dynamic_batch& batch) {
  return nb::make_tuple(batch.number, batch.inserted, batch.erased, batch.dropped, batch.skipped);
}

/// Returns for every row of two columns of ids whether the two are connected in a graph or a snapshot.
template <dynamic_id Id, class Answering>
nb::object connected_in(const Answering& graph, given_ids<Id>& sources, given_ids<Id>& targets) {
  buffer<std::uint8_t> answers = graph.read([&](const auto& g) {
    const auto from = sources.get(), to = targets.get();
    if (from.size() != to.size()) throw usage_error{"the two columns of pairs must have the same length"};
    buffer<std::uint8_t> found{from.size()};
    for (std::size_t i = 0; i < from.size(); ++i) found[i] = g.connected(from[i], to[i]);
    return found;
  });
  return numpy_array<bool>(std::move(answers));
}
/// Returns answer(graph, id) for every id, with -1 in place of no_component.
template <dynamic_id Id, class Answering, class Answer>
nb::object numbers_in(const Answering& graph, given_ids<Id>& vertices, Answer answer) {
  buffer<std::int64_t> answers = graph.read([&](const auto& g) {
    const auto ids = vertices.get();
    buffer<std::int64_t> found{ids.size()};
    for (std::size_t i = 0; i < ids.size(); ++i) found[i] = static_cast<std::int64_t>(answer(g, ids[i]));
    return found;
  });
  return numpy_array<std::int64_t>(std::move(answers));
}

template <dynamic_id Id>
class held_snapshot {
public:
  held_snapshot(dynamic_snapshot<Id> seen, call_memory memory) : memory_{std::move(memory)}, seen_{std::move(seen)} {}

  template <class Body>
  auto read(Body&& body) const {
    const nb::gil_scoped_release unlocked;
    return body(seen_);
  }
  [[nodiscard]] const dynamic_snapshot<Id>& seen() const noexcept { return seen_; }

private:
  call_memory memory_;  // first, so that it is destroyed last
  dynamic_snapshot<Id> seen_;
};

/// A dynamic graph that several threads may use: batches and queries exclude each other, queries may run at the same time.
template <dynamic_id Id>
class held_dynamic {
public:
  held_dynamic(const dynamic_options& options, const call_options& call)
      : memory_{call.memory_bytes}, options_{options}, graph_{options, {.memory = memory_.get()}} {}
  held_dynamic(const std::filesystem::path& folder, const dynamic_options& options, const dynamic_store_options& store,
               const call_options& call)
      : memory_{call.memory_bytes}, options_{options}, graph_{basic_dynamic<Id>::open(folder, options, store, {.memory = memory_.get()})} {}

  template <class Body>
  auto read(Body&& body) const {
    const nb::gil_scoped_release unlocked;
    const std::shared_lock lock{mutex_};
    expect_whole();
    return body(graph_);
  }
  template <class Body>
  nb::tuple batch(Body&& body) {
    return batch_tuple([&] {
      const nb::gil_scoped_release unlocked;
      const std::lock_guard lock{mutex_};
      expect_whole();
      try {
        return body(graph_);
      } catch (const uncommitted_batch&) {
        throw;
      } catch (const resource_error&) {
        is_broken_ = true;
        throw;
      } catch (const std::bad_alloc&) {
        is_broken_ = true;
        throw;
      }
    }());
  }

  nb::tuple insert(nb::handle sources, nb::handle targets, const std::optional<input_array>& weights,
                   const std::optional<input_array>& times, const std::optional<input_array>& keys) {
    given_ids<Id> from{sources, "sources"}, to{targets, "targets"};
    return batch([&](basic_dynamic<Id>& g) { return g.insert(edges_of(from, to, weights, times, keys)); });
  }
  nb::tuple erase(nb::handle sources, nb::handle targets, const std::optional<input_array>& keys) {
    given_ids<Id> from{sources, "sources"}, to{targets, "targets"};
    return batch([&](basic_dynamic<Id>& g) {
      const auto edges = edges_of(from, to, {}, {}, keys);
      return keys ? g.erase_keys(edges) : g.erase(edges);
    });
  }
  nb::tuple erase_vertices(nb::handle vertices, bool purge) {
    given_ids<Id> ids{vertices, "vertices"};
    return batch([&](basic_dynamic<Id>& g) { return purge ? g.purge_vertices(ids.get()) : g.erase_vertices(ids.get()); });
  }
  nb::tuple expire(std::int64_t before) {
    return batch([&](basic_dynamic<Id>& g) { return g.expire(before); });
  }
  nb::tuple revert(std::uint64_t number, bool skip) {
    return batch([&](basic_dynamic<Id>& g) { return g.revert(number, skip ? revert_conflicts::skip : revert_conflicts::refuse); });
  }
  /// Returns the conflicts that prevent reverting a batch, as four columns: whether the conflict is about a vertex (or an edge), u, v, and
  /// the key.
  nb::tuple conflicts(std::uint64_t number, bool binary) const {
    const auto found = read([&](const basic_dynamic<Id>& g) { return g.conflicts(number); });
    using row = revert_conflict<Id>;
    return nb::make_tuple(values_as<bool>(found, [](const row& c) { return c.is_vertex; }),
                          ids_for_python<Id>(found, binary, [](const row& c) { return c.u; }),
                          ids_for_python<Id>(found, binary, [](const row& c) { return c.v; }),
                          values_as<std::uint64_t>(found, [](const row& c) { return c.key; }));
  }

  nb::object members(nb::handle vertex, bool binary) const {
    given_ids<Id> ids{vertex, "vertex"};
    const auto found = read([&](const basic_dynamic<Id>& g) { return g.members(ids.get().front()); });
    return ids_for_python<Id>(found, binary, [](Id id) { return id; });
  }
  /// Returns the columns u, v, weight, time and key of all edges; each of the last three is None unless the graph keeps it.
  nb::tuple edges(bool binary) const {
    const auto found = read([](const basic_dynamic<Id>& g) { return g.edges(); });
    using row = dynamic_edge<Id>;
    return nb::make_tuple(ids_for_python<Id>(found, binary, [](const row& e) { return e.u; }),
                          ids_for_python<Id>(found, binary, [](const row& e) { return e.v; }),
                          options_.weights ? values_as<double>(found, [](const row& e) { return e.weight; }) : nb::none(),
                          options_.times ? values_as<std::int64_t>(found, [](const row& e) { return e.time; }) : nb::none(),
                          options_.keys ? values_as<std::uint64_t>(found, [](const row& e) { return e.key; }) : nb::none());
  }
  /// Returns the columns kind, from, into and vertices of the events of a batch.
  nb::tuple events(std::uint64_t number) const {
    const auto found = read([&](const basic_dynamic<Id>& g) { return g.events(number); });
    using row = component_event;
    return nb::make_tuple(values_as<std::int32_t>(found, [](const row& e) { return e.kind; }),
                          values_as<std::int64_t>(found, [](const row& e) { return e.from; }),
                          values_as<std::int64_t>(found, [](const row& e) { return e.into; }),
                          values_as<std::int64_t>(found, [](const row& e) { return e.vertices; }));
  }
  /// Returns the columns vertex, before and after of the vertices whose component changed since a batch.
  nb::tuple changes(std::uint64_t since, bool binary) const {
    const auto found = read([&](const basic_dynamic<Id>& g) { return g.changes(since); });
    using row = component_change<Id>;
    return nb::make_tuple(ids_for_python<Id>(found, binary, [](const row& c) { return c.vertex; }),
                          values_as<std::int64_t>(found, [](const row& c) { return c.before; }),
                          values_as<std::int64_t>(found, [](const row& c) { return c.after; }));
  }
  held_labels labels() const {
    return {read([](const basic_dynamic<Id>& g) { return labelling_of(g.labels()); }), {}};
  }
  void compact() {
    const nb::gil_scoped_release unlocked;
    const std::lock_guard lock{mutex_};
    expect_whole();
    graph_.compact();
  }
  std::uint64_t refresh() {
    const nb::gil_scoped_release unlocked;
    const std::lock_guard lock{mutex_};
    return graph_.refresh();
  }
  void set_remark(std::string remark) {
    const std::lock_guard lock{mutex_};
    graph_.set_remark(std::move(remark));
  }
  /// Returns a snapshot of the graph, without waiting for a batch that another thread applies.
  held_snapshot<Id> snapshot() const {
    const nb::gil_scoped_release unlocked;
    return {graph_.snapshot(), memory_};
  }

private:
  void expect_whole() const {
    if (is_broken_) throw resource_error{"the graph ran out of memory in an earlier call and is of no use any more; make a new one"};
  }
  static std::vector<dynamic_edge<Id>> edges_of(given_ids<Id>& sources, given_ids<Id>& targets, const std::optional<input_array>& weights,
                                                const std::optional<input_array>& times, const std::optional<input_array>& keys) {
    const auto from = sources.get(), to = targets.get();
    const auto fits = [&](const std::optional<input_array>& column) { return !column || column->size() == from.size(); };
    if (from.size() != to.size() || !fits(weights) || !fits(times) || !fits(keys))
      throw usage_error{"the columns of edges must have the same length"};
    std::vector<dynamic_edge<Id>> edges(from.size());
    for (std::size_t i = 0; i < edges.size(); ++i) {
      edges[i].u = from[i];
      edges[i].v = to[i];
      if (weights) edges[i].weight = elements<double>(*weights)[i];
      if (times) edges[i].time = elements<std::int64_t>(*times)[i];
      if (keys) edges[i].key = elements<std::uint64_t>(*keys)[i];
    }
    return edges;
  }
  /// Returns the labelling of rows (vertex, smallest vertex of its component), which are sorted by vertex.
  static labelling labelling_of(const std::vector<std::pair<Id, Id>>& rows) {
    buffer<std::uint32_t> labels{rows.size()};
    const auto by_vertex = [](const std::pair<Id, Id>& row, const Id& id) { return row.first < id; };
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const auto at = std::lower_bound(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(i), rows[i].second, by_vertex);
      labels[i] = static_cast<std::uint32_t>(at - rows.begin());
    }
    return {std::move(labels), names_of(rows)};
  }
  static vertex_names names_of(const std::vector<std::pair<Id, Id>>& rows) {
    if constexpr (std::same_as<Id, std::string_view>) {
      buffer<std::uint64_t> offsets{rows.size() + 1};
      offsets[0] = 0;
      for (std::size_t i = 0; i < rows.size(); ++i) offsets[i + 1] = offsets[i] + rows[i].first.size();
      buffer<char> bytes{offsets[rows.size()]};
      for (std::size_t i = 0; i < rows.size(); ++i) std::copy(rows[i].first.begin(), rows[i].first.end(), bytes.begin() + offsets[i]);
      return vertex_names::strings(std::move(bytes), std::move(offsets));
    } else {
      buffer<std::uint64_t> ids{rows.size()};
      std::transform(rows.begin(), rows.end(), ids.begin(), [](const auto& row) { return static_cast<std::uint64_t>(row.first); });
      return vertex_names::integers(std::move(ids), !rows.empty() && std::cmp_less(rows.front().first, 0));
    }
  }

  call_memory memory_;  // first, so that it is destroyed last
  dynamic_options options_;
  mutable std::shared_mutex mutex_;
  bool is_broken_ = false;
  basic_dynamic<Id> graph_;
};

template <dynamic_id Id, class Answering>
void bind_questions(nb::class_<Answering>& bound) {
  bound
      .def("connected",
           [](const Answering& g, nb::handle sources, nb::handle targets) {
             given_ids<Id> from{sources, "sources"}, to{targets, "targets"};
             return connected_in<Id>(g, from, to);
           })
      .def("component_of",
           [](const Answering& g, nb::handle vertices) {
             given_ids<Id> ids{vertices, "vertices"};
             return numbers_in<Id>(g, ids, [](const auto& graph, Id id) { return graph.component_of(id); });
           })
      .def("size_of",
           [](const Answering& g, nb::handle vertices) {
             given_ids<Id> ids{vertices, "vertices"};
             return numbers_in<Id>(g, ids, [](const auto& graph, Id id) { return graph.size_of(id); });
           })
      .def_prop_ro("vertices", [](const Answering& g) { return g.read([](const auto& graph) { return graph.vertices(); }); })
      .def_prop_ro("count", [](const Answering& g) { return g.read([](const auto& graph) { return graph.count(); }); });
}

template <dynamic_id Id>
void bind_kind(nb::module_& m, const char* name, const char* snapshot_name) {
  using held = held_dynamic<Id>;
  using seen = held_snapshot<Id>;
  nb::class_<seen> snapshot{m, snapshot_name};
  bind_questions<Id>(snapshot);
  snapshot.def_prop_ro("batch", [](const seen& s) { return s.seen().batch(); });
  nb::class_<held> graph{m, name};
  bind_questions<Id>(graph);
  graph.def(nb::init<const dynamic_options&, const call_options&>())
      .def_static(
          "open",
          [](const std::filesystem::path& folder, const dynamic_options& options, bool is_durable, bool read_only,
             std::optional<std::uint64_t> until, std::string remark, const call_options& call) {
            const nb::gil_scoped_release unlocked;
            return new held(folder, options,
                            {.durable = is_durable ? durability::full : durability::relaxed,
                             .read_only = read_only,
                             .until = until.value_or(UINT64_MAX),
                             .remark = std::move(remark)},
                            call);
          },
          nb::arg("folder"), nb::arg("options"), nb::arg("is_durable"), nb::arg("read_only"), nb::arg("until").none(), nb::arg("remark"),
          nb::arg("call"))
      .def("compact", &held::compact)
      .def("refresh", &held::refresh)
      .def("set_remark", &held::set_remark)
      .def("insert", &held::insert, nb::arg("sources"), nb::arg("targets"), nb::arg("weights").none(), nb::arg("times").none(),
           nb::arg("keys").none())
      .def("erase", &held::erase, nb::arg("sources"), nb::arg("targets"), nb::arg("keys").none())
      .def("erase_vertices", &held::erase_vertices)
      .def("expire", &held::expire)
      .def("revert", &held::revert)
      .def("conflicts", &held::conflicts)
      .def("members", &held::members)
      .def("edges", &held::edges)
      .def("events", &held::events)
      .def("changes", &held::changes)
      .def("labels", &held::labels)
      .def("snapshot", &held::snapshot)
      .def_prop_ro("edge_count", [](const held& h) { return h.read([](const auto& g) { return g.edge_count(); }); })
      .def_prop_ro("last_batch", [](const held& h) { return h.read([](const auto& g) { return g.last_batch(); }); })
      .def_prop_ro("oldest_batch", [](const held& h) { return h.read([](const auto& g) { return g.oldest_batch(); }); });
}

}  // namespace

void bind_dynamic(nb::module_& m) {
  nb::class_<dynamic_options>(m, "DynamicOptions")
      .def("__init__", [](dynamic_options* self, bool weights, bool times, bool keys, std::uint64_t count_window, bool keep_vertices,
                          std::uint64_t history, bool snapshots) {
        new (self) dynamic_options{weights, times, keys, count_window, keep_vertices, history, snapshots};
      });
  // Returns the kind of the ids in a folder, its options in the order of DynamicOptions, and its remark, which is a text of
  // the caller; None if the folder has no graph.
  m.def("dynamic_facts", [](const std::filesystem::path& folder) -> nb::object {
    const auto facts = dynamic_facts_of(folder);
    if (!facts) return nb::none();
    const dynamic_options& o = facts->options;
    return nb::make_tuple(static_cast<int>(facts->ids),
                          nb::make_tuple(o.weights, o.times, o.keys, o.count_window, o.keep_vertices, o.history), facts->remark);
  });
  m.def("has_dynamic_store", &has_dynamic_store);
  bind_kind<std::int64_t>(m, "DynamicSigned", "SnapshotSigned");
  bind_kind<std::uint64_t>(m, "DynamicUnsigned", "SnapshotUnsigned");
  bind_kind<std::string_view>(m, "DynamicStrings", "SnapshotStrings");
}

}  // namespace copse::python
