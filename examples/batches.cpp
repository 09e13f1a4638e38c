// Components of edges that arrive in batches, from a data frame or a queue. Edges are united on arrival: memory is proportional to the
// vertices.
#include <fmt/core.h>
#include <copse/components_sink.hpp>
#include <copse/errors.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

int main() {
  // Two columns per batch, of signed or unsigned integers of 32 or 64 bits. Ids may be sparse.
  copse::components_sink sink{{}, {.threads = 2}};
  for (std::int64_t batch = 0; batch < 3; ++batch) {
    std::vector<std::int64_t> sources, targets;
    for (std::int64_t i = 0; i < 1000; ++i) {
      sources.push_back(batch << 40 | i);  // each batch is a path of its own
      targets.push_back(batch << 40 | (i + 1));
    }
    sink.add({sources, targets});
  }
  sink.add_vertices(std::vector<std::int64_t>{5, 123456789});  // 123456789 has no edge
  const auto result = sink.finish();
  fmt::print("{} edges, {} components\n", result.report.edges, result.count());
  if (result.count() != 4) return 1;

  // Labels speak of positions in the names, which ascend; the label of a component is its smallest id.
  const auto& names = result.labels.names();
  const auto vertex = names.find(std::uint64_t{2} << 40 | 700).value();
  fmt::print("{} is in the component of {}\n", names.integer(vertex), names.integer(result.labels.label(vertex)));

  // Strings. A batch with an error is refused as a whole, and the sink goes on.
  using names_column = std::vector<std::string_view>;
  copse::components_sink people;
  people.add({names_column{"ann", "cid"}, names_column{"bob", "bob"}});
  try {
    people.add({names_column{"dot", "eve"}, names_column{"ann"}});
  } catch (const copse::usage_error& e) {
    fmt::print("{}\n", e.what());
  }
  const auto groups = people.finish().labels;
  for (std::uint64_t v = 0; v < groups.slots(); ++v) {
    if (!groups.present(v)) continue;  // dense integers have a slot for every id up to the largest, also for those that did not occur
    fmt::print("{} {}\n", groups.names().string(v), groups.names().string(groups.label(v)));
  }
  return groups.slots() == 3 ? 0 : 1;
}
