// Components of a graph whose edges arrive and leave, one by one or many together.
//
// There is a spanning forest of rooted trees, and for each vertex the set of its neighbours by edges outside the forest. Erasing
// an edge outside the forest removes it from two sets. Erasing a tree edge cuts off the subtree of its lower end, and looks for an
// edge that joins it again: first among the edges of that end, by climbing from their other ends to a root, which shows on which
// side they are, unless few vertices are on the side of that end, which are then all visited; then by a search over the tree edges from
// both ends of the erased edge at once, which stops when an edge joins the two sets of vertices that it has met, when a climb leads to the
// root of the rest, or when it has visited one side completely. So a cut costs at most the smaller side, and a few vertices if trees are
// shallow or cycles short. Trees are kept shallow: an edge that arrives between two vertices of a component replaces the tree edge above
// its deeper end if that brings this end nearer to the root, and of the edges that join a subtree again the one nearest to the root is
// taken. (Shallow trees with a search over the smaller subtree: Chen et al., D-tree, PVLDB 2022; Xu et al., DND-tree, PACMMOD 2024.)
//
// Edges that leave together are all erased first. All threads then climb from the parts that were cut off, and search those for which this
// finds no edge, unless a solve costs less (reunion.hpp).
//
// Every vertex names the record of its component, or one that leads there: if components join, the record of the smaller one leads to
// that of the larger one. If a component splits, the vertices of the side that was visited completely get a new record.
//
// Memory: 36 bytes per vertex, and 16 per component and for at most a quarter of the vertices; nothing per tree edge, and 8 to 24 bytes per
// other edge, 15 on average. A solve takes 4 more per vertex while it runs.
#pragma once
#include <dynamic/component_records.hpp>
#include <dynamic/member_lists.hpp>
#include <dynamic/neighbour_sets.hpp>
#include <dynamic/state_bytes.hpp>

#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

namespace copse::dynamics {

/// A vertex that came to another component alone, and not because its whole component joined another one. `from`: the index of its old
/// component in touched(); none if the vertex is new.
struct move {
  std::uint32_t vertex;
  std::uint32_t from;
};

class dynamic_components {
public:
  struct pair {
    std::uint32_t u, v;
  };

  explicit dynamic_components(std::pmr::memory_resource* memory, unsigned threads = 1);

  /// Makes room for vertices with numbers below `slots`. New ones are absent. Throws resource_error if there are too many.
  void reserve(std::uint32_t slots);
  [[nodiscard]] std::uint32_t slots() const noexcept { return static_cast<std::uint32_t>(nodes_.size()); }
  [[nodiscard]] bool present(std::uint32_t v) const noexcept { return v < nodes_.size() && nodes_[v].component != none; }
  [[nodiscard]] unsigned threads() const noexcept { return threads_; }
  [[nodiscard]] std::uint64_t vertices() const noexcept { return vertices_; }
  [[nodiscard]] std::uint64_t components() const noexcept { return records_.components(); }
  [[nodiscard]] std::uint64_t edges() const noexcept { return edges_; }

  // Precondition of all functions below: numbers of vertices are below slots().

  /// Makes the vertex present, as a component of its own. Returns false if it was present.
  bool add_vertex(std::uint32_t v);
  /// Precondition: the vertex is present, and no edge has it as an end.
  void remove_vertex(std::uint32_t v);
  /// Inserts an edge; returns false if it was there. Loops count as edges. Precondition: both ends are present.
  bool insert(std::uint32_t u, std::uint32_t v);
  /// Inserts an edge that is not there. Ends that are absent become present.
  void insert_new(std::uint32_t u, std::uint32_t v);
  /// Erases an edge; returns false if there was none. Its ends stay.
  bool erase(std::uint32_t u, std::uint32_t v) {
    const bool was_there = erase_later(u, v);
    reconnect();
    return was_there;
  }
  /// Like erase(), but does not look for an edge that joins the two parts of a tree again: until reconnect(), which inserts and the end of
  /// a batch call, too, only has_edge() is right, and components may be wrong. For all edges that leave before it, reconnect() does that
  /// work at once, with several threads.
  bool erase_later(std::uint32_t u, std::uint32_t v);
  void reconnect() {
    if (!cuts_.empty()) reconnect_cuts();
  }
  /// Inserts those of these edges whose ends are in one component, on all threads, and sets waits[i] to 0 for them. The others are left to
  /// the caller. Ends may be any numbers.
  void insert_together(std::span<const pair> edges, std::span<unsigned char> waits);
  /// Calls erase_later() for all these edges, on all threads if there are enough of them. has_left[i] is set if it returns true. Returns
  /// how many were.
  std::size_t erase_together(std::span<const pair> edges, std::span<unsigned char> has_left);
  /// Loads into the cache what an operation on the vertex needs.
  void prefetch(std::uint32_t v) const noexcept {
    if (v < nodes_.size()) fetch(&nodes_[v]);
  }
  /// Loads into the cache the record that a vertex names. Precondition: the vertex is below slots().
  void prefetch_record(std::uint32_t v) const noexcept {
    if (nodes_[v].component != none) records_.prefetch(nodes_[v].component);
  }
  /// Loads into the cache what an operation on the edge needs. Its ends should have been loaded before by prefetch().
  void prefetch_edge(std::uint32_t u, std::uint32_t v) const noexcept {
    const bool may_join = !present(u) || !present(v) || nodes_[u].component != nodes_[v].component;
    for (const auto& [one, other] : {pair{u, v}, pair{v, u}}) {
      if (one >= nodes_.size()) continue;
      const node& x = nodes_[one];
      if (x.component == none) {
        lists_.prefetch(one);
        continue;
      }
      sets_.prefetch(x.outside, other);
      if (!may_join) continue;
      records_.prefetch(x.component);
      if (x.child != none) fetch(&nodes_[x.child]);
    }
  }
  /// Prefetches the vertices on the walks towards roots that inserting these edges will make, for all edges at the same time, and the lists
  /// of the components that they will join. Overwrites `edges`.
  void prefetch_climbs(std::span<pair> edges) const noexcept;
  [[nodiscard]] bool has_edge(std::uint32_t u, std::uint32_t v) const noexcept;
  [[nodiscard]] bool isolated(std::uint32_t v) const noexcept {
    const node& x = nodes_[v];
    return x.outside.count == 0 && x.parent == none && x.child == none;
  }

