// Bridges, articulation points and blocks by one depth-first search on one thread (Hopcroft and Tarjan, Algorithm 447: efficient algorithms
// for graph manipulation, Communications of the ACM 1973), over rows that hold both directions of every edge.
//
// A vertex gets its place, from 1, when the search reaches it. An edge that is not of the search tree joins a vertex and an ancestor; the
// low point of a vertex is the least place that an edge out of its subtree leads to, its own place if none leads further up. The edge to
// the parent is a bridge exactly if the low point is the vertex itself, and the subtree completes a block exactly if the low point is not
// above the parent. Vertices wait on a stack for their two-edge-connected component, which is complete at the vertex below a bridge or at
// a root, and on another for their block.
//
// The path from the root is an array of frames, because it can be as long as the graph is large. Everything that a vertex needs only while
// it is on the path is in its frame, so that an arc costs one random access, to the place of its target. Entering a row prefetches the
// places and offsets of its first targets.
//
// O(n + arcs) time; per vertex a place, two ids, a frame and the answer.
#pragma once
#include <copse/memory.hpp>
#include <copse/types.hpp>
#include <copse/views.hpp>
#include <drivers/bridges/found_cuts.hpp>
#include <loops/meter.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace copse::drivers {

struct cuts_options {
  bool simple = false;  ///< edges that repeat another count once
  bool blocks = false;  ///< also find out in which block each edge of the forest is
};

template <unsigned_index Id, unsigned_index Offset>
class lowpoint_search {
public:
  /// Precondition: `rows` are symmetric.
  lowpoint_search(csr_view<Id, Offset> rows, cuts_options options, observer* watcher, std::pmr::memory_resource* memory)
      : rows_{rows},
        options_{options},
        places_{rows.vertices(), memory},
        path_{rows.vertices(), memory},
        open_{rows.vertices(), memory},
        open_edges_{options.blocks ? std::size_t{rows.vertices()} : 0, memory},
        found_{rows.vertices(), memory},
        progress_{watcher, rows.vertices()} {
    found_.bridges = buffer<tree_bridge<Id>>{rows.vertices(), memory};
    if (options.blocks) {
      found_.named.block_of = buffer<Id>{rows.vertices(), memory};
      found_.named.heads = buffer<Id>{rows.vertices(), memory};
    }
  }
  lowpoint_search(const lowpoint_search&) = delete;

  /// To be called once. Throws cancelled.
  found_cuts<Id> run() {
    const Id n = rows_.vertices();
    std::fill(places_.begin(), places_.end(), Id{0});
    std::fill(found_.labels.begin(), found_.labels.end(), no_vertex<Id>);
    std::fill(found_.points.begin(), found_.points.end(), static_cast<unsigned char>(0));
    Id unlabelled = no_vertex<Id>;  // the label of a component that is more than half of the graph, which one pass writes in the end
    for (Id root = 0; root < n; ++root) {
      if (places_[root] != 0) continue;
      ++found_.components;
      search_tree(root);
      if (open_size_ > n / 2) {
        unlabelled = root;
        open_size_ = 0;
      } else {
        close_component(root);
      }
      if (options_.blocks) found_.named.block_of[root] = no_vertex<Id>;
    }
    if (unlabelled != no_vertex<Id>) std::replace(found_.labels.begin(), found_.labels.end(), no_vertex<Id>, unlabelled);
    progress_.finish();
    found_.bridges.shrink(bridges_);
    if (options_.blocks) found_.named.heads.shrink(found_.blocks);
    return std::move(found_);
  }

private:
  struct frame {
    Id vertex, place, low;
    Offset next, end;
    Offset arc_up;  ///< one more than the position of the first arc to the parent; 0 while it has not been met
  };
  static constexpr Offset fetched_ahead = 16;       // targets of a row
  static constexpr Id between_polls = Id{1} << 16;  // vertices

