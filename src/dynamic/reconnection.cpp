// How a part that was cut off the forest finds the rest again, and what happens if it does not.
#include <core/gather.hpp>
#include <core/parallel.hpp>
#include <dynamic/connectivity.hpp>
#include <dynamic/owners.hpp>
#include <dynamic/reunion.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace copse::dynamics {
namespace {

// Bounds of the number of steps towards a root that are tried when an edge leaves. The number grows while they lead to a root. In deep
// trees it shrinks until no walk leads to a root; so that it can grow again, one cut of `trials_apart` tries fewest_steps_of_trials or
// more.
constexpr std::uint32_t fewest_erase_steps = 2, most_erase_steps = 64;
constexpr std::uint32_t trials_apart = 32;
constexpr std::size_t climbers = 8;  // how many edges of a vertex are followed at once, by walks from their other ends towards roots
// Walks end when all vertices below their own are known, which are at most `most_below`. But first they take a few steps: an edge whose
// walk then reaches a root makes a shallower tree.
constexpr std::size_t most_below = 8, steps_at_least = 2;

// The mark of a vertex that a search has met: below or above the erased edge, or on a side that is not known.
enum mark_kind : std::uint32_t { is_below, is_above, is_unknown, mark_kinds };

}  // namespace

bool dynamic_components::erase_later(std::uint32_t u, std::uint32_t v) {
  sets_.prefetch(nodes_[u].outside, v);
  sets_.prefetch(nodes_[v].outside, u);
  if (nodes_[v].parent == u) std::swap(u, v);
  if (nodes_[u].parent == v) {
    cut(u);
    cuts_.push_back({u, v});
  } else {
    if (!sets_.erase(nodes_[u].outside, v)) return false;
    if (u != v) sets_.erase(nodes_[v].outside, u);
  }
  --edges_;
  return true;
}

// Raises erase_steps_ by the number of walks towards roots that led to an edge, and lowers it by the number of those that were too long.
void dynamic_components::adapt_erase_steps(std::uint32_t with_edge, std::uint32_t too_far) noexcept {
  const std::int64_t steps = std::int64_t{erase_steps_} + with_edge - too_far;
  erase_steps_ = static_cast<std::uint32_t>(std::clamp<std::int64_t>(steps, fewest_erase_steps, most_erase_steps));
}

void dynamic_components::reconnect_cuts() {
  // One thread gains nothing by handling few cuts together.
  const std::size_t fewest_together = std::max(32u, 256 / threads_);
  if (cuts_.size() < fewest_together) {
    reconnect_in_turn();
  } else {
    reunion parts{*this};
    parts.climb();
    if (!parts.search()) parts.solve();
    parts.finish();
  }
  cuts_.clear();
}

// Joins parts again one after the other, while those whose turn comes later stay joined by their erased edges.
void dynamic_components::reconnect_in_turn() {
  for (const auto& [child, parent] : std::span{cuts_}.first(cuts_.size() - 1)) hang(child, parent);
  for (std::size_t left = cuts_.size(); left != 0; --left) {
    auto [child, parent] = cuts_[left - 1];
    if (left != cuts_.size()) {
      // when an earlier part was joined again, its tree may have got another root: then child and parent of an edge have changed places
      if (nodes_[child].parent != parent) std::swap(child, parent);
      cut(child);
    }
    reconnect_one({child, parent});
  }
}

// Joins the part below an erased edge to the rest again if some edge leads there. Walks towards roots from the neighbours of the part's
// root often find one. Otherwise search_both() looks for one.
void dynamic_components::reconnect_one(cut_edge erased) {
  const std::uint32_t steps = ++cuts_so_far_ % trials_apart == 0 ? std::max(erase_steps_, fewest_steps_of_trials) : erase_steps_;
  const climb up = climb_from(erased.child, steps, true);
  if (up.root != none || !up.in_time) adapt_erase_steps(up.root != none ? 1 + steps - erase_steps_ : 0, up.root == none);
  if (up.start == none) return search_both(erased);
  take({erased.child, up.start});
}