  /// Precondition: the vertex is present.
  [[nodiscard]] std::uint32_t record_of(std::uint32_t v) const noexcept { return records_.find(nodes_[v].component); }
  [[nodiscard]] const component_record& record(std::uint32_t r) const noexcept { return records_[r]; }
  [[nodiscard]] component_record& record(std::uint32_t r) noexcept { return records_[r]; }
  [[nodiscard]] std::uint32_t records() const noexcept { return records_.size(); }
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

  // What the batch did so far. These functions are valid after settle_moves(), until the next operation.

  /// Returns the records of components that the batch changed, as they were before the batch. Until its new id is set, such a record has
  /// its index in this span as its id.
  [[nodiscard]] std::span<const touched_record> touched() const noexcept { return records_.touched(); }
  std::uint32_t touch(std::uint32_t r) { return records_.touch(r); }
  /// Returns the index of a record in touched(). Precondition: the record is in touched(), and its new id was not set yet.
  [[nodiscard]] std::uint32_t index_of(std::uint32_t r) const noexcept { return records_.index_of(r); }
  /// Returns the component that the record is now, or that it has joined.
  [[nodiscard]] std::uint32_t joined_into(std::uint32_t r) const noexcept { return records_.find(r); }
  /// Ends the changes of a batch: calls reconnect(), and keeps only the first entry of each vertex in moves(), the vertices that came to
  /// another component alone.
  void settle_moves();
  [[nodiscard]] std::span<const move> moves() const noexcept { return moves_; }
  [[nodiscard]] bool has_moved(std::uint32_t v) const noexcept { return nodes_[v].mark == moved_; }
  /// Returns the record of the vertex's component before the batch. Precondition: !has_moved(v).
  [[nodiscard]] std::uint32_t record_before(std::uint32_t v) const noexcept { return records_.find_before(nodes_[v].component); }
  /// Calls visit(vertex) for the vertices of the components that joined another one in the batch. has_moved() is true for some of them.
  template <class Visit>
  void for_each_joined(Visit visit) const {
    // A component that joined a second one, which then joined a third, is left out: its vertices are also in the list of the second.
    lists_.for_each_joined([&](std::uint32_t r) { return records_[records_[r].root].size != 0; }, visit);
  }
  /// Begins a batch: forgets what the last one did.
  void forget_batch();

  /// Writes the components, with the numbers that `now` gives to vertices. Precondition: vertices that it leaves out are absent.
  void save(byte_sink& to, const renumbering& now) const;
  /// Reads what save() wrote. Precondition: nothing was added yet.
  void load(byte_source& from);

private:
  struct alignas(32) node {
    std::uint32_t parent = none, child = none, next = none, prev = none;  ///< `child` is the first child; children of a vertex are a list
    std::uint32_t mark = 0;          ///< shows which search met the vertex last, and on which side of a cut
    std::uint32_t component = none;  ///< a record that is its component, or leads to it; none if absent
    neighbour_set outside;           ///< neighbours by edges outside the forest
  };
  struct joint {
    std::uint32_t inside, outside;  ///< ends of an edge outside the forest: in the part that is cut off, and in the rest
  };
  /// The fewest steps of walks towards roots for parts that are cut off together, and now and then for a single part.
  static constexpr std::uint32_t fewest_steps_of_trials = 16;
  struct cut_edge {
    std::uint32_t child, parent;  ///< ends of a tree edge that was erased
  };
  /// What walks towards roots have found that began at the neighbours of `child`, the root of a part that was cut off.
  struct climb {
    std::uint32_t start;  ///< a neighbour that is in another tree; none if no walk found one
    std::uint32_t root;   ///< the root that its walk reached; none if it is known to be in another tree because all below `child` are known
    bool in_time;         ///< false if no walk found one, and some walks had reached no root at all after erase_steps_ steps
  };

