#include <copse/errors.hpp>
#include <dynamic/connectivity.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace copse::dynamics {
namespace {

// Steps up that are tried for an edge that arrives, and for one that leaves: more of the latter where they lead to a root.
constexpr std::uint32_t insert_steps = 24, fewest_erase_steps = 16, most_erase_steps = 64;
constexpr std::size_t climbers = 8;  // edges of a vertex that are tried together

void adapt(std::uint32_t& steps, bool led_to_a_root) noexcept {
  steps = led_to_a_root ? std::min(most_erase_steps, steps + 1) : std::max(fewest_erase_steps, steps - 1);
}

// Marks of a search: four numbers per epoch.
enum mark_kind : std::uint32_t { is_below = 1, is_above = 2, is_unknown = 3 };
constexpr std::uint32_t last_epoch = 0xFFFFFFFF / 4;

}  // namespace

dynamic_components::dynamic_components(std::pmr::memory_resource* memory)
    : nodes_{memory},
      records_{memory},
      free_records_{memory},
      freed_records_{memory},
      moves_{memory},
      sets_{memory},
      below_{memory},
      above_{memory},
      unknown_{memory} {}

void dynamic_components::reserve(std::uint32_t slots) {
  if (slots <= nodes_.size()) return;
  if (slots > vertex_limit) throw resource_error{"more than " + std::to_string(vertex_limit) + " vertices of a dynamic graph"};
  nodes_.resize(slots);
}

std::uint32_t dynamic_components::new_record(std::uint32_t size, std::uint32_t root) {
  ++components_;
  const component_record made{.size = size, .root = root};
  if (free_records_.empty()) {
    records_.push_back(made);
    return static_cast<std::uint32_t>(records_.size() - 1);
  }
  const std::uint32_t r = free_records_.back();
  free_records_.pop_back();
  records_[r] = made;
  return r;
}

void dynamic_components::free_record(std::uint32_t r) {
  --components_;
  records_[r].size = 0;
  records_[r].root = none;
  (notes_moves_ ? freed_records_ : free_records_).push_back(r);
}

void dynamic_components::forget_moves() {
  moves_.clear();
  if (moves_.capacity() > 65536) moves_.shrink_to_fit();
  free_records_.insert(free_records_.end(), freed_records_.begin(), freed_records_.end());
  freed_records_.clear();
}

bool dynamic_components::add_vertex(std::uint32_t v) {
  if (nodes_[v].component != none) return false;
  relabel(v, new_record(1, v));
  ++vertices_;
  return true;
}

void dynamic_components::remove_vertex(std::uint32_t v) {
  const std::uint32_t r = nodes_[v].component;
  relabel(v, none);
  free_record(r);
  --vertices_;
}

// ---- the forest

void dynamic_components::hang(std::uint32_t child, std::uint32_t parent) noexcept {
  node& below = nodes_[child];
  node& above = nodes_[parent];
  below.parent = parent;
  below.prev = none;
  below.next = above.child;
  if (above.child != none) nodes_[above.child].prev = child;
  above.child = child;
}

void dynamic_components::cut(std::uint32_t child) noexcept {
  node& below = nodes_[child];
  if (below.prev != none) {
    nodes_[below.prev].next = below.next;
  } else {
    nodes_[below.parent].child = below.next;
  }
  if (below.next != none) nodes_[below.next].prev = below.prev;
  below.parent = below.next = below.prev = none;
}

void dynamic_components::make_root(std::uint32_t v) noexcept {
  std::uint32_t above = nodes_[v].parent;
  if (above != none) cut(v);
  for (std::uint32_t below = v; above != none;) {
    const std::uint32_t next = nodes_[above].parent;
    if (next != none) cut(above);
    hang(above, below);
    below = above;
    above = next;
  }
}

void dynamic_components::add_outside(std::uint32_t u, std::uint32_t v) {
  sets_.insert(nodes_[u].outside, v);
  if (u != v) sets_.insert(nodes_[v].outside, u);
}

void dynamic_components::remove_outside(std::uint32_t u, std::uint32_t v) {
  sets_.erase(nodes_[u].outside, v);
  if (u != v) sets_.erase(nodes_[v].outside, u);
}

// ---- inserting

bool dynamic_components::has_edge(std::uint32_t u, std::uint32_t v) const noexcept {
  const node &a = nodes_[u], &b = nodes_[v];
  if (a.parent == v || b.parent == u) return true;
  if (a.component != b.component) return false;
  return a.outside.count <= b.outside.count ? sets_.contains(a.outside, v) : sets_.contains(b.outside, u);
}

