#include "states.hpp"

#include <set>
#include <string>
#include <variant>

namespace copse::python {
namespace {

/// Keeps the name until the process ends, and returns a view of it, as phase::name is a view. Must be called with the interpreter lock.
std::string_view kept(std::string name) {
  static std::set<std::string, std::less<>> names;
  return *names.insert(std::move(name)).first;
}

}  // namespace

nb::object state_of(const vertex_names& names) {
  if (names.what() == vertex_names::kind::strings) {
    buffer<std::uint64_t> offsets{names.size() + 1};
    offsets[0] = 0;
    for (std::uint64_t v = 0; v < names.size(); ++v) offsets[v + 1] = offsets[v] + names.string(v).size();
    const char* text = names.size() == 0 ? "" : names.string(0).data();  // the strings are contiguous
    const nb::bytes bytes{text, offsets[names.size()]};
    return nb::make_tuple(bytes, numpy_array<std::uint64_t>(std::move(offsets)));
  }
  if (const auto first = names.first_id()) return nb::make_tuple(*first, names.size());
  buffer<std::uint64_t> ids{names.size()};
  for (std::uint64_t v = 0; v < names.size(); ++v) ids[v] = names.integer(v);
  if (names.is_signed()) return numpy_array<std::int64_t>(std::move(ids));
  return numpy_array<std::uint64_t>(std::move(ids));
}

vertex_names names_of_state(nb::handle state) {
  if (!nb::isinstance<nb::tuple>(state)) {
    if (!holds<std::int64_t>(nb::cast<input_array>(state))) return vertex_names::integers(buffer_of<std::uint64_t>(state));
    const buffer<std::int64_t> numbers = buffer_of<std::int64_t>(state);
    buffer<std::uint64_t> ids{numbers.size()};
    std::copy(numbers.begin(), numbers.end(), ids.begin());
    return vertex_names::integers(std::move(ids), true);
  }
  const auto parts = nb::borrow<nb::tuple>(state);
  if (!nb::isinstance<nb::bytes>(parts[0])) {
    const auto first = nb::cast<std::uint64_t>(parts[0]), count = nb::cast<std::uint64_t>(parts[1]);
    return first == 0 ? vertex_names::identity(count) : vertex_names::consecutive(first, count);
  }
  const auto text = nb::borrow<nb::bytes>(parts[0]);
  buffer<char> bytes{text.size()};
  std::copy(text.c_str(), text.c_str() + text.size(), bytes.data());
  return vertex_names::strings(std::move(bytes), buffer_of<std::uint64_t>(parts[1]));
}

nb::tuple state_of(const call_report& r) {
  nb::list phases;
  for (const phase& p : r.phases) phases.append(nb::make_tuple(std::string{p.name}, p.seconds));
  return nb::make_tuple(r.variant, r.explanation, r.device, r.threads, r.solve_seconds, r.build_seconds, r.copy_seconds, r.edges, phases,
                        r.notes);
}

call_report report_of_state(const nb::tuple& state) {
  call_report r;
  r.variant = nb::cast<std::string>(state[0]);
  r.explanation = nb::cast<std::string>(state[1]);
  r.device = nb::cast<std::string>(state[2]);
  r.threads = nb::cast<unsigned>(state[3]);
  r.solve_seconds = nb::cast<double>(state[4]);
  r.build_seconds = nb::cast<double>(state[5]);
  r.copy_seconds = nb::cast<double>(state[6]);
  r.edges = nb::cast<std::uint64_t>(state[7]);
  for (const nb::handle p : nb::borrow<nb::list>(state[8])) r.phases.push_back({kept(nb::cast<std::string>(p[0])), nb::cast<double>(p[1])});
  r.notes = nb::cast<std::vector<std::string>>(state[9]);
  return r;
}

nb::tuple state_of(const labelling& labels) {
  return std::visit([&](const auto& slots) { return nb::make_tuple(state_of(slots), state_of(labels.names())); }, labels.labels());
}

labelling labelling_of_state(const nb::tuple& state) {
  return with_ids_of(state[0], [&]<class Id>(Id) { return labelling{buffer_of<Id>(state[0]), names_of_state(state[1])}; });
}

nb::tuple state_of(const graph& g) {
  return std::visit(
      [&]<class Shape>(const Shape& shape) {
        const nb::object names = state_of(g.names());
        if constexpr (requires { shape.offsets; }) {
          return nb::make_tuple(names, state_of(shape.targets), state_of(shape.offsets), static_cast<int>(shape.symmetric), shape.sorted);
        } else {
          return nb::make_tuple(names, state_of(std::span<const edge<typename Shape::id_type>>{shape.edges.span()}), shape.vertex_count);
        }
      },
      g.shape());
}

graph graph_of_state(const nb::tuple& state) {
  vertex_names names = names_of_state(state[0]);
  return with_ids_of(state[1], [&]<class Id>(Id) -> graph {
    if (nb::len(state) == 3) return {coo<Id>{nb::cast<Id>(state[2]), edge_buffer_of<Id>(state[1])}, std::move(names)};
    const auto rows = [&]<class Offset>(Offset) {
      csr<Id, Offset> shape{buffer_of<Offset>(state[2]), buffer_of<Id>(state[1]), static_cast<symmetry>(nb::cast<int>(state[3])),
                            nb::cast<bool>(state[4])};
      return graph{std::move(shape), std::move(names)};
    };
    if constexpr (sizeof(Id) == 4) return with_ids_of(state[2], rows);
    return rows(std::uint64_t{});
  });
}

}  // namespace copse::python
