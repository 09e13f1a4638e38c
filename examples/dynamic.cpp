// Edges that leave: ids of components that stay, what each batch changed, a batch taken back, and a window.
#include <fmt/core.h>
#include <copse/dynamic.hpp>

#include <string_view>
#include <vector>

using records = copse::basic_dynamic<std::string_view>;  // copse::dynamic has dense integers, the fastest
using match = copse::dynamic_edge<std::string_view>;

int main() {
  records people{{.weights = true, .times = true, .history = 100}};
  people.insert(std::vector<match>{{"ann", "anna", .9, 1}, {"bob", "bobby", .8, 1}, {"anna", "a. smith", .7, 1}});
  const std::uint64_t ann = people.component_of("ann");

  // A wrong match joins two people; the larger component keeps its id.
  const copse::dynamic_batch wrong = people.insert(std::vector<match>{{"a. smith", "bob", .6, 2}});
  for (const copse::component_event& event : people.events(wrong.number))
    if (event.kind == copse::component_event_kind::merged) fmt::print("{} merged into {}\n", event.from, event.into);

  // Taking the batch back restores edges, weights, times and ids.
  people.revert(wrong.number);
  for (const auto& [vertex, before, after] : people.changes(wrong.number)) fmt::print("{}: {} -> {}\n", vertex, before, after);
  if (people.connected("ann", "bob") || people.component_of("ann") != ann) return 1;

  // A vertex is erased with its edges.
  people.erase_vertices(std::vector<std::string_view>{"anna"});
  if (people.connected("ann", "a. smith") || people.contains("anna")) return 1;

  // Only what was seen since time 2 stays.
  people.insert(std::vector<match>{{"bob", "robert", .9, 3}});
  people.expire(2);
  fmt::print("{} vertices, {} component\n", people.vertices(), people.count());
  return people.connected("bob", "robert") && !people.contains("bobby") ? 0 : 1;
}
