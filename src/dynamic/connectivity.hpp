// Components of a graph whose edges arrive and leave, one by one.
//
// Idea: a spanning forest of rooted trees, and for each vertex the set of its neighbours by edges outside the forest. An edge outside the
// forest is erased from two sets. Erasing a tree edge cuts the subtree of its lower end off, and looks for an edge that joins it again:
// among the edges of that end first, whose other ends climb to a root, which says on which side they are; then by a search over the tree
// edges from both ends at once, which stops when an edge joins the two balls, when a climb leads to the root of the rest, or when one side
// has been seen whole. So a cut costs the smaller side at most, and where trees are shallow or cycles short, a few vertices. Trees are kept
// shallow: an edge that arrives between two vertices of a component takes the place of the tree edge above its deeper end if that end gets
// nearer to the root, and of the edges that join a subtree again the one nearest to the root is taken. (Shallow trees with a search over
// the smaller subtree: Chen et al., D-tree, PVLDB 2022; Xu et al., DND-tree, PACMMOD 2024.)
//
// Every vertex knows the record of its component, so that a query is two reads; where components join, the smaller one is
// relabelled, and where one parts, the side that was seen whole first.
//
// Memory: 32 bytes per vertex and 16 per component; nothing per tree edge, and per other edge 8 to 24 bytes, 15 on average.
#pragma once
#include <dynamic/neighbour_sets.hpp>
#include <dynamic/state_bytes.hpp>

#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

namespace copse::dynamics {

/// A component: one record for as long as its larger part stays together.
struct component_record {
  std::uint64_t id = ~std::uint64_t{0};  ///< for the user of this class; new records have this one
  std::uint32_t size = 0;                ///< vertices; 0: the record is free
  std::uint32_t root = none;             ///< the root of its tree
};

/// A vertex that came to another record; `from` none: it is new, `to` is where it is now.
struct move {
  std::uint32_t vertex;
  std::uint32_t from;
};

class dynamic_components {
public:
  explicit dynamic_components(std::pmr::memory_resource* memory);

  /// Numbers below exist as slots, absent at first. Throws resource_error.
  void reserve(std::uint32_t slots);
  [[nodiscard]] std::uint32_t slots() const noexcept { return static_cast<std::uint32_t>(nodes_.size()); }
  [[nodiscard]] bool present(std::uint32_t v) const noexcept { return v < nodes_.size() && nodes_[v].component != none; }
  [[nodiscard]] std::uint64_t vertices() const noexcept { return vertices_; }
  [[nodiscard]] std::uint64_t components() const noexcept { return components_; }
  [[nodiscard]] std::uint64_t edges() const noexcept { return edges_; }

  /// Precondition of all below: slots of the vertices are reserved.
  /// The vertex becomes present, a component of its own. False if it was.
  bool add_vertex(std::uint32_t v);
  /// Precondition: present, and no edge has it as an end.
  void remove_vertex(std::uint32_t v);
  /// Precondition: both are present. False if the edge was there. A loop is an edge.
  bool insert(std::uint32_t u, std::uint32_t v);
  /// Precondition: the edge is not there.
  void insert_new(std::uint32_t u, std::uint32_t v);
  /// False if there was no such edge. The ends stay.
  bool erase(std::uint32_t u, std::uint32_t v);
  /// Fetches what an operation on the vertex needs.
  void prefetch(std::uint32_t v) const noexcept {
    if (v < nodes_.size()) __builtin_prefetch(&nodes_[v], 1);
  }
  /// Fetches what an operation on the edge needs, once its ends have arrived.
  void prefetch_edge(std::uint32_t u, std::uint32_t v) const noexcept {
    if (u < nodes_.size()) sets_.prefetch(nodes_[u].outside, v);
    if (v < nodes_.size()) sets_.prefetch(nodes_[v].outside, u);
  }
  /// An edge that is going to be inserted.
  struct pair {
    std::uint32_t u, v;
  };
  /// Fetches the vertices that inserting these edges will climb over, all at once rather than one after the other. Uses `edges` up.
  void prefetch_climbs(std::span<pair> edges) const noexcept;
  [[nodiscard]] bool has_edge(std::uint32_t u, std::uint32_t v) const noexcept;
  [[nodiscard]] bool isolated(std::uint32_t v) const noexcept {
    const node& x = nodes_[v];
    return x.outside.count == 0 && x.parent == none && x.child == none;
  }

