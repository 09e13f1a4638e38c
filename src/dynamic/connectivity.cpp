#include <copse/errors.hpp>
#include <core/parallel.hpp>
#include <dynamic/connectivity.hpp>

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>

namespace copse::dynamics {
namespace {

// Bounds of the number of steps that are tried from the ends of a new edge towards the root. The number grows by one when they reach a
// root, and shrinks by one when they do not.
constexpr std::uint32_t fewest_insert_steps = 8, most_insert_steps = 24;

}  // namespace

dynamic_components::dynamic_components(std::pmr::memory_resource* memory, unsigned threads)
    : nodes_{memory},
      records_{memory},
      lists_{memory},
      moves_{memory},
      sets_{memory},
      below_{memory},
      above_{memory},
      unknown_{memory},
      cuts_{memory},
      memory_{memory},
      threads_{threads} {}

void dynamic_components::reserve(std::uint32_t slots) {
  if (slots <= nodes_.size()) return;
  if (slots > vertex_limit) throw resource_error{"a dynamic graph cannot have more than " + std::to_string(vertex_limit) + " vertices"};
  grow_by_a_quarter(nodes_, slots);
  nodes_.resize(slots);
  lists_.reserve(slots);
}

// ---- what a batch did

void dynamic_components::relabel(std::uint32_t v, std::uint32_t r) {
  std::uint32_t& component = nodes_[v].component;
  if (component == none) {
    moves_.push_back({v, none});
  } else {
    const std::uint32_t from = records_.touch(records_.find_before(component));
    // size 0: this record was made in this batch, so moves_ has an earlier entry of the vertex, with its component before the batch
    if (records_.touched()[from].size != 0) moves_.push_back({v, from});
  }
  component = r;
}

std::uint32_t dynamic_components::next_marks(std::uint32_t count) {
  if (count > none - last_mark_) {
    for (node& x : nodes_) x.mark = 0;
    last_mark_ = 0;
  }
  return std::exchange(last_mark_, last_mark_ + count) + 1;
}

void dynamic_components::settle_moves() {
  reconnect();
  constexpr std::size_t block = 4096;
  moved_ = next_marks(1);
  if (moves_.empty()) return;
  std::atomic<bool> any_twice{false};
  parallel_blocks(threads_, moves_.size(), block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      if (std::atomic_ref{nodes_[moves_[i].vertex].mark}.exchange(moved_, std::memory_order_relaxed) == moved_) any_twice = true;
  });
  if (!any_twice) return;
  moved_ = next_marks(1);
  const auto has_moved_before = [this](const move& m) { return std::exchange(nodes_[m.vertex].mark, moved_) == moved_; };
  moves_.erase(std::remove_if(moves_.begin(), moves_.end(), has_moved_before), moves_.end());
}

void dynamic_components::forget_batch() {
  clear_for_batch(moves_);
  lists_.forget_batch();
  records_.forget_batch();
  if (records_.joined() <= 4 + slots() / 4) return;
  const std::vector<std::uint32_t> places = records_.places();
  for (node& x : nodes_)
    if (x.component != none) x.component = places[records_.find(x.component)];
  records_.compact();
  lists_.renumber(places);
}

bool dynamic_components::add_vertex(std::uint32_t v) {
  if (present(v)) return false;
  const std::uint32_t r = records_.add(1, v);
  lists_.begin({r, v});
  relabel(v, r);
  ++vertices_;
  return true;
}

void dynamic_components::add_leaf(std::uint32_t v, std::uint32_t parent) {
  const std::uint32_t r = record_of(parent);
  records_.touch(r);
  ++records_[r].size;
  lists_.append(v, {r, records_[r].root});
  relabel(v, r);
  ++vertices_;
  hang(v, parent);
}

void dynamic_components::remove_vertex(std::uint32_t v) {
  reconnect();
  const std::uint32_t r = record_of(v);
  relabel(v, none);
  records_.free(r);
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
  if (!connected(u, v)) return false;
  return a.outside.count <= b.outside.count ? sets_.contains(a.outside, v) : sets_.contains(b.outside, u);
}

bool dynamic_components::insert(std::uint32_t u, std::uint32_t v) {
  if (has_edge(u, v)) return false;
  insert_new(u, v);
  return true;
}