  void save_sets(byte_sink& to, const renumbering& now, std::uint32_t bound) const;
  void load_sets(byte_source& from);
  [[nodiscard]] std::vector<std::uint64_t> in_largest() const;
  class reunion;

  /// What changes at one end of an edge: `to` comes into the set of `from`, or leaves it; or it becomes a child, or is one no more.
  struct half_edge {
    std::uint32_t from, to;
    std::uint32_t item;  ///< the number of the edge among those that on_owners() handles at once
    bool is_of_tree;
  };
  template <class PairsOf, class Change>
  void on_owners(std::size_t items, PairsOf pairs_of, Change change);
  /// Prefetches the vertices that change with `child` if it is cut off `parent` or hung below it.
  void prefetch_siblings(std::uint32_t child, std::uint32_t parent) const noexcept {
    for (const std::uint32_t beside : {nodes_[child].next, nodes_[child].prev, nodes_[parent].child})
      if (beside != none) __builtin_prefetch(&nodes_[beside]);
  }
  /// Returns the vertex that follows v among those below `root`, ancestors first; none after the last one.
  [[nodiscard]] std::uint32_t next_below(std::uint32_t root, std::uint32_t v) const noexcept {
    if (nodes_[v].child != none) return nodes_[v].child;
    while (v != root && nodes_[v].next == none) v = nodes_[v].parent;
    return v == root ? none : nodes_[v].next;
  }
  template <class Visit>
  void walk_tree(std::uint32_t root, Visit visit) const {
    for (std::uint32_t v = root; v != none; v = next_below(root, v)) visit(v);
  }
  [[nodiscard]] bool connected(std::uint32_t u, std::uint32_t v) const noexcept {
    return nodes_[u].component == nodes_[v].component || record_of(u) == record_of(v);
  }
  void relabel(std::uint32_t v, std::uint32_t r);
  void add_leaf(std::uint32_t v, std::uint32_t parent);
  void hang(std::uint32_t child, std::uint32_t parent) noexcept;
  void cut(std::uint32_t child) noexcept;
  void make_root(std::uint32_t v) noexcept;
  void join(std::uint32_t u, std::uint32_t v);
  void add_outside(std::uint32_t u, std::uint32_t v);
  void remove_outside(std::uint32_t u, std::uint32_t v);
  [[nodiscard]] bool looks_for_a_better_place(const node& u, const node& v) const noexcept {
    // A new edge between two vertices of a tree can make the tree shallower if it replaces a tree edge, but finding this out costs more
    // than the insert. So it is tried only if the end with fewer neighbours outside the forest has 0, 2, 8, 32, ... of them.
    constexpr std::uint32_t even_powers_of_two = 0x55555555;
    const std::uint32_t fewer = std::min(u.outside.count, v.outside.count);
    return (fewer & (fewer - 1)) == 0 && (fewer & even_powers_of_two) == 0;
  }
  [[nodiscard]] bool lowers(std::uint32_t u, std::uint32_t v, std::uint32_t& deeper) noexcept;
  void reconnect_cuts();
  void adapt_erase_steps(std::uint32_t with_edge, std::uint32_t too_far) noexcept;
  [[nodiscard]] std::uint64_t steps_to_solve() const noexcept;
  [[nodiscard]] climb climb_from(std::uint32_t child, std::uint32_t steps, bool is_only_part) const noexcept;
  void reconnect_in_turn();
  void reconnect_one(cut_edge erased);
  void search_both(cut_edge erased);
  void take(joint found);
  void take_together(std::span<const joint> found);
  void part(std::uint32_t root, std::span<const std::uint32_t> members, std::uint32_t rest_root);
  void part_together(std::span<const std::uint32_t> roots);
  [[nodiscard]] std::uint32_t next_marks(std::uint32_t count);

  std::pmr::vector<node> nodes_;
  component_records records_;
  member_lists lists_;
  std::pmr::vector<move> moves_;
  neighbour_sets sets_;
  std::pmr::vector<std::uint32_t> below_, above_;                // the vertices that a search has met from each end of the cut
  std::pmr::vector<joint> unknown_;                              // edges of the part that is cut off whose other ends may be in either part
  std::pmr::vector<cut_edge> cuts_;                              // erased tree edges whose lower ends wait for reconnect()
  std::vector<std::vector<std::vector<half_edge>>> half_edges_;  // by the worker that found them, and the one that changes them
  std::pmr::memory_resource* memory_;
  unsigned threads_;
  std::uint32_t last_mark_ = 0, moved_ = 0;
  // the most steps of a walk towards a root when an edge leaves, and when one arrives; they grow by one with a walk that reaches a root,
  // and shrink by one with a walk that has too many steps to go
  std::uint32_t erase_steps_ = 40, insert_steps_ = 24;
  std::uint32_t cuts_so_far_ = 0;  // modulo 2^32
  double steps_per_search_ = 0;    // the mean steps of the searches of parts that were cut off together, over thousands of parts
  std::uint64_t vertices_ = 0, edges_ = 0;
};

}  // namespace copse::dynamics