  /// Precondition: present.
  [[nodiscard]] std::uint32_t record_of(std::uint32_t v) const noexcept { return nodes_[v].component; }
  [[nodiscard]] const component_record& record(std::uint32_t r) const noexcept { return records_[r]; }
  [[nodiscard]] component_record& record(std::uint32_t r) noexcept { return records_[r]; }
  [[nodiscard]] std::uint32_t records() const noexcept { return static_cast<std::uint32_t>(records_.size()); }
  /// Calls visit(vertex) for each vertex of a component, ancestors first.
  template <class Visit>
  void for_each_member(std::uint32_t r, Visit visit) const {
    walk_tree(records_[r].root, visit);
  }
  /// Calls visit(neighbour) for each edge of v, a loop once.
  template <class Visit>
  void for_each_neighbour(std::uint32_t v, Visit visit) const {
    const node& x = nodes_[v];
    if (x.parent != none) visit(x.parent);
    for (std::uint32_t c = x.child; c != none; c = nodes_[c].next) visit(c);
    sets_.any_of(x.outside, [&](std::uint32_t w) {
      visit(w);
      return false;
    });
  }

  /// Every change of a vertex's record since forget_moves(), in order, if notes_moves was set; a record that became free is not used again
  /// before.
  [[nodiscard]] std::span<const move> moves() const noexcept { return moves_; }
  void note_moves(bool on) noexcept { notes_moves_ = on; }
  void forget_moves();

  /// Precondition: no moves are noted, and vertices that `now` leaves out are absent.
  void save(byte_sink& to, const renumbering& now) const;
  /// What save() wrote. Precondition: nothing was added yet.
  void load(byte_source& from);

private:
  struct alignas(32) node {
    std::uint32_t parent = none, child = none, next = none, prev = none;  ///< children of a vertex are a list
    std::uint32_t mark = 0;                                               ///< the last search that met it, and how
    std::uint32_t component = none;                                       ///< its record; none: absent
    neighbour_set outside;                                                ///< neighbours by edges outside the forest
  };
  struct joint {
    std::uint32_t inside, outside;  ///< ends of an edge outside the forest: in the part that is cut off, and in the rest
  };

  template <class Visit>
  void walk_tree(std::uint32_t root, Visit visit) const {
    for (std::uint32_t v = root;;) {
      visit(v);
      if (nodes_[v].child != none) {
        v = nodes_[v].child;
        continue;
      }
      while (v != root && nodes_[v].next == none) v = nodes_[v].parent;
      if (v == root) return;
      v = nodes_[v].next;
    }
  }
  [[nodiscard]] std::uint32_t new_record(std::uint32_t size, std::uint32_t root);
  void free_record(std::uint32_t r);
  void relabel(std::uint32_t v, std::uint32_t r) {
    if (notes_moves_) moves_.push_back({v, nodes_[v].component});
    nodes_[v].component = r;
  }
  void hang(std::uint32_t child, std::uint32_t parent) noexcept;
  void cut(std::uint32_t child) noexcept;
  void make_root(std::uint32_t v) noexcept;
  void join(std::uint32_t u, std::uint32_t v);
  void add_outside(std::uint32_t u, std::uint32_t v);
  void remove_outside(std::uint32_t u, std::uint32_t v);
  [[nodiscard]] bool looks_for_a_better_place(const node& u, const node& v) const noexcept {
    // At its first edges a vertex does, and ever less often: looking costs more than the insert.
    const std::uint32_t fewer = std::min(u.outside.count, v.outside.count);
    return (fewer & (fewer - 1)) == 0;
  }
  [[nodiscard]] bool lowers(std::uint32_t shallow, std::uint32_t deep, std::uint32_t& lower) const noexcept;
  void reconnect(std::uint32_t child, std::uint32_t parent);
  bool reconnect_at(std::uint32_t child);
  void search_both(std::uint32_t child, std::uint32_t parent);
  void take(joint found);
  void part(std::uint32_t root, std::span<const std::uint32_t> members, std::uint32_t rest_root);
  void next_epoch();

  std::pmr::vector<node> nodes_;
  std::pmr::vector<component_record> records_;
  std::pmr::vector<std::uint32_t> free_records_, freed_records_;
  std::pmr::vector<move> moves_;
  neighbour_sets sets_;
  std::pmr::vector<std::uint32_t> below_, above_;  // the two balls of a search
  std::pmr::vector<joint> unknown_;                // edges of the part cut off, whose other ends may be on either side
  std::uint32_t epoch_ = 0;
  std::uint32_t erase_steps_ = 40;  // up, as far as it has been worth trying
  std::uint64_t vertices_ = 0, components_ = 0, edges_ = 0;
  bool notes_moves_ = false;
};

}  // namespace copse::dynamics
