// The answer by the plainest means: breadth-first search over adjacency lists, from the smallest vertex up.
#pragma once
#include <copse/views.hpp>

#include <vector>

namespace copse::test {

/// Canonical labels of an edge list: labels[v] is the smallest vertex of v's component. Shares no code with the library's algorithms.
template <class Id>
std::vector<Id> reference_labels(coo_view<Id> graph) {
  const Id none = no_vertex<Id>;
  std::vector<std::vector<Id>> neighbours(graph.vertices());
  for (const edge<Id> e : graph.edges) {
    neighbours[e.u].push_back(e.v);
    neighbours[e.v].push_back(e.u);
  }
  std::vector<Id> labels(graph.vertices(), none);
  std::vector<Id> queue;
  for (Id start = 0; start < graph.vertices(); ++start) {
    if (labels[start] != none) continue;
    labels[start] = start;
    queue.assign(1, start);
    for (std::size_t head = 0; head < queue.size(); ++head) {
      for (const Id next : neighbours[queue[head]]) {
        if (labels[next] != none) continue;
        labels[next] = start;
        queue.push_back(next);
      }
    }
  }
  return labels;
}

}  // namespace copse::test
