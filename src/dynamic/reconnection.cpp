// How a part that was cut off the forest finds the rest again, and what happens if it does not.
#include <core/parallel.hpp>
#include <dynamic/connectivity.hpp>
#include <dynamic/owners.hpp>

#include <algorithm>
#include <array>
#include <atomic>

namespace copse::dynamics {
namespace {

// Bounds of the number of steps towards a root that are tried when an edge leaves. The number grows while they lead to a root.
constexpr std::uint32_t fewest_erase_steps = 16, most_erase_steps = 64;
constexpr std::size_t climbers = 8;  // how many edges of a vertex are followed at once, by walks from their other ends towards roots

void adapt(std::uint32_t& steps, bool led_to_a_root) noexcept {
  steps = led_to_a_root ? std::min(most_erase_steps, steps + 1) : std::max(fewest_erase_steps, steps - 1);
}

// The last search counts 1 / searches_averaged in the moving average of steps. Most searches are short and a few very long, so that an
// average of fewer searches would vary too much.
constexpr double searches_averaged = 4096;

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

// Erased edges have cut parts off the trees of the forest: looks for edges that join these to the rest again. If there are several parts,
// climb_together() first looks for edges of all of them at once. For the parts that are left, edges are searched for one part after the
// other, while the parts whose turn comes later stay joined by their erased edges; or solve() joins all of them, if that costs less. A
// search for a single part has no limit: once it has taken as many steps as solve() costs, it is nearly done.
void dynamic_components::reconnect_cuts() {
  const bool are_many = cuts_.size() > 1;
  if (are_many) climb_together();
  const auto erase_again = [this](cut_edge& erased) {
    // when an earlier part was joined again, its tree may have got another root: then child and parent of an edge have changed places
    if (nodes_[erased.child].parent != erased.parent) std::swap(erased.child, erased.parent);
    cut(erased.child);
  };
  for (std::uint64_t steps_left = are_many ? steps_to_solve() : UINT64_MAX; !cuts_.empty(); cuts_.pop_back()) {
    cut_edge& erased = cuts_.back();
    if (are_many) erase_again(erased);
    const bool is_worth_it = !are_many || steps_per_search_ * static_cast<double>(cuts_.size()) <= static_cast<double>(steps_left);
    if (!is_worth_it) steps_per_search_ -= steps_per_search_ / 64;  // the estimate shrinks, so that searches are tried again some day
    const std::uint64_t steps = is_worth_it ? reconnect_one(erased, steps_left) : steps_left;
    if (steps >= steps_left) {
      for (cut_edge& other : std::span{cuts_}.first(cuts_.size() - 1)) erase_again(other);
      solve();
      return cuts_.clear();
    }
    steps_left -= steps;
    steps_per_search_ += (static_cast<double>(steps) - steps_per_search_) / searches_averaged;
  }
}

// Joins the part below an erased edge to the rest again if some edge leads there. Walks towards roots from the neighbours of the part's
// root often find one, and then 0 is returned. Otherwise search_both() looks for one, and its steps are returned: if they are `most_steps`
// (more than 0) or more, it has given up.
std::uint64_t dynamic_components::reconnect_one(cut_edge erased, std::uint64_t most_steps) {
  const climb up = climb_from(erased.child);
  if (up.root != none || !up.in_time) adapt(erase_steps_, up.root != none);
  if (up.root == none) return search_both(erased, most_steps);
  take({erased.child, up.start});
  return 0;
}

// Looks for an edge from `child` to another tree, by walking up from its neighbours outside the forest. All walks take a step in turn, so
// that the one nearest to a root ends first.
dynamic_components::climb dynamic_components::climb_from(std::uint32_t child) const noexcept {
  std::array<joint, climbers> up;  // for each walk: the neighbour of `child` at which it began, and the vertex that it has reached
  std::size_t count = 0;
  sets_.any_of(nodes_[child].outside, [&](std::uint32_t w) {
    __builtin_prefetch(&nodes_[w]);
    up[count++] = {w, w};
    return count == climbers;
  });
  for (std::uint32_t step = 0; step < erase_steps_ && count != 0; ++step) {
    for (std::size_t i = 0; i < count;) {
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

// Looks for an edge of every part that was cut off at once, by walks towards roots from the neighbours of the part's root; the forest does
// not change meanwhile. Then a part is joined to the part in which its walk ended, if found or erased edges lead from there to the part
// with the root of the whole component without passing this part. The other parts are joined by their erased edges again, and stay in
// cuts_.
void dynamic_components::climb_together() {
  constexpr std::uint32_t too_far = none - 1, unasked = none - 2;
  constexpr std::size_t block = 16,
                        sampled_climbs = 64;  // so many parts look for an edge first; the others look only if at least an eighth found one
  constexpr unsigned most_links = 64;
  const std::size_t count = cuts_.size();
  const std::uint32_t first = next_marks(static_cast<std::uint32_t>(count));
  parallel_blocks(threads_, count, block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) nodes_[cuts_[i].child].mark = first + static_cast<std::uint32_t>(i);
  });
  // Returns the index in cuts_ of the part with this root; none for the part with the root of the whole component.
  const auto part_at = [this, first, count](std::uint32_t root) {
    const std::uint32_t i = nodes_[root].mark - first;
    return i < count ? i : none;
  };
  const auto part_above = [&](std::uint32_t at) {
    for (std::uint32_t step = 0; step < erase_steps_ && nodes_[at].parent != none; ++step) at = nodes_[at].parent;
    return nodes_[at].parent == none ? part_at(at) : too_far;
  };
  std::vector<climb> found(count, climb{none, none, true});
  std::vector<std::uint32_t> ends(count);            // the part in which a walk ended
  std::vector<std::uint32_t> above(count, unasked);  // for parts in which a walk ended: the part at the upper end of their erased edge
  const auto climb_in = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      found[i] = climb_from(cuts_[i].child);
      if (found[i].root == none) continue;
      ends[i] = part_at(found[i].root);
      for (std::uint32_t on = ends[i]; on < unasked;) {
        const std::atomic_ref<std::uint32_t> hangs_on{above[on]};
        if (hangs_on.load(std::memory_order_relaxed) != unasked) break;  // another walk has set it, and sets those further up
        on = part_above(cuts_[on].parent);
        hangs_on.store(on, std::memory_order_relaxed);
      }
    }
  };
  const std::size_t sample = std::min(count, sampled_climbs);
  climb_in(0, sample);
  const auto found_none =
      std::count_if(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(sample), [](const climb& up) { return up.root == none; });
  if (static_cast<std::size_t>(found_none) <= sample - sample / 8) {
    parallel_blocks(threads_, count - sample, block, [&](std::size_t begin, std::size_t end) { climb_in(sample + begin, sample + end); });
  }
  std::vector<joint> joints;
  std::size_t left = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (found[i].root != none || !found[i].in_time) adapt(erase_steps_, found[i].root != none);
    std::uint32_t on = found[i].root != none ? ends[i] : too_far;
    for (unsigned link = 0; link < most_links && on < unasked && on != i; ++link) on = above[on];
    if (on != none) {
      cuts_[left++] = cuts_[i];
      continue;
    }
    above[i] = ends[i];
    joints.push_back({cuts_[i].child, found[i].start});
  }
  cuts_.resize(left);
  take_together(joints);
  on_owners(
      left, [&](std::size_t i, auto add) { add(cuts_[i].parent, cuts_[i].child, true); },
      [&](std::size_t, std::uint32_t parent, std::uint32_t child, neighbour_sets::share&) { hang(child, parent); });
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
// completely and no edge leaves it, makes it a component of its own. Returns the number of steps; if these are `most_steps` or more, the
// search was given up, and nothing has changed.
std::uint64_t dynamic_components::search_both(cut_edge erased, std::uint64_t most_steps) {
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
  std::uint64_t steps = 0;
  const auto done = [&](joint edge) {
    take(edge);
    return steps;
  };
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
        if (nodes_[edge.outside].mark != below) return done(edge);
      }
      part(child, below_, none);
      return steps;
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
        if (nodes_[at_end].mark != above) adapt(erase_steps_, true);
        found = {x, w};
        return true;
      }
      unknown_.push_back({x, w});
      nodes_[w].mark = open;
      return false;
    });
    if (joined) return done(found);
    for (std::uint32_t c = at.child; c != none; c = nodes_[c].next) {
      nodes_[c].mark = below;
      below_.push_back(c);
      ++debt;
    }
    ++debt;
    steps += debt;
    if (steps >= most_steps) return steps;
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
        if (edge.outside == found.outside) return done(edge);
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
        return done(found);
      }
      part(records_[record_of(child)].root, above_, child);
      return steps;
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

}  // namespace copse::dynamics
