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
// places and offsets of its first targets. A vertex whose component is the vertex alone, and a block that is a bridge, cost no write.
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
#include <numeric>

namespace copse::drivers {

struct cuts_options {
  bool simple = false;  ///< true: edges that repeat another one count as one edge
  bool blocks = false;  ///< also find out in which block each edge of the forest is
};

/// A depth-first search with a stack of frames, one for each vertex on the path from the root. `Position`: a type that can hold the
/// number of arcs; with 32-bit positions a frame takes 24 bytes, which matters because the stack of a deep search is large.
template <unsigned_index Id, unsigned_index Offset, unsigned_index Position>
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
        found_{rows.vertices(), 1, memory},
        progress_{watcher, rows.vertices()} {
    found_.bridges = buffer<tree_bridge<Id>>{rows.vertices(), memory};
    if (options.blocks) {
      found_.named.block_of = buffer<Id>{rows.vertices(), memory};
      found_.named.blocks = buffer<block_summary<Id>>{rows.vertices(), memory};
    }
  }
  lowpoint_search(const lowpoint_search&) = delete;

  /// Runs the search and returns what it found; called once. Throws cancelled if the observer stops it.
  found_cuts<Id> run() {
    const Id n = rows_.vertices();
    std::fill(places_.begin(), places_.end(), Id{0});
    std::iota(found_.labels.begin(), found_.labels.end(), Id{0});
    std::fill(found_.points.begin(), found_.points.end(), static_cast<unsigned char>(0));
    std::fill(found_.named.block_of.begin(), found_.named.block_of.end(), no_vertex<Id>);
    for (Id root = 0; root < n; ++root) {
      if (places_[root] != 0) continue;
      ++found_.components;
      search_tree(root);
      close_component(root);
    }
    progress_.finish();
    found_.bridges.shrink(bridges_);
    found_.blocks = blocks_ + bridges_;
    if (options_.blocks) found_.named.blocks.shrink(blocks_);
    return std::move(found_);
  }

private:
  struct frame {
    Id vertex, place, low;
    Position next, end;
    Position arc_up;  ///< one more than the position of the first arc to the parent; 0 while it has not been met
  };
  static constexpr Position fetched_ahead = 16;     // number of a row's targets that are prefetched
  static constexpr Id between_polls = Id{1} << 16;  // vertices reached between two reports to the observer, which may cancel

  frame enter(Id v) {
    const Id place = ++reached_;
    places_[v] = place;
    open_[open_size_++] = v;
    const frame entered{v, place, place, static_cast<Position>(rows_.offsets[v]), static_cast<Position>(rows_.offsets[v + 1]), 0};
    const Position fetched = std::min(static_cast<Position>(entered.end - entered.next), fetched_ahead);
    const Id* const targets = rows_.targets.data() + entered.next;
    for (Position i = 0; i < fetched; ++i) {
      __builtin_prefetch(places_.data() + targets[i], 1);
      __builtin_prefetch(rows_.offsets.data() + targets[i]);
    }
    if (place % between_polls == 0 && !progress_.advance(between_polls)) progress_.finish();
    return entered;
  }

  /// Searches the component of `root`. Afterwards open_ holds the vertices of the root's two-edge-connected component, still without a
  /// label.
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
      if (done.low < top.place) {
        top.low = std::min(top.low, done.low);
        continue;
      }
      if (depth == 0) {
        ++blocks_at_root;
      } else {
        found_.points[top.vertex] = 1;
      }
      if (done.low == done.place) {
        const Position arc = top.vertex < done.vertex ? top.next : done.arc_up;
        const Id below = static_cast<Id>(reached_ - done.place + 1);
        found_.bridges[bridges_++] = {std::uint64_t{arc} - 1, top.vertex, done.vertex, below};
        close_component(done.vertex);
        if (options_.blocks) --open_edges_size_;
      } else {
        if (options_.blocks) close_block(top.vertex, done.vertex);
        ++blocks_;
      }
    }
    if (blocks_at_root > 1) found_.points[root] = 1;
    const Id whole = static_cast<Id>(reached_ - reached_before);
    for (std::size_t i = bridges_before; i < bridges_; ++i) {
      Id& side = found_.bridges[i].smaller_side;
      side = std::min(side, static_cast<Id>(whole - side));
    }
  }

  /// Follows arcs of the row up to the next vertex that has not been reached, and returns that vertex; no_vertex at the end of the row.
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

  /// Labels the two-edge-connected component that is complete now: `first`, and the vertices reached after it that are in none yet.
  void close_component(Id first) {
    std::size_t begin = open_size_ - 1;
    Id least = open_[begin];
    while (open_[begin] != first) least = std::min(least, open_[--begin]);
    if (begin + 1 != open_size_) {
      for (std::size_t i = begin; i < open_size_; ++i) found_.labels[open_[i]] = least;
    }
    open_size_ = begin;
  }

  /// Completes a block that is not a bridge. Its edges of the search tree are those from `first`, and from the vertices reached after it,
  /// to their parents, without the edges of blocks that were completed before. `head`: the topmost vertex of the block.
  void close_block(Id head, Id first) {
    const Id number = static_cast<Id>(blocks_);
    Id* const block_of = found_.named.block_of.data();
    Id least = std::min(head, first), second = std::max(head, first);
    const std::size_t end = open_edges_size_;
    std::size_t begin = end - 1;
    for (; open_edges_[begin] != first; --begin) {
      const Id vertex = open_edges_[begin];
      block_of[vertex] = number;
      second = std::min(second, std::max(vertex, least));
      least = std::min(least, vertex);
    }
    if (end - begin > 1) block_of[first] = number;
    open_edges_size_ = begin;
    found_.named.blocks[number] = {head, least, second, static_cast<Id>(end - begin + 1)};
  }

  csr_view<Id, Offset> rows_;
  cuts_options options_;
  buffer<Id> places_;      ///< place of each vertex in the order in which they are reached, from 1; 0: not reached
  buffer<frame> path_;     ///< frames from the root down to the parent of the vertex whose row is followed
  buffer<Id> open_;        ///< reached vertices whose two-edge-connected component is not complete yet
  buffer<Id> open_edges_;  ///< edges of the search tree whose block is not complete yet, each given by its lower end
  found_cuts<Id> found_;
  backend::meter progress_;
  Id reached_ = 0;
  std::size_t open_size_ = 0, open_edges_size_ = 0, bridges_ = 0;
  std::size_t blocks_ = 0;  ///< number of blocks that are not bridges
};

}  // namespace copse::drivers