// Looks for an edge from `child` to another tree, by walking up from its neighbours outside the forest. All walks take a step in turn, so
// that the one nearest to a root ends first. If `child` is the only part that is cut off, each turn also visits one more vertex below it:
// when all are known, a neighbour that is none of them is in the other tree, and its walk need not go on.
dynamic_components::climb dynamic_components::climb_from(std::uint32_t child, std::uint32_t steps, bool is_only_part) const noexcept {
  std::array<joint, climbers> up;  // for each walk: the neighbour of `child` at which it began, and the vertex that it has reached
  std::size_t count = 0;
  sets_.any_of(nodes_[child].outside, [&](std::uint32_t w) {
    __builtin_prefetch(&nodes_[w]);
    up[count++] = {w, w};
    return count == climbers;
  });
  std::array<std::uint32_t, most_below> below;  // vertices below `child`, itself included
  std::size_t met = 0;
  std::uint32_t next = is_only_part ? child : none;  // the next vertex below `child`; none if all are known, or are too many
  for (std::uint32_t step = 0; count != 0 && (step < steps || met != 0); ++step) {
    if (next != none) {
      below[met++] = next;
      next = next_below(child, next);
      if (next == none) {
        const auto is_below = [&](const joint& walk) {
          return std::find(below.begin(), below.begin() + met, walk.inside) != below.begin() + met;
        };
        count = static_cast<std::size_t>(std::remove_if(up.begin(), up.begin() + count, is_below) - up.begin());
        if (count == 0) break;
      } else if (met == most_below) {
        next = none;
        met = 0;
      }
    }
    if (next == none && met != 0 && step >= steps_at_least) return {up[0].inside, none, true};
    for (std::size_t i = 0; i < count && step < steps;) {
      auto& [start, at] = up[i];
      const std::uint32_t above = nodes_[at].parent;
      if (above != none) {
        __builtin_prefetch(&nodes_[above]);
        at = above;
        ++i;
      } else if (at == child) {
        up[i] = up[--count];  // drops a walk that began at a vertex below `child`: its edge leads to no other tree
      } else {
        return {start, at, true};
      }
    }
  }
  return {none, none, count == 0};
}

// Joins the part of a tree that was cut off to the rest again by this edge.
void dynamic_components::take(joint found) {
  remove_outside(found.inside, found.outside);
  make_root(found.inside);
  hang(found.inside, found.outside);
}

// Calls take() for all these edges, on all threads. Precondition: their inside ends are in different parts.
void dynamic_components::take_together(std::span<const joint> found) {
  constexpr std::size_t block = 64;
  parallel_blocks(threads_, found.size(), block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) make_root(found[i].inside);
  });
  on_owners(
      found.size(),
      [&](std::size_t i, auto add) {
        add(found[i].inside, found[i].outside, false);
        add(found[i].outside, found[i].inside, true);
      },
      [&](std::size_t i, std::uint32_t from, std::uint32_t to, neighbour_sets::share& blocks) {
        sets_.erase(nodes_[from].outside, to, blocks);
        if (from == found[i].outside) hang(to, from);
      });
}

// Searches from both ends of an erased edge in turn for an edge that joins the two trees, and joins them by it. If one tree is visited
// completely and no edge leaves it, makes it a component of its own.
void dynamic_components::search_both(cut_edge erased) {
  const auto [child, parent] = erased;
  const std::uint32_t first = next_marks(mark_kinds);
  const std::uint32_t below = first + is_below, above = first + is_above, open = first + is_unknown;
  below_.assign(1, child);
  above_.assign(1, parent);
  unknown_.clear();
  nodes_[child].mark = below;
  nodes_[parent].mark = above;
  std::size_t next_below = 0, next_above = 0;
  std::uint32_t above_cursor = none;  // above the cut: the next child to visit of the vertex whose children are being visited
  bool expanding = false;
  std::uint64_t debt = 0;               // the steps that the search below the cut has taken more than the one above
  std::uint64_t credit = erase_steps_;  // how many steps towards roots the search may still take; more for each vertex that it visits
  joint found{none, none};
  const auto meet_above = [&](std::uint32_t y) {
    node& at = nodes_[y];
    if (at.mark == above) return;
    const bool was_open = at.mark == open;
    at.mark = above;
    above_.push_back(y);
    if (was_open) found = {none, y};
  };
  for (;;) {
    if (next_below == below_.size()) {  // all below the cut was visited: an edge that leaves it leads to the rest
      for (const joint& edge : unknown_) {
        if (nodes_[edge.outside].mark != below) return take(edge);
      }
      return part(child, below_, none);
    }
    const std::uint32_t x = below_[next_below++];
    credit += erase_steps_ / 4;
    const node& at = nodes_[x];
    if (at.child != none) __builtin_prefetch(&nodes_[at.child]);
    const bool joined = sets_.any_of(at.outside, [&](std::uint32_t w) {
      ++debt;
      const std::uint32_t mark = nodes_[w].mark;
      if (mark == below) return false;
      std::uint32_t at_end = w;
      while (nodes_[at_end].mark != below && nodes_[at_end].mark != above && nodes_[at_end].parent != none && credit > 0) {
        at_end = nodes_[at_end].parent;
        --credit;
      }
      if (nodes_[at_end].mark == below) return false;
      if (nodes_[at_end].mark == above || nodes_[at_end].parent == none) {
        if (nodes_[at_end].mark != above) adapt_erase_steps(1, 0);
        found = {x, w};
        return true;
      }
      unknown_.push_back({x, w});
      nodes_[w].mark = open;
      return false;
    });
    if (joined) return take(found);
    for (std::uint32_t c = at.child; c != none; c = nodes_[c].next) {
      nodes_[c].mark = below;
      below_.push_back(c);
      ++debt;
    }
    ++debt;
    while (debt > 0 && found.outside == none) {
      --debt;
      if (!expanding) {
        if (next_above == above_.size()) break;
        const node& start = nodes_[above_[next_above]];
        above_cursor = start.child;
        expanding = true;
        if (start.parent != none) meet_above(start.parent);
      } else if (above_cursor != none) {
        const std::uint32_t y = above_cursor;
        above_cursor = nodes_[y].next;
        meet_above(y);
      } else {
        expanding = false;
        ++next_above;
      }
    }
    if (found.outside != none) {
      for (const joint& edge : unknown_) {
        if (edge.outside == found.outside) return take(edge);
      }
    }
    if (!expanding && next_above == above_.size()) {  // the tree above the erased edge was visited completely
      for (const std::uint32_t y : above_) {
        const bool leads = sets_.any_of(nodes_[y].outside, [&](std::uint32_t w) {
          if (nodes_[w].mark == above) return false;
          found = {y, w};
          return true;
        });
        if (!leads) continue;
        const std::uint32_t r = record_of(child);  // the side above the cut is the smaller one: it is hung below the other
        records_[r].root = child;
        lists_.part(r);
        return take(found);
      }
      return part(records_[record_of(child)].root, above_, child);
    }
  }
}

