#include <drivers/merging/normal_form.hpp>

#include <copse/errors.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace copse::drivers {
namespace {

constexpr std::uint64_t slots_per_vertex = 2;  // of an array

struct extent {
  std::uint64_t present = 0;
  std::uint64_t slots = 0;  ///< one more than the position of the last present vertex
};

template <class Id>
extent extent_of(const buffer<Id>& labels) {
  extent found;
  for (std::size_t v = 0; v < labels.size(); ++v) {
    const Id label = labels[v];
    if (label == no_vertex<Id>) continue;
    if (label > v || labels[label] != label) {
      throw usage_error{"forest: found label " + std::to_string(label) + " of vertex " + std::to_string(v) + ", expected canonical labels"};
    }
    ++found.present;
    found.slots = v + 1;
  }
  return found;
}

/// make(Id{}) for the narrowest ids of so many slots.
template <class Make>
labelling of_width_for(std::uint64_t slots, Make make) {
  return slots <= no_vertex<std::uint32_t> ? make(std::uint32_t{}) : make(std::uint64_t{});
}

template <class Id>
labelling as_slots(const buffer<Id>& labels, const vertex_names& names, std::uint64_t slots, std::pmr::memory_resource* memory) {
  return of_width_for(slots, [&]<class To>(To) -> labelling {
    buffer<To> to{slots, memory};
    std::fill(to.begin(), to.end(), no_vertex<To>);
    for (std::uint64_t v = 0; v < labels.size(); ++v) {
      if (labels[v] != no_vertex<Id>) to[names.integer(v)] = static_cast<To>(names.integer(labels[v]));
    }
    return {std::move(to), vertex_names::identity(slots)};
  });
}

template <class Id>
labelling as_positions(const buffer<Id>& labels, const vertex_names& names, std::uint64_t present, std::pmr::memory_resource* memory) {
  return of_width_for(present, [&]<class To>(To) -> labelling {
    buffer<To> to{present, memory}, position{labels.size(), memory};
    buffer<std::uint64_t> ids{present, memory};
    To next = 0;
    for (std::uint64_t v = 0; v < labels.size(); ++v) {
      if (labels[v] == no_vertex<Id>) continue;
      position[v] = next;  // a label is no larger than its vertex: its position is known
      ids[next] = names.integer(v);
      to[next] = position[labels[v]];
      ++next;
    }
    return {std::move(to), vertex_names::integers(std::move(ids))};
  });
}

}  // namespace

labelling without_gaps(const labelling& labels, std::pmr::memory_resource* memory) {
  return std::visit([&](const auto& held) { return as_positions(held, labels.names(), extent_of(held).present, memory); }, labels.labels());
}

labelling present_only(labelling labels, std::pmr::memory_resource* memory) {
  const bool gaps = std::visit(
      []<class Id>(const buffer<Id>& all) { return std::find(all.begin(), all.end(), no_vertex<Id>) != all.end(); }, labels.labels());
  return gaps ? without_gaps(labels, memory) : std::move(labels);
}

labelling normal_form(labelling labels, std::pmr::memory_resource* memory) {
  if (labels.is_numbered()) throw usage_error{"forest: found numbers of components, expected canonical labels"};
  return std::visit(
      [&]<class Id>(const buffer<Id>& held) -> labelling {
        const vertex_names& names = labels.names();
        const extent found = extent_of(held);
        if (found.present == 0) return {};
        const bool narrow = sizeof(Id) == 4 || held.size() > no_vertex<std::uint32_t>;  // as narrow as it may be
        if (names.what() == vertex_names::kind::strings) {
          if (narrow) return std::move(labels);
          buffer<std::uint32_t> to{held.size(), memory};
          std::transform(held.begin(), held.end(), to.begin(), [](Id label) { return static_cast<std::uint32_t>(label); });
          return {std::move(to), names};
        }
        const std::uint64_t largest = names.integer(found.slots - 1), slots = largest + 1;
        if (largest == no_vertex<std::uint64_t>) throw usage_error{"forest: found the id 2^64 - 1, which stands for no vertex"};
        if (slots <= slots_per_vertex * found.present) {
          const bool as_it_is = names.what() == vertex_names::kind::identity && held.size() == slots && narrow;
          return as_it_is ? std::move(labels) : as_slots(held, names, slots, memory);
        }
        const bool as_it_is = names.what() == vertex_names::kind::integers && held.size() == found.present && narrow;
        return as_it_is ? std::move(labels) : as_positions(held, names, found.present, memory);
      },
      labels.labels());
}

}  // namespace copse::drivers
