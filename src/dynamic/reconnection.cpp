// How a part that was cut off the forest finds the rest again, and what happens if it does not.
#include <dynamic/connectivity.hpp>

#include <algorithm>
#include <array>

namespace copse::dynamics {
namespace {

// Steps up that are tried for an edge that leaves: more where they lead to a root.
constexpr std::uint32_t fewest_erase_steps = 16, most_erase_steps = 64;
constexpr std::size_t climbers = 8;  // edges of a vertex that are tried together

void adapt(std::uint32_t& steps, bool led_to_a_root) noexcept {
  steps = led_to_a_root ? std::min(most_erase_steps, steps + 1) : std::max(fewest_erase_steps, steps - 1);
}

// Marks of a search: four numbers per epoch, of which the first says that a vertex has moved.
enum mark_kind : std::uint32_t { is_below = 1, is_above = 2, is_unknown = 3 };
constexpr std::uint32_t last_epoch = 0xFFFFFFFF / 4;

}  // namespace

bool dynamic_components::erase(std::uint32_t u, std::uint32_t v) {
  sets_.prefetch(nodes_[u].outside, v);
  sets_.prefetch(nodes_[v].outside, u);
  if (nodes_[u].parent == v) {
    reconnect(u, v);
  } else if (nodes_[v].parent == u) {
    reconnect(v, u);
  } else {
    if (!sets_.erase(nodes_[u].outside, v)) return false;
    if (u != v) sets_.erase(nodes_[v].outside, u);
  }
  --edges_;
  return true;
}

void dynamic_components::reconnect(std::uint32_t child, std::uint32_t parent) {
  cut(child);
  if (!reconnect_at(child)) search_both(child, parent);
}

// Looks for an edge of `child` whose other end is in the rest. The other ends climb in step, so that the one nearest to a root gets there
// first.
bool dynamic_components::reconnect_at(std::uint32_t child) {
  std::array<joint, climbers> up;  // where each began, and where it is
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
        up[i] = up[--count];  // it is below `child`
      } else {
        adapt(erase_steps_, true);
        take({child, start});
        return true;
      }
    }
  }
  if (count != 0) adapt(erase_steps_, false);
  return false;
}

// The part that is cut off joins the rest again by this edge.
void dynamic_components::take(joint found) {
  remove_outside(found.inside, found.outside);
  make_root(found.inside);
  hang(found.inside, found.outside);
}

void dynamic_components::next_epoch() {
  if (++epoch_ < last_epoch) return;
  for (node& x : nodes_) x.mark = 0;
  epoch_ = 1;
}

void dynamic_components::search_both(std::uint32_t child, std::uint32_t parent) {
  next_epoch();
  const std::uint32_t below = epoch_ * 4 + is_below, above = epoch_ * 4 + is_above, open = epoch_ * 4 + is_unknown;
  below_.assign(1, child);
  above_.assign(1, parent);
  unknown_.clear();
  nodes_[child].mark = below;
  nodes_[parent].mark = above;
  std::size_t next_below = 0, next_above = 0;
  std::uint32_t above_cursor = none;  // the next child of the vertex of above_ that is being expanded
  bool expanding = false;
  std::uint64_t debt = 0;               // what the search below has cost more than that above
  std::uint64_t credit = erase_steps_;  // steps up that the search may still take, in proportion to what it sees
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
    if (next_below == below_.size()) {  // seen whole: edges whose other end is not here lead to the rest
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
        if (nodes_[at_end].mark != above) adapt(erase_steps_, true);
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
    if (!expanding && next_above == above_.size()) {  // the rest was seen whole
      for (const std::uint32_t y : above_) {
        const bool leads = sets_.any_of(nodes_[y].outside, [&](std::uint32_t w) {
          if (nodes_[w].mark == above) return false;
          found = {y, w};
          return true;
        });
        if (!leads) continue;
        const std::uint32_t r = record_of(child);  // the rest is the smaller part: it is hung below the other
        records_[r].root = child;
        lists_.part(r);
        return take(found);
      }
      return part(records_[record_of(child)].root, above_, child);
    }
  }
}

// These members, whose tree has this root, become a component of their own. `rest_root`: the new root of the rest; none: as it was.
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
