#include "labels.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <copse/errors.hpp>

#include <algorithm>
#include <limits>
#include <variant>
#include <vector>

#include "bindings.hpp"
#include "graph.hpp"
#include "states.hpp"

namespace copse::python {

template <unsigned_index Id>
std::uint64_t number_in_place(std::span<Id> labels) noexcept {
  Id next = 0;
  for (std::size_t v = 0; v < labels.size(); ++v) {
    // labels[v] <= v, so a smaller label has been replaced by its number already.
    labels[v] = labels[v] == v ? next++ : labels[labels[v]];
  }
  return next;
}
template std::uint64_t number_in_place(std::span<std::uint32_t>) noexcept;
template std::uint64_t number_in_place(std::span<std::uint64_t>) noexcept;

template <unsigned_index Id>
buffer<Id> component_numbers(const labelling& labels, std::uint64_t& count) {
  const auto& from = std::get<buffer<Id>>(labels.labels());
  buffer<Id> slots{from.size()};
  Id next = 0;
  for (std::size_t v = 0; v < from.size(); ++v) {
    slots[v] = from[v] == no_vertex<Id> ? no_vertex<Id> : from[v] == v ? next++ : slots[from[v]];
  }
  count = next;
  slots.shrink(static_cast<std::size_t>(std::remove(slots.begin(), slots.end(), no_vertex<Id>) - slots.begin()));
  return slots;
}
template buffer<std::uint32_t> component_numbers(const labelling&, std::uint64_t&);
template buffer<std::uint64_t> component_numbers(const labelling&, std::uint64_t&);

labelling renamed_copy(const labelling& labels, const vertex_names& names, const call_memory& memory) {
  return std::visit(
      [&]<class Id>(const buffer<Id>& from) {
        buffer<Id> copy{from.size(), memory.get()};
        std::copy(from.begin(), from.end(), copy.begin());
        return labelling{std::move(copy), names};
      },
      labels.labels());
}

std::uint64_t present_count(const labelling& labels) noexcept {
  return std::visit(
      []<class Id>(const buffer<Id>& slots) {
        return slots.size() - static_cast<std::size_t>(std::count(slots.begin(), slots.end(), no_vertex<Id>));
      },
      labels.labels());
}

nb::object python_text(std::string_view text, bool binary) {
  if (binary) return nb::bytes(text.data(), text.size());
  PyObject* made = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape");
  if (made == nullptr) throw nb::python_error{};
  return nb::steal(made);
}

nb::list texts_of(const vertex_names& names, bool binary) {
  nb::list out;
  for (std::uint64_t v = 0; v < names.size(); ++v) out.append(python_text(names.string(v), binary));
  return out;
}

nb::object names_array(const vertex_names& names, bool binary) {
  if (names.what() == vertex_names::kind::identity) return nb::none();
  if (names.what() == vertex_names::kind::strings) return texts_of(names, binary);
  buffer<std::uint64_t> ids{names.size()};
  for (std::size_t v = 0; v < ids.size(); ++v) ids[v] = names.integer(v);
  if (names.is_signed()) return numpy_array<std::int64_t>(std::move(ids));
  const std::uint64_t largest = ids.empty() ? 0 : ids[ids.size() - 1];
  return numpy_ids(std::move(ids), largest);
}

namespace {

bool has_all(const labelling& labels) { return present_count(labels) == labels.slots(); }

/// Returns value(vertex, label) for every vertex that is present, in ascending order.
template <class Value>
buffer<std::uint64_t> for_present(const labelling& labels, Value value) {
  buffer<std::uint64_t> out{present_count(labels)};
  std::size_t next = 0;
  std::visit(
      [&]<class Id>(const buffer<Id>& slots) {
        for (std::size_t v = 0; v < slots.size(); ++v) {
          if (slots[v] != no_vertex<Id>) out[next++] = value(v, slots[v]);
        }
      },
      labels.labels());
  return out;
}

nb::object handed_over(buffer<std::uint64_t> ids, const vertex_names& names) {
  if (names.is_signed()) return numpy_array<std::int64_t>(std::move(ids));
  const std::uint64_t largest = ids.empty() ? 0 : *std::max_element(ids.begin(), ids.end());
  return numpy_ids(std::move(ids), largest);
}

void expect_integers(const labelling& labels, const char* what) {
  if (labels.names().what() == vertex_names::kind::strings) {
    throw usage_error{std::string{what} + " must be integers; use to_arrow() for string ids"};
  }
}

/// Returns the array of labels, indexed by vertex, without a copy.
nb::object slots_view(const held_labels& held, nb::handle owner) {
  return std::visit(
      [&]<class Id>(const buffer<Id>& slots) {
        using twin = std::make_signed_t<Id>;
        if (slots.size() > static_cast<std::size_t>(std::numeric_limits<twin>::max())) return numpy_view(slots.data(), slots.size(), owner);
        return numpy_view(reinterpret_cast<const twin*>(slots.data()), slots.size(), owner);
      },
      held.labels().labels());
}

nb::object labels_of(nb::handle self) {
  const auto& held = nb::cast<const held_labels&>(self);
  const labelling& labels = held.labels();
  const vertex_names& names = labels.names();
  expect_integers(labels, "labels");
  if (names.what() == vertex_names::kind::identity && has_all(labels)) return slots_view(held, self);
  return handed_over(for_present(labels, [&](std::uint64_t, std::uint64_t label) { return names.integer(label); }), names);
}

nb::object ids_of(const held_labels& held) {
  const vertex_names& names = held.labels().names();
  expect_integers(held.labels(), "ids");
  return handed_over(for_present(held.labels(), [&](std::uint64_t v, std::uint64_t) { return names.integer(v); }), names);
}

nb::list string_ids_of(const held_labels& held, bool binary) { return texts_of(held.labels().names(), binary); }

nb::object numbers_of(const held_labels& held) {
  return std::visit(
      [&]<class Id>(const buffer<Id>&) {
        std::uint64_t count = 0;
        buffer<Id> numbers = component_numbers<Id>(held.labels(), count);
        return numpy_ids(std::move(numbers), count);
      },
      held.labels().labels());
}

/// Returns the number of vertices of each component, in the order of component numbers.
nb::object sizes_of(const held_labels& held) {
  const std::vector<component> all = component_sizes(held.labels());
  buffer<std::uint64_t> sizes{all.size()};
  std::transform(all.begin(), all.end(), sizes.begin(), [](const component& c) { return c.size; });
  return numpy_array<std::int64_t>(std::move(sizes));
}

/// Copies labels of vertices 0 .. n - 1 from a caller's array. The vertices are named as in `named` if that graph has n vertices.
held_labels labels_from(const input_array& array, const held_graph* named) {
  expect_one_dimension("labels", array);
  return with_integer_type("labels", array, [&]<class T>(T) {
    using id = std::make_unsigned_t<T>;
    const auto from = elements<id>(array);
    buffer<id> labels{from.size()};
    for (std::size_t v = 0; v < from.size(); ++v) {
      if (from[v] >= from.size()) {
        throw input_error{"labels[" + std::to_string(v) + "]: found " + std::to_string(static_cast<T>(from[v])) +
                          ", expected a vertex below " + std::to_string(from.size())};
      }
      labels[v] = from[v];
    }
    const bool matches = named != nullptr && named->names().size() == from.size();
    return held_labels{labelling{std::move(labels), matches ? named->names() : vertex_names::identity(from.size())}, {}};
  });
}

std::uint64_t count_of(const held_labels& held) {
  return std::visit(
      [](const auto& slots) {
        std::uint64_t count = 0;
        for (std::size_t v = 0; v < slots.size(); ++v) count += slots[v] == v;
        return count;
      },
      held.labels().labels());
}

nb::str kind_of(const held_labels& held) {
  switch (held.labels().names().what()) {
    case vertex_names::kind::identity:
      return nb::str("identity");
    case vertex_names::kind::integers:
      return nb::str("integers");
    case vertex_names::kind::strings:
      break;
  }
  return nb::str("strings");
}

}  // namespace

void bind_labels(nb::module_& m) {
  nb::class_<phase>(m, "Phase").def_prop_ro("name", [](const phase& p) { return std::string{p.name}; }).def_ro("seconds", &phase::seconds);
  nb::class_<call_report>(m, "Report", "What a solve did, in addition to its answer.")
      .def_ro("variant", &solve_report::variant, "the variant that ran; never 'auto'")
      .def_ro("explanation", &solve_report::explanation, "what auto saw, what it chose and why; empty when the caller chose")
      .def_ro("device", &solve_report::device, "'cpu' or 'cuda:i'")
      .def_ro("threads", &solve_report::threads)
      .def_ro("solve_seconds", &solve_report::solve_seconds)
      .def_ro("build_seconds", &solve_report::build_seconds)
      .def_ro("copy_seconds", &solve_report::copy_seconds)
      .def_ro("edges", &solve_report::edges, "edges seen, or arcs stored")
      .def_prop_ro("phases",
                   [](const call_report& r) {
                     nb::dict phases;
                     for (const phase& p : r.phases) phases[nb::str(p.name.data(), p.name.size())] = p.seconds;
                     return phases;
                   })
      .def_ro("notes", &call_report::notes, "what the library noted about the input; each note was a warning, too")
      .def("_state", [](const call_report& r) { return state_of(r); })
      .def_static("_of_state", &report_of_state)
      .def("_add_note", [](call_report& r, std::string text) { r.notes.push_back(std::move(text)); })
      .def("__repr__", [](const call_report& r) {
        return "Report(variant='" + r.variant + "', device='" + r.device + "', threads=" + std::to_string(r.threads) +
               ", solve_seconds=" + std::to_string(r.solve_seconds) + ", edges=" + std::to_string(r.edges) + ")";
      });
  nb::class_<held_labels>(m, "Labels")
      .def_static("of", &labels_from, nb::arg("labels"), nb::arg("named").none() = nb::none())
      .def("_state", [](const held_labels& h) { return nb::make_tuple(state_of(h.labels()), state_of(h.report())); })
      .def_static("_of_state",
                  [](const nb::tuple& state) {
                    held_labels labels{labelling_of_state(nb::cast<nb::tuple>(state[0])), {}};
                    labels.set_report(report_of_state(nb::cast<nb::tuple>(state[1])));
                    return labels;
                  })
      .def_prop_ro("slots", [](const held_labels& h) { return h.labels().slots(); })
      .def_prop_ro("vertices", [](const held_labels& h) { return present_count(h.labels()); })
      .def_prop_ro("count", &count_of)
      .def_prop_ro("kind", &kind_of)
      .def_prop_ro("report", &held_labels::report, nb::rv_policy::reference_internal)
      .def("labels", &labels_of)
      .def("ids", &ids_of)
      .def("string_ids", &string_ids_of, nb::arg("binary"))
      .def("numbers", &numbers_of)
      .def("sizes", &sizes_of)
      .def("checksum", [](const held_labels& h, unsigned threads) {
        const nb::gil_scoped_release unlocked;
        return checksum(h.labels(), {.threads = threads});
      });
}

}  // namespace copse::python