bool dynamic_components::insert(std::uint32_t u, std::uint32_t v) {
  if (has_edge(u, v)) return false;
  insert_new(u, v);
  return true;
}

void dynamic_components::insert_new(std::uint32_t u, std::uint32_t v) {
  ++edges_;
  if (nodes_[u].component != nodes_[v].component) return join(u, v);
  std::uint32_t deeper = none;
  if (!looks_for_a_better_place(nodes_[u], nodes_[v]) || !lowers(u, v, deeper)) return add_outside(u, v);
  if (deeper == u) std::swap(u, v);  // u is nearer to the root
  const std::uint32_t before = nodes_[v].parent;
  add_outside(v, before);
  cut(v);
  hang(v, u);
}

// Two components become one: the smaller is hung below the larger.
void dynamic_components::join(std::uint32_t u, std::uint32_t v) {
  if (records_[nodes_[u].component].size < records_[nodes_[v].component].size) std::swap(u, v);
  const std::uint32_t into = nodes_[u].component, from = nodes_[v].component;
  make_root(v);
  walk_tree(v, [&](std::uint32_t x) { relabel(x, into); });
  hang(v, u);
  records_[into].size += records_[from].size;
  free_record(from);
}

// Is one end at least two steps further from the root than the other? Both climb in step until one reaches the root.
bool dynamic_components::lowers(std::uint32_t u, std::uint32_t v, std::uint32_t& deeper) const noexcept {
  std::uint32_t a = u, b = v;
  for (std::uint32_t step = 0; step < insert_steps; ++step) {
    const std::uint32_t up_a = nodes_[a].parent, up_b = nodes_[b].parent;
    if (up_a == none || up_b == none) {
      if (up_a == up_b) return false;
      deeper = up_a == none ? v : u;
      return nodes_[up_a == none ? up_b : up_a].parent != none;
    }
    if (up_a == up_b) return false;
    a = up_a;
    b = up_b;
  }
  return false;
}

void dynamic_components::prefetch_climbs(std::span<pair> edges) const noexcept {
  std::size_t left = 0;
  for (const pair& edge : edges) {
    if (!present(edge.u) || !present(edge.v) || nodes_[edge.u].component != nodes_[edge.v].component) continue;
    if (looks_for_a_better_place(nodes_[edge.u], nodes_[edge.v])) edges[left++] = edge;
  }
  for (std::uint32_t step = 0; step < insert_steps && left != 0; ++step) {
    for (std::size_t i = 0; i < left;) {
      pair& at = edges[i];
      const std::uint32_t up_u = nodes_[at.u].parent, up_v = nodes_[at.v].parent;
      if (up_u == none || up_v == none || up_u == up_v) {
        at = edges[--left];
        continue;
      }
      __builtin_prefetch(&nodes_[up_u]);
      __builtin_prefetch(&nodes_[up_v]);
      at = {up_u, up_v};
      ++i;
    }
  }
}

// ---- erasing

bool dynamic_components::erase(std::uint32_t u, std::uint32_t v) {
  sets_.prefetch(nodes_[u].outside, v);
  sets_.prefetch(nodes_[v].outside, u);
  if (nodes_[u].parent == v) {
    reconnect(u, v);
  } else if (nodes_[v].parent == u) {
    reconnect(v, u);
  } else {
    if (nodes_[u].component != nodes_[v].component || !sets_.erase(nodes_[u].outside, v)) return false;
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
        const std::uint32_t r = nodes_[child].component;  // the rest is the smaller part: it is hung below the other
        records_[r].root = child;
        return take(found);
      }
      return part(records_[nodes_[child].component].root, above_, child);
    }
  }
}

// These members, whose tree has this root, become a component of their own. `rest_root`: the new root of the rest; none: as it was.
void dynamic_components::part(std::uint32_t root, std::span<const std::uint32_t> members, std::uint32_t rest_root) {
  const std::uint32_t before = nodes_[root].component;
  const std::uint32_t fresh = new_record(static_cast<std::uint32_t>(members.size()), root);
  records_[before].size -= static_cast<std::uint32_t>(members.size());
  if (rest_root != none) records_[before].root = rest_root;
  for (const std::uint32_t x : members) relabel(x, fresh);
}

}  // namespace copse::dynamics