// Makes a new component of `members`, the vertices of the tree below `root`. `rest_root`: the new root of the component that they
// leave; none if its root stays the same.
void dynamic_components::part(std::uint32_t root, std::span<const std::uint32_t> members, std::uint32_t rest_root) {
  const std::uint32_t before = record_of(root);
  records_.touch(before);
  const std::uint32_t fresh = records_.add(static_cast<std::uint32_t>(members.size()), root);
  lists_.part(before);
  lists_.part(fresh);
  records_[before].size -= static_cast<std::uint32_t>(members.size());
  if (rest_root != none) records_[before].root = rest_root;
  for (const std::uint32_t x : members) relabel(x, fresh);
}

// Calls part() for the trees below each of these roots, on all threads, where the components that they leave keep their roots.
void dynamic_components::part_together(std::span<const std::uint32_t> roots) {
  constexpr std::size_t block = 128, roots_ahead = 8, records_ahead = 32;
  struct tree {
    std::uint32_t size, before;  // `before`: the record of its old component
  };
  if (roots.empty()) return;
  std::vector<tree> trees(roots.size());
  std::vector<std::vector<std::uint32_t>> members((roots.size() + block - 1) / block);  // for each block, the vertices of its trees
  parallel_blocks(threads_, roots.size(), block, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t> here;
    here.reserve(end - begin);
    for (std::size_t i = begin; i < end; ++i) {
      if (i + roots_ahead < end) prefetch(roots[i + roots_ahead]);
      const std::size_t first = here.size();
      here.push_back(roots[i]);
      for (std::size_t next = first; next < here.size(); ++next) {
        for (std::uint32_t c = nodes_[here[next]].child; c != none; c = nodes_[c].next) {
          here.push_back(c);
          if (nodes_[c].child != none) __builtin_prefetch(&nodes_[nodes_[c].child]);
        }
      }
      trees[i] = {static_cast<std::uint32_t>(here.size() - first), record_of(roots[i])};
    }
    members[begin / block] = std::move(here);
  });
  for (std::size_t i = 0, j = 0; i < trees.size(); i = j) {
    const std::uint32_t before = trees[i].before;
    std::uint32_t leaving = 0;
    if (i + records_ahead < trees.size()) __builtin_prefetch(&std::as_const(records_)[trees[i + records_ahead].before]);
    for (; j < trees.size() && trees[j].before == before; ++j) leaving += trees[j].size;
    records_.touch(before);
    records_[before].size -= leaving;
    lists_.part(before);
  }
  const std::uint32_t first_added = records_.add_together(static_cast<std::uint32_t>(roots.size()));
  const auto relabel_in = [&](std::size_t begin, std::size_t end, std::vector<move>& moves) {
    moves.reserve(members[begin / block].size());
    auto next = members[begin / block].begin();
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t fresh = records_.set_added(first_added + static_cast<std::uint32_t>(i), trees[i].size, roots[i]);
      for (const auto last = next + trees[i].size; next != last; ++next) {
        std::uint32_t& component = nodes_[*next].component;
        // The record before the batch is touched, like trees[i].before. If its size was 0, moves_ has an earlier entry of the vertex.
        const std::uint32_t from = records_.index_of(records_.find_before(component));
        if (records_.touched()[from].size != 0) moves.push_back({*next, from});
        component = fresh;
      }
    }
  };
  gather(moves_, roots.size(), block, relabel_in, threads_);
  for (const touched_record& added : records_.touched().subspan(first_added)) lists_.part(added.record);
}

}  // namespace copse::dynamics