void dynamic_components::insert_new(std::uint32_t u, std::uint32_t v) {
  reconnect();
  ++edges_;
  if (!present(u)) std::swap(u, v);
  if (!present(u)) add_vertex(u);
  if (!present(v)) return add_leaf(v, u);
  if (nodes_[u].component != nodes_[v].component) {
    for (const std::uint32_t w : {u, v}) nodes_[w].component = records_.find_before(nodes_[w].component);
    if (!connected(u, v)) return join(u, v);
  }
  std::uint32_t deeper = none;
  if (!looks_for_a_better_place(nodes_[u], nodes_[v]) || !lowers(u, v, deeper)) return add_outside(u, v);
  if (deeper == u) std::swap(u, v);  // u is nearer to the root
  const std::uint32_t before = nodes_[v].parent;
  add_outside(v, before);
  cut(v);
  hang(v, u);
}

// Joins two components: the smaller one is hung below the larger. Its vertices are relabelled one by one only if it is a single vertex or
// has no list of its vertices.
void dynamic_components::join(std::uint32_t u, std::uint32_t v) {
  std::uint32_t into = record_of(u), from = record_of(v);
  if (records_[into].size < records_[from].size) {
    std::swap(u, v);
    std::swap(into, from);
  }
  const member_lists::component smaller{from, records_[from].root}, larger{into, records_[into].root};
  make_root(v);
  if (records_[from].size != 1 && lists_.has_list(from)) {
    lists_.join(smaller, larger);
    records_.join(from, into);
  } else {
    records_.touch(into);
    records_[into].size += records_[from].size;
    walk_tree(v, [&](std::uint32_t x) {
      relabel(x, into);
      lists_.append(x, larger);
    });
    records_.free(from);
  }
  hang(v, u);
}

// Finds out whether one end is at least two steps further from the root than the other. Both climb in step until one reaches the root.
bool dynamic_components::lowers(std::uint32_t u, std::uint32_t v, std::uint32_t& deeper) noexcept {
  std::uint32_t a = u, b = v;
  for (std::uint32_t step = 0; step < insert_steps_; ++step) {
    const std::uint32_t up_a = nodes_[a].parent, up_b = nodes_[b].parent;
    if (up_a == none || up_b == none) {
      insert_steps_ = std::min(most_insert_steps, insert_steps_ + 1);
      if (up_a == up_b) return false;
      deeper = up_a == none ? v : u;
      return nodes_[up_a == none ? up_b : up_a].parent != none;
    }
    if (up_a == up_b) return false;
    a = up_a;
    b = up_b;
  }
  insert_steps_ = std::max(fewest_insert_steps, insert_steps_ - 1);
  return false;
}

void dynamic_components::prefetch_climbs(std::span<pair> edges) const noexcept {
  std::size_t left = 0;
  for (const pair& edge : edges) {
    if (!present(edge.u) && !present(edge.v)) continue;
    if (!present(edge.u) || !present(edge.v)) {
      lists_.prefetch(records_[record_of(present(edge.u) ? edge.u : edge.v)].root);
      continue;
    }
    if (connected(edge.u, edge.v)) {
      if (looks_for_a_better_place(nodes_[edge.u], nodes_[edge.v])) edges[left++] = edge;
      continue;
    }
    // join() links the lists of the two components, and turns the path from the end in the smaller one to its root
    const component_record &of_u = records_[record_of(edge.u)], &of_v = records_[record_of(edge.v)];
    lists_.prefetch(of_u.root);
    lists_.prefetch(of_v.root);
    edges[left++] = {of_u.size >= of_v.size ? edge.v : edge.u, none};
  }
  for (std::uint32_t step = 0; step < insert_steps_ && left != 0; ++step) {
    for (std::size_t i = 0; i < left;) {
      pair& at = edges[i];
      const bool is_pair = at.v != none;
      const std::uint32_t up_u = nodes_[at.u].parent, up_v = is_pair ? nodes_[at.v].parent : none;
      if (up_u == none || (is_pair && (up_v == none || up_u == up_v))) {
        at = edges[--left];
        continue;
      }
      __builtin_prefetch(&nodes_[up_u]);
      if (is_pair) {
        __builtin_prefetch(&nodes_[up_v]);
      } else {
        for (const std::uint32_t beside : {nodes_[at.u].next, nodes_[at.u].prev})
          if (beside != none) __builtin_prefetch(&nodes_[beside]);
      }
      at = {up_u, up_v};
      ++i;
    }
  }
}

}  // namespace copse::dynamics
