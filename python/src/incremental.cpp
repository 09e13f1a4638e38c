// Components that stay up to date while edges arrive.
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string_view.h>
#include <copse/errors.hpp>
#include <copse/incremental.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <filesystem>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "graph.hpp"
#include "labels.hpp"
#include "tables.hpp"

namespace copse::python {
namespace {

/// A column of ids: an array of integers, or a list of strings. It is constructed with the interpreter lock, and read without it.
class given_column {
public:
  given_column(nb::handle from, const char* what) : what_{what} {
    if (nb::isinstance<nb::list>(from)) {
      strings_of(nb::borrow<nb::list>(from), strings_, what);
      are_strings_ = true;
    } else {
      array_ = nb::cast<input_array>(from);
    }
  }

  [[nodiscard]] bool are_strings() const noexcept { return are_strings_; }
  [[nodiscard]] const std::vector<std::string_view>& strings() const noexcept { return strings_; }
  [[nodiscard]] const input_array& array() const noexcept { return array_; }
  [[nodiscard]] std::size_t size() const { return are_strings_ ? strings_.size() : array_.size(); }
  /// Calls f(vertex_id) for every id.
  template <class F>
  void for_each(F f) const {
    if (are_strings_) return static_cast<void>(std::ranges::for_each(strings_, f));
    with_integer_type(what_, array_, [&]<class T>(T) {
      for (const T id : elements<T>(array_)) f(id);
    });
  }

private:
  const char* what_;
  bool are_strings_ = false;
  input_array array_;
  std::vector<std::string_view> strings_;
};

/// Calls f(pairs) for two columns of one kind.
template <class F>
auto with_pairs(const given_column& sources, const given_column& targets, F f) {
  if (sources.are_strings() && targets.are_strings()) return f(id_pairs{sources.strings(), targets.strings()});
  if (sources.are_strings() || targets.are_strings()) refuse("edges", "ids of one kind", "integers and strings");
  return with_integer_type("sources", sources.array(), [&]<class T>(T) {
    if (!holds<T>(targets.array())) refuse_array("targets", targets.array(), "the integer type of the sources");
    return f(id_pairs{elements<T>(sources.array()), elements<T>(targets.array())});
  });
}

/// Calls f with the pairs of an array of shape (m, 2).
template <class F>
auto with_pairs(const input_array& pairs, F f) {
  expect_pairs(pairs);
  return with_integer_type("edges", pairs, [&]<class T>(T) {
    using id = std::make_unsigned_t<T>;
    return f(id_pairs{std::span{static_cast<const edge<id>*>(pairs.data()), pairs.shape(0)}, std::signed_integral<T>});
  });
}

std::string_view text_of(vertex_ids kind) noexcept {
  constexpr std::array<std::string_view, 4> texts{"", "integers", "integers", "text"};
  return texts[static_cast<std::size_t>(kind)];
}

/// An incremental structure with a mutex, as it takes one call at a time.
class live_components {
public:
  live_components(std::uint64_t vertices, bool record_forest, call_options options)
      : options_{std::move(options)}, memory_{options_.memory_bytes}, live_{made_from(vertices, record_forest), on()} {}
  live_components(const std::filesystem::path& path, bool record_forest, call_options options)
      : options_{std::move(options)}, memory_{options_.memory_bytes}, live_{incremental::open(path, made_from(0, record_forest), on())} {}

  template <class Body>
  auto call(Body&& body) {
    const nb::gil_scoped_release unlocked;
    const std::lock_guard lock{mutex_};
    return body(live_);
  }

  template <class... Columns>
  void insert(const Columns&... columns) {
    call([&](incremental& live) { with_pairs(columns..., [&](const id_pairs& edges) { live.insert(edges); }); });
  }
  template <class... Columns>
  nb::object connected(const Columns&... columns) {
    buffer<std::uint8_t> answers = call([&](incremental& live) {
      const query_answers bits = with_pairs(columns..., [&](const id_pairs& queries) { return live.connected(queries); });
      buffer<std::uint8_t> bytes{bits.size()};
      for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = bits[i];
      return bytes;
    });
    return numpy_array<bool>(std::move(answers));
  }
  /// Calls answer(structure, vertex) for every vertex of a column.
  template <class T, class Element, class Answer>
  nb::object of_vertices(const given_column& vertices, Answer answer) {
    buffer<Element> answers = call([&](incremental& live) {
      buffer<Element> found{vertices.size()};
      std::size_t next = 0;
      vertices.for_each([&](const vertex_id& vertex) { found[next++] = static_cast<Element>(answer(live, vertex)); });
      return found;
    });
    return numpy_array<T>(std::move(answers));
  }

  void merge(live_components& other) {
    if (this == &other) return;
    const nb::gil_scoped_release unlocked;
    const std::scoped_lock lock{mutex_, other.mutex_};
    live_.merge(other.live_);
  }

  held_labels labels() {
    return {call([](incremental& live) { return live.labels(); }), memory_};
  }

  held_graph forest() {
    return {call([](incremental& live) { return live.forest(); }), memory_};
  }

private:
  [[nodiscard]] incremental_options made_from(std::uint64_t vertices, bool record_forest) const {
    return {.variant = options_.variant, .record_forest = record_forest, .vertices = vertices};
  }
  [[nodiscard]] execution on() const {
    return {.device = options_.device, .threads = options_.threads, .gpu_memory = options_.gpu_memory_bytes, .memory = memory_.get()};
  }

  call_options options_;
  call_memory memory_;
  std::mutex mutex_;
  incremental live_;
};

}  // namespace

void bind_incremental(nb::module_& m) {
  using column = nb::handle;
  nb::class_<live_components>(m, "Live")
      .def(nb::init<std::uint64_t, bool, call_options>())
      .def_static("open", [](const std::filesystem::path& path, bool record_forest,
                             call_options options) { return new live_components(path, record_forest, std::move(options)); })
      .def("insert_pairs", [](live_components& l, const input_array& pairs) { l.insert(pairs); })
      .def("insert",
           [](live_components& l, column left, column right) {
             l.insert(given_column{left, "left"}, given_column{right, "right"});
           })
      .def("connected_pairs", [](live_components& l, const input_array& pairs) { return l.connected(pairs); })
      .def("connected",
           [](live_components& l, column left, column right) {
             return l.connected(given_column{left, "left"}, given_column{right, "right"});
           })
      .def("size_of",
           [](live_components& l, column vertices) {
             return l.of_vertices<std::int64_t, std::int64_t>(given_column{vertices, "vertices"},
                                                              [](const incremental& live, const vertex_id& v) { return live.size_of(v); });
           })
      .def("contains",
           [](live_components& l, column vertices) {
             return l.of_vertices<bool, std::uint8_t>(given_column{vertices, "vertices"},
                                                      [](const incremental& live, const vertex_id& v) { return live.contains(v); });
           })
      .def("merge", &live_components::merge)
      .def("labels", &live_components::labels)
      .def("forest", &live_components::forest)
      .def("save", [](live_components& l, const std::filesystem::path& path) { l.call([&](incremental& live) { live.save(path); }); })
      .def_prop_ro("kind", [](live_components& l) { return l.call([](incremental& live) { return text_of(live.id_kind()); }); })
      .def_prop_ro("vertices", [](live_components& l) { return l.call([](incremental& live) { return live.vertices(); }); })
      .def_prop_ro("count", [](live_components& l) { return l.call([](incremental& live) { return live.count(); }); })
      .def_prop_ro("variant", [](live_components& l) { return l.call([](incremental& live) { return live.variant().name; }); });
}

}  // namespace copse::python
