// Which arcs a pass visits: all, one direction, a sample, or those of vertices outside the giant. The choice is a run-time value, so that
// the loop of a rule is compiled once per width of ids, for every sampler and kind of graph; it costs one predicted branch per vertex.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/views.hpp>
#include <core/random.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

namespace copse::backend {

// Counts what loops do, for backends whose accessor counts (instruments/counting.hpp). For all other backends this compiles to nothing.

/// Counts `arcs` arcs as read.
template <class Backend>
COPSE_HOST_DEVICE void inspected([[maybe_unused]] std::uint64_t arcs) noexcept {
  if constexpr (Backend::counts) Backend::template parents<std::uint32_t>::inspected(arcs);
}

/// Wraps a step so that the arcs that it gets, and its loads, are counted.
template <class Backend, class Id, class Step>
auto counted(Step step) noexcept {
  if constexpr (Backend::counts) {
    return [step](Id u, Id v) {
      inspected<Backend>(1);
      return Backend::template parents<std::uint32_t>::call([&] { return step(u, v); });
    };
  } else {
    return step;
  }
}

/// Returns the end of the targets below `limit` in targets[first .. last), part of a sorted row.
template <class Id>
COPSE_HOST_DEVICE std::uint64_t end_of_smaller(const Id* targets, std::uint64_t first, std::uint64_t last, Id limit) noexcept {
  while (first < last) {
    const std::uint64_t middle = first + (last - first) / 2;
    if (targets[middle] < limit) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return first;
}

/// Rows whose offsets are 32 or 64 bits wide, known at run time.
template <class Id>
class any_rows {
public:
  class offset_array {
  public:
    offset_array() = default;
    explicit offset_array(std::span<const std::uint32_t> narrow) noexcept : first_{narrow.data()}, wide_{false} {}
    explicit offset_array(std::span<const std::uint64_t> wide) noexcept : first_{wide.data()}, wide_{true} {}
    /// Returns a view of a copy of this array that is at address `at` and has the same width.
    [[nodiscard]] offset_array moved_to(const void* at) const noexcept {
      offset_array moved = *this;
      moved.first_ = at;
      return moved;
    }
    [[nodiscard]] const void* data() const noexcept { return first_; }
    [[nodiscard]] std::size_t width_bytes() const noexcept { return wide_ ? 8 : 4; }
    COPSE_HOST_DEVICE std::uint64_t operator[](std::size_t v) const noexcept {
      return wide_ ? static_cast<const std::uint64_t*>(first_)[v] : static_cast<const std::uint32_t*>(first_)[v];
    }
    /// Returns offsets[v], read by load(pointer).
    template <class Load>
    COPSE_HOST_DEVICE std::uint64_t loaded(std::size_t v, Load load) const noexcept {
      return wide_ ? load(static_cast<const std::uint64_t*>(first_) + v) : load(static_cast<const std::uint32_t*>(first_) + v);
    }

  private:
    const void* first_ = nullptr;
    bool wide_ = false;
  };

  any_rows() = default;
  template <class Offset>
  explicit any_rows(csr_view<Id, Offset> g) noexcept
      : offsets{g.offsets},
        targets{g.targets.data()},
        arcs{g.targets.size()},
        symmetric{g.symmetric == symmetry::yes},
        sorted{g.sorted},
        vertices_{g.vertices()} {}

  [[nodiscard]] COPSE_HOST_DEVICE Id vertices() const noexcept { return vertices_; }
  [[nodiscard]] COPSE_HOST_DEVICE std::uint64_t degree(Id v) const noexcept { return offsets[std::size_t{v} + 1] - offsets[v]; }
  [[nodiscard, gnu::always_inline]] COPSE_HOST_DEVICE std::span<const Id> row(Id v) const noexcept {
    return {targets + offsets[v], degree(v)};
  }

  offset_array offsets;
  const Id* targets = nullptr;
  std::uint64_t arcs = 0;
  bool symmetric = false;
  bool sorted = false;

private:
  Id vertices_ = 0;
};

enum class arc_choice : std::uint8_t {
  all,             ///< every arc; if rows are symmetric, each edge once, from its larger end
  outside,         ///< every arc of the vertices outside the giant, in both directions, because the larger end of an edge may be inside
  first_two,       ///< the first two arcs of each row
  nth,             ///< arc number `count` of each row
  random,          ///< one random arc of each row
  given,           ///< one arc of each vertex v, that to given[v]; none if given[v] is v itself
  first_of_roots,  ///< the first `count` arcs of vertices that are still roots
};

/// Exchanges the ids of the giant's root and vertex 0, because rules that work in rounds treat the giant as vertex 0. The mapping is its
/// own inverse.
template <class Id>
struct naming {
  Id giant = 0;
  bool giant_is_zero = false;
  COPSE_HOST_DEVICE Id operator()(Id v) const noexcept {
    if (!giant_is_zero) return v;
    return v == 0 ? giant : v == giant ? Id{0} : v;
  }
};

/// Pointers to results of passes in the memory of the GPU (lists of vertices, the giant's label), which later passes read there, so that
/// the host need not wait for them.
template <class Id>
struct device_facts {
  const Id* listed = nullptr;  ///< if not null, only arcs of these vertices are picked
  const unsigned* listed_count = nullptr;
  const Id* giant =
      nullptr;            ///< if not null: the giant's label, for arc_choice::outside; no_vertex if there is none, and no vertex is skipped
  Id* outside = nullptr;  ///< receives the list of the vertices outside the giant that have arcs
  unsigned* outside_count = nullptr;
  unsigned long long* pieces = nullptr;  ///< a counter, 0 at first: into how many pieces the long rows outside the giant are cut
  bool flattens = false;                 ///< true if the pass over the vertices outside the giant also links every vertex to its root
};

/// A graph, and the arcs of it that a pass visits: in rows those that `choice` selects, in a list of edges all, whatever `choice` is.
template <class Id>
struct arc_set {
  Id vertices = 0;
  bool is_rows = false;
  any_rows<Id> rows;
  std::span<const edge<Id>> edges;
  edge<Id>* writable = nullptr;  ///< the first of `edges`, if passes may overwrite them
  arc_choice choice = arc_choice::all;
  unsigned count = 0;          ///< for the choice nth, the index of the arc in its row; for first_of_roots, the number of arcs
  std::uint64_t seed = 0;      ///< for the choice random
  const Id* given = nullptr;   ///< for the choice given: one target per vertex
  Id giant = no_vertex<Id>;    ///< for the choice outside: the giant's label
  bool giant_is_zero = false;  ///< true if rules that work in rounds see vertex 0 under the id `giant`, and the giant's root as vertex 0
  unsigned joined_arcs = 0;    ///< for arc_choice::outside: so many first arcs of each row may be skipped: a sampler has united their ends
  device_facts<Id> there;

  arc_set() = default;
  template <class Offset>
  explicit arc_set(csr_view<Id, Offset> g) noexcept : vertices{g.vertices()}, is_rows{true}, rows{g} {}
  explicit arc_set(coo_view<Id> g) noexcept : vertices{g.vertices()}, edges{g.edges} {}

  [[nodiscard]] arc_set chosen(arc_choice which, unsigned number = 0, std::uint64_t random_seed = 0) const noexcept {
    arc_set set = *this;
    set.choice = which;
    set.count = number;
    set.seed = random_seed;
    return set;
  }
  [[nodiscard]] arc_set chosen_by(const Id* targets) const noexcept {
    arc_set set = chosen(arc_choice::given);
    set.given = targets;
    return set;
  }
  [[nodiscard]] arc_set outside(Id label) const noexcept {
    arc_set set = chosen(arc_choice::outside);
    set.giant = label;
    return set;
  }
  /// Returns the exchange of ids under which rules that work in rounds see the vertices: the giant's root as vertex 0 and vertex 0 as that
  /// root, or no exchange if giant_is_zero is false.
  [[nodiscard]] naming<Id> names() const noexcept { return {giant, giant_is_zero}; }

  /// Returns the arcs of v's row for the choices first_two, random, given and first_of_roots.
  template <class Label>
  [[nodiscard, gnu::always_inline]] COPSE_HOST_DEVICE std::span<const Id> picked_arcs(Id v, const Label& label) const noexcept {
    if (choice == arc_choice::given) return {given + v, given[v] == v ? 0u : 1u};
    const auto row = rows.row(v);
    if (choice == arc_choice::first_two) return row.first(row.size() < 2 ? row.size() : 2);
    if (choice == arc_choice::first_of_roots) {
      return label(v) == v ? row.first(count < row.size() ? count : row.size()) : row.first(0);
    }
    return row.empty() ? row : row.subspan(random_stream{seed, count}.below(v, row.size()), 1);
  }
};

/// The argument `label` of visit() for visits that need no labels, because they skip neither the vertices of a giant nor those that are no
/// roots.
struct itself {
  template <class Id>
  COPSE_HOST_DEVICE Id operator()(Id v) const noexcept {
    return v;
  }
};

/// How many arcs before its visit a vertex is passed to `ahead` for prefetching: about as many as a core can have cache misses in flight.
inline constexpr std::size_t arcs_ahead = 16;

/// The argument `ahead` of visit() for rules that do not prefetch.
struct never_ahead {
  template <class Id>
  void operator()(Id /*v*/) const noexcept {}
};

/// Calls a step with one arc (v, target), starting from u, the vertex to which the previous arc of v's row led. Steps that take three
/// arguments also get v.
template <class Step, class Id>
COPSE_HOST_DEVICE auto take_arc(const Step& step, [[maybe_unused]] Id v, Id u, Id target) {
  if constexpr (requires { step(v, u, target); }) {
    return step(v, u, target);
  } else {
    return step(u, target);
  }
}

/// Visits the arcs of `set`: calls `u = step(u, target)`, or `u = step(v, u, target)`, along the row of each v, with u = v at its start, so
/// that a rule may continue from where the previous arc led (for a list of edges the result is ignored). `label(v)` is v's
/// label so far: a vertex that is its own label is a root, and one with the giant's label is in the giant. `ahead(v)` is called for most
/// vertices some arcs before they are visited, so that it may prefetch.
///
/// A backend may have its own overload of this function, as of gather() and others. Callers in other namespaces therefore do not qualify
/// the name, so that argument-dependent lookup finds the backend's overload, wherever its header is included.
template <class Backend, class Id, class Label, class Step, class Ahead = never_ahead>
void visit(const Backend& backend, const arc_set<Id>& set, Label label, Step wanted_step, Ahead ahead = {}) {
  constexpr bool looks_ahead = !std::same_as<Ahead, never_ahead>;
  const auto step = counted<Backend, Id>(wanted_step);
  if (!set.is_rows) {
    backend.for_blocks(set.edges.size(), [=, edges = set.edges](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        if constexpr (looks_ahead) {
          if (i + arcs_ahead < end) {
            ahead(edges[i + arcs_ahead].u);
            ahead(edges[i + arcs_ahead].v);
          }
        }
        take_arc(step, edges[i].u, edges[i].u, edges[i].v);
      }
    });
  } else if (set.choice == arc_choice::all || set.choice == arc_choice::outside) {
    const bool outside = set.choice == arc_choice::outside, once = !outside && set.rows.symmetric;
    const std::uint64_t arcs = set.rows.arcs;
    backend.for_row_pieces(set.rows, [=, targets = set.rows.targets, sorted = set.rows.sorted, giant = set.giant](Id v, std::uint64_t first,
                                                                                                                  std::uint64_t last) {
      if (outside && label(v) == giant) return;
      const Id limit = once ? v : no_vertex<Id>;  // every id is below no_vertex
      Id u = v;
      for (std::uint64_t a = first; a < last; ++a) {
        if constexpr (looks_ahead) {
          if (a + arcs_ahead < arcs) ahead(targets[a + arcs_ahead]);  // may belong to a later row
        }
        const Id target = targets[a];
        if (target >= limit) {
          if (sorted) break;
          continue;
        }
        u = take_arc(step, v, u, target);
      }
    });
  } else if (set.choice == arc_choice::nth) {
    backend.for_blocks(set.vertices,
                       [=, offsets = set.rows.offsets, targets = set.rows.targets, number = set.count](std::size_t begin, std::size_t end) {
                         std::uint64_t next = offsets[begin];
                         for (std::size_t v = begin; v < end; ++v) {
                           const std::uint64_t first = next;
                           next = offsets[v + 1];
                           const Id from = static_cast<Id>(v);
                           if (next - first > number) take_arc(step, from, from, targets[first + number]);
                         }
                       });
  } else {
    backend.for_blocks(set.vertices, [=](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const Id v = static_cast<Id>(i);
        Id u = v;
        for (const Id target : set.picked_arcs(v, label)) u = take_arc(step, v, u, target);
      }
    });
  }
}

}  // namespace copse::backend
