// How the parts of trees that many erased edges have cut off join each other again.
//
// While parts look for edges that join them, the forest does not change: a union-find structure has the groups of parts that edges have
// joined, and those edges are noted as links. So all parts can look for edges at the same time, on all threads. In the end the parts of a
// group are hung together by its links.
//
// Each tree that was cut has a hub, a part that need not look for edges, because those that lead to it are seen from their other ends; so
// parts that have joined the group of the hub need not look for more. Searches are made in rounds: in each, every other group is searched
// until it finds an edge to another group. Which part is large is not known in advance. Therefore searches take a number of steps that
// grows from round to round, and go on where they ended; the hub takes part, too, and if it was searched completely while other parts were
// not, one of these becomes the hub. A search so costs no more than the parts without the largest one of each tree, up to a factor that is
// the logarithm of their number.
//
// A vertex whose part is known has the part as its mark, so that no walk towards a root is made twice.
#pragma once
#include <copse/extend/parents/atomic.hpp>
#include <copse/extend/rules/find/halve.hpp>
#include <copse/extend/rules/unite/async.hpp>
#include <core/team.hpp>
#include <dynamic/connectivity.hpp>

#include <atomic>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace copse::dynamics {

class dynamic_components::reunion {
public:
  /// Numbers the parts: first those below the edges in cuts_, then those with the roots of the components.
  explicit reunion(dynamic_components& graph);

  /// Looks for an edge of the root of each part, by walks towards roots.
  void climb();
  /// Searches the parts, until their groups are those of the components. Gives up and returns false if solve() is expected to cost less.
  [[nodiscard]] bool search();
  /// Finds the groups by a pass over all vertices.
  void solve();
  /// Makes each group a tree. The group of a hub keeps the record of the old component; others become components of their own.
  void finish();

private:
  struct link {
    std::uint32_t from, to;            // ends of an edge outside the forest that joins two groups
    std::uint32_t from_part, to_part;  // the parts that they are in
  };
  struct part_search {
    std::vector<std::uint32_t> met;  // vertices of a part that its search has met
    std::size_t next = 0;            // the one that it visits next
  };
  struct alignas(64) worker {
    std::vector<link> links;
    std::vector<std::pair<std::uint32_t, part_search>> begun;  // what the round adds to begun_
  };
  struct round_result {
    std::uint64_t steps;
    bool any_unfinished;  // whether a group has taken all steps that it may take
  };
  class group_search;

  [[nodiscard]] std::uint32_t parts() const noexcept { return static_cast<std::uint32_t>(roots_.size()); }
  [[nodiscard]] std::uint32_t& hub_of(std::uint32_t part) noexcept { return hubs_[trees_[part] - cuts_]; }
  void prefetch(std::uint32_t v) const noexcept { __builtin_prefetch(&nodes_[v]); }
  void set_part(std::uint32_t v, std::uint32_t part) noexcept {
    std::atomic_ref{nodes_[v].mark}.store(first_mark_ + part, std::memory_order_relaxed);
  }
  // Returns the part of a vertex if that was noted, otherwise none. It was noted for roots.
  [[nodiscard]] std::uint32_t noted_part(std::uint32_t v) noexcept {
    const std::uint32_t part = std::atomic_ref{nodes_[v].mark}.load(std::memory_order_relaxed) - first_mark_;
    return part < parts() ? part : none;
  }
  [[nodiscard]] std::uint32_t group_of(std::uint32_t part) noexcept {
    return find::halve{}(parents::atomic<std::uint32_t>{groups_.data()}, part);
  }
  [[nodiscard]] bool joined(std::uint32_t a, std::uint32_t b) noexcept { return group_of(a) == group_of(b); }
  // Joins the groups of the ends of an edge; returns false if they were the same.
  bool join(const link& edge) {
    bool is_new = false;
    unite::async<find::halve>{}(parents::atomic<std::uint32_t>{groups_.data()}, edge.from_part, edge.to_part,
                                [&](std::uint32_t, std::uint32_t) { is_new = true; });
    if (is_new) workers_[worker_number()].links.push_back(edge);
    return is_new;
  }
  [[nodiscard]] std::vector<std::uint32_t> next_searched(std::vector<std::uint32_t>& apart, bool with_hubs);
  [[nodiscard]] round_result search_round(std::span<const std::uint32_t> searched, std::uint64_t most_steps, std::uint64_t hub_steps);

  dynamic_components& graph_;
  std::pmr::vector<node>& nodes_;
  std::uint32_t cuts_;                 // the number of parts that were cut off
  std::uint32_t first_mark_;           // the mark of the vertices of part 0
  std::vector<std::uint32_t> roots_;   // the root of each part
  std::vector<std::uint32_t> trees_;   // for each part, the part with the root of its component
  std::vector<std::uint32_t> hubs_;    // for each part with the root of a component, the hub of the tree
  std::vector<std::uint32_t> groups_;  // parents of parts in a union-find structure
  std::vector<worker> workers_;
  std::vector<unsigned char> is_searched_;                     // for each part, whether all of it was searched
  std::unordered_map<std::uint32_t, part_search> begun_;       // the searches of parts that go on in the next round
  std::vector<std::uint32_t> first_of_group_, next_of_group_;  // the parts of each group that are to be searched, as lists
};

}  // namespace copse::dynamics
