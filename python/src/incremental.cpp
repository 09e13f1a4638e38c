// Components that stay up to date while edges arrive.
#include <nanobind/stl/filesystem.h>
#include <copse/errors.hpp>
#include <copse/incremental.hpp>

#include <filesystem>
#include <mutex>

#include "arrays.hpp"
#include "bindings.hpp"
#include "graph.hpp"
#include "labels.hpp"

namespace copse::python {
namespace {

using id = std::uint32_t;

/// Pairs of 32-bit ids: the array itself where it holds them, and otherwise a copy. Throws input_error for ids that do not fit.
class narrow_pairs {
public:
  explicit narrow_pairs(const input_array& pairs) {
    expect_pairs(pairs);
    if (holds<id>(pairs)) {
      pairs_ = {static_cast<const edge<id>*>(pairs.data()), pairs.shape(0)};
      return;
    }
    with_integer_type("edges", pairs, [&]<class T>(T) {
      const auto all = elements<T>(pairs);
      expect_no_negative<T>("edges", all, 2);
      if constexpr (sizeof(T) == sizeof(id)) {
        pairs_ = {static_cast<const edge<id>*>(pairs.data()), pairs.shape(0)};
      } else {
        narrowed_ = buffer<edge<id>>{pairs.shape(0)};
        for (std::size_t i = 0; i < narrowed_.size(); ++i) narrowed_[i] = {narrow(all[2 * i], i, 0), narrow(all[2 * i + 1], i, 1)};
        pairs_ = narrowed_.span();
      }
    });
  }

  [[nodiscard]] std::span<const edge<id>> get() const noexcept { return pairs_; }

private:
  template <class T>
  static id narrow(T value, std::size_t i, int side) {
    if (static_cast<std::uint64_t>(value) < no_vertex<id>) return static_cast<id>(value);
    throw input_error{"edges[" + std::to_string(i) + ", " + std::to_string(side) + "]: found " + std::to_string(value) +
                      ", expected ids below 2^32 - 1; Incremental keeps an array up to the largest id, so number sparse ids first"};
  }

  buffer<edge<id>> narrowed_;
  std::span<const edge<id>> pairs_;
};

/// Calls from several threads wait for each other: the structure takes one at a time.
class live_components {
public:
  live_components(std::uint64_t vertices, bool record_forest, call_options options)
      : options_{std::move(options)}, memory_{options_.memory_bytes}, live_{count_of(vertices), made_from(record_forest), on()} {}
  live_components(const std::filesystem::path& path, bool record_forest, call_options options)
      : options_{std::move(options)},
        memory_{options_.memory_bytes},
        live_{incremental::open(path, made_from(record_forest), nullptr, on())} {}

  template <class Body>
  auto call(Body&& body) {
    const nb::gil_scoped_release unlocked;
    const std::lock_guard lock{mutex_};
    return body(live_);
  }

  void insert(const input_array& pairs) {
    call([&](incremental& live) { live.insert(narrow_pairs{pairs}.get()); });
  }

  nb::object connected(const input_array& queries) {
    buffer<std::uint8_t> answers = call([&](incremental& live) {
      const narrow_pairs pairs{queries};
      const query_answers bits = live.connected(pairs.get());
      buffer<std::uint8_t> bytes{bits.size()};
      for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = bits[i];
      return bytes;
    });
    return numpy_array<bool>(std::move(answers));
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
    return {graph{call([](incremental& live) { return live.forest(); })}, memory_};
  }

private:
  static id count_of(std::uint64_t vertices) {
    if (vertices < no_vertex<id>) return static_cast<id>(vertices);
    throw usage_error{"vertices: found " + std::to_string(vertices) + ", expected fewer than 2^32 - 1"};
  }
  [[nodiscard]] incremental_options made_from(bool record_forest) const {
    return {.variant = options_.variant, .record_forest = record_forest};
  }
  [[nodiscard]] execution on() const { return {.threads = options_.threads, .memory = memory_.get()}; }

  call_options options_;
  call_memory memory_;
  std::mutex mutex_;
  incremental live_;
};

}  // namespace

void bind_incremental(nb::module_& m) {
  nb::class_<live_components>(m, "Live")
      .def(nb::init<std::uint64_t, bool, call_options>())
      .def_static("open", [](const std::filesystem::path& path, bool record_forest,
                             call_options options) { return new live_components(path, record_forest, std::move(options)); })
      .def("insert", &live_components::insert)
      .def("connected", &live_components::connected)
      .def("merge", &live_components::merge)
      .def("labels", &live_components::labels)
      .def("forest", &live_components::forest)
      .def("save", [](live_components& l, const std::filesystem::path& path) { l.call([&](incremental& live) { live.save(path); }); })
      .def("size_of", [](live_components& l, std::uint32_t v) { return l.call([v](incremental& live) { return live.size_of(v); }); })
      .def("contains", [](live_components& l, std::uint32_t v) { return l.call([v](incremental& live) { return live.contains(v); }); })
      .def_prop_ro("vertices", [](live_components& l) { return l.call([](incremental& live) { return live.vertices(); }); })
      .def_prop_ro("count", [](live_components& l) { return l.call([](incremental& live) { return live.count(); }); })
      .def_prop_ro("variant", [](live_components& l) { return l.call([](incremental& live) { return live.variant().name; }); });
}

}  // namespace copse::python
