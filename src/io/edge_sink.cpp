#include <copse/io.hpp>

#include <algorithm>
#include <array>

namespace copse::io {
namespace {

template <class Edge, class Id, class Pass>
void pass_loops(std::span<const Id> ids, Pass pass) {
  std::array<Edge, 256> loops;
  while (!ids.empty()) {
    const auto now = ids.first(std::min(ids.size(), loops.size()));
    std::transform(now.begin(), now.end(), loops.begin(), [](const Id& id) { return Edge{id, id}; });
    pass(std::span<const Edge>{loops.data(), now.size()});
    ids = ids.subspan(now.size());
  }
}

}  // namespace

void edge_sink::vertices(unsigned worker, std::span<const std::uint64_t> ids) {
  pass_loops<edge<std::uint64_t>>(ids, [&](auto loops) { edges(worker, loops); });
}

void edge_sink::named_vertices(unsigned worker, std::span<const std::string_view> names) {
  pass_loops<named_edge>(names, [&](auto loops) { named_edges(worker, loops); });
}

}  // namespace copse::io