  frame enter(Id v) {
    const Id place = ++reached_;
    places_[v] = place;
    open_[open_size_++] = v;
    const frame entered{v, place, place, rows_.offsets[v], rows_.offsets[v + 1], 0};
    const Offset fetched = std::min(static_cast<Offset>(entered.end - entered.next), fetched_ahead);
    const Id* const targets = rows_.targets.data() + entered.next;
    for (Offset i = 0; i < fetched; ++i) {
      __builtin_prefetch(places_.data() + targets[i], 1);
      __builtin_prefetch(rows_.offsets.data() + targets[i]);
    }
    if (place % between_polls == 0 && !progress_.advance(between_polls)) progress_.finish();
    return entered;
  }

  /// Leaves in open_ the component that the root is in.
  void search_tree(Id root) {
    const Id reached_before = reached_;
    const std::size_t bridges_before = bridges_;
    std::size_t depth = 0, blocks_at_root = 0;
    frame top = enter(root);
    Id parent = no_vertex<Id>;
    for (;;) {
      if (const Id child = follow_arcs(top, parent); child != no_vertex<Id>) {
        path_[depth++] = top;
        parent = top.vertex;
        top = enter(child);
        if (options_.blocks) open_edges_[open_edges_size_++] = child;
        continue;
      }
      if (depth == 0) break;
      const frame done = top;
      top = path_[--depth];
      parent = depth == 0 ? no_vertex<Id> : path_[depth - 1].vertex;
      if (done.low == done.place) {
        const Offset arc = top.vertex < done.vertex ? top.next : done.arc_up;
        const Id below = static_cast<Id>(reached_ - done.place + 1);
        found_.bridges[bridges_++] = {std::uint64_t{arc} - 1, top.vertex, done.vertex, below};
        close_component(done.vertex);
      }
      if (done.low < top.place) {
        top.low = std::min(top.low, done.low);
        continue;
      }
      if (depth == 0) {
        ++blocks_at_root;
      } else {
        found_.points[top.vertex] = 1;
      }
      if (options_.blocks) close_block(top.vertex, done.vertex);
      ++found_.blocks;
    }
    if (blocks_at_root > 1) found_.points[root] = 1;
    const Id whole = static_cast<Id>(reached_ - reached_before);
    for (std::size_t i = bridges_before; i < bridges_; ++i) {
      Id& side = found_.bridges[i].smaller_side;
      side = std::min(side, static_cast<Id>(whole - side));
    }
  }

  /// Follows arcs of the row up to one to a vertex that has not been reached, which is returned; no_vertex at the end of the row.
  Id follow_arcs(frame& top, Id parent) {
    const Id* const targets = rows_.targets.data();
    const Id* const places = places_.data();
    while (top.next != top.end) {
      const Id target = targets[top.next++];
      const Id place = places[target];
      if (place == 0) return target;
      if (target == parent) {
        if (top.arc_up == 0) {
          top.arc_up = top.next;
          continue;
        }
        ++found_.repeats;
        if (options_.simple) continue;
      }
      top.low = std::min(top.low, place);
    }
    return no_vertex<Id>;
  }

  /// Labels the vertices that were opened since `first`, itself included.
  void close_component(Id first) {
    std::size_t begin = open_size_;
    Id least = first;
    do {
      least = std::min(least, open_[--begin]);
    } while (open_[begin] != first);
    for (std::size_t i = begin; i < open_size_; ++i) found_.labels[open_[i]] = least;
    open_size_ = begin;
  }

  /// The block of the edges above the vertices that were opened since `first`, itself included.
  void close_block(Id head, Id first) {
    const Id number = static_cast<Id>(found_.blocks);
    found_.named.heads[number] = head;
    Id last = 0;
    do {
      last = open_edges_[--open_edges_size_];
      found_.named.block_of[last] = number;
    } while (last != first);
  }

  csr_view<Id, Offset> rows_;
  cuts_options options_;
  buffer<Id> places_;   ///< 0: not reached
  buffer<frame> path_;  ///< from the root to the parent of the vertex whose row is followed
  buffer<Id> open_;
  buffer<Id> open_edges_;  ///< by the vertex below
  found_cuts<Id> found_;
  backend::meter progress_;
  Id reached_ = 0;
  std::size_t open_size_ = 0, open_edges_size_ = 0, bridges_ = 0;
};

}  // namespace copse::drivers
