// Clusters that grow pair by pair and never break a constraint.
//
// The clusters are a union-find forest in which the smaller cluster always joins the larger. For each limit on values a cluster has a
// ring of vertices, one for each value in it, and a table has the number of vertices by (cluster, value). Another ring has the vertices
// with cannot-link pairs, and the table says which two clusters have such a pair. A union moves the vertices in the rings of the smaller
// cluster, so each vertex moves O(log n) times. For a limit of one record of each of few values, a cluster has a word with a bit per
// value instead. Constraints are monotone: if the union of two clusters breaks one, so does every union that contains it. So a value that
// prevented a union is remembered for the two clusters, and refusing them again is O(1) until one of them joins another.
//
// Invariant: of two clusters of which one has several vertices, the table has an entry for (that one, the other) if and only if a
// cannot-link pair joins them. Components share no cluster and no entry, so different threads may work on different components.
#pragma once
#include <clusters/constraints.hpp>
#include <clusters/keyed_counts.hpp>
#include <clusters/outcome.hpp>
#include <clusters/value_codes.hpp>
#include <copse/cluster.hpp>
#include <copse/memory.hpp>
#include <core/parallel_buffers.hpp>

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace copse::clusters {

/// The clusters of all vertices; at first each vertex is a cluster. Memory per vertex: 2 ids, 2 more if there are cannot-link pairs, and
/// for each limit on values 2 more, or 8 bytes if it allows one record per value and there are at most 64 values.
template <unsigned_index Id>
class cluster_forest {
public:
  /// Keeps references to `limits` and `components`, which has the component of each vertex; no pair may join two components.
  cluster_forest(const constraints& limits, std::span<const Id> components, unsigned threads, std::pmr::memory_resource* memory)
      : limits_{limits}, components_{components}, sizes_{filled(components.size(), Id{1}, threads, memory)} {
    const auto vertices = [&](auto is_member) {
      return made<Id>(
          components.size(), [&](std::size_t v) { return is_member(v) ? static_cast<Id>(v) : no_vertex<Id>; }, threads, memory);
    };
    const auto every = [](std::size_t) { return true; };
    parents_ = vertices(every);
    for (std::size_t i = 0; i < limits.limits.size(); ++i) {
      const value_codes& codes = limits.codes[i];
      rings_.emplace_back();
      bits_.emplace_back();
      if (codes.empty()) {
        const value_limit& limit = limits.limits[i];
        rings_.back() = {vertices([&](std::size_t v) { return limit.values[v] != value_limit::no_value; }), vertices(every)};
      } else {
        bits_.back() = made<std::uint64_t>(
            components.size(), [&](std::size_t v) { return bit_of(codes, v); }, threads, memory);
      }
    }
    if (limits.apart.empty()) return;
    ring& apart = rings_.emplace_back(ring{vertices([](std::size_t) { return false; }), vertices(every)});
    for (const auto& [u, v] : limits.apart) apart.first[u] = static_cast<Id>(u);
  }

  /// Unites the clusters of one component at a time. Different workers may run at the same time, on different components.
  class worker {
  public:
    explicit worker(cluster_forest& all) noexcept : all_{all} {}

    /// Empties the tables about the clusters of one component; call it before the pairs of the next component.
    void next_component() {
      table_.clear();
      witnesses_.clear();
    }
    /// Takes the next pair: unites its clusters if the constraints allow it. Never returns is_open.
    outcome take(Id u, Id v) {
      const auto [a, b] = all_.by_size(all_.root(u), all_.root(v));
      if (a == b) return is_redundant;
      const outcome found = looked_at(a, b, [&, a = a, b = b](std::size_t limit, std::uint64_t value) {
        witnesses_.push_back({limit, value});
        at(witness_key(a, b)) = witnesses_.size();
      });
      if (is_refusal(found)) return found;
      unite(a, b);
      return has_united;
    }
    /// Returns the outcome of taking this pair if no pair that is taken before it can change that, otherwise is_open. Any thread may call
    /// it while no pair is taken.
    [[nodiscard]] outcome foreseen(Id u, Id v) const {
      const auto [a, b] = all_.by_size(std::as_const(all_).root(u), std::as_const(all_).root(v));
      if (a == b) return is_redundant;
      if (!all_.limits_.is_one()) return is_open;  // earlier pairs may change which of several constraints refuses this one
      return looked_at(a, b, [](std::size_t, std::uint64_t) {});
    }

  private:
    using counts = keyed_counts<Id>;
    using key = typename counts::key;
    /// Why two clusters cannot unite: together they have more vertices with this value than the limit with this index allows.
    struct witness {
      std::size_t limit;
      std::uint64_t value;
    };

    [[nodiscard]] std::uint32_t column_of_apart() const noexcept { return static_cast<std::uint32_t>(all_.limits_.limits.size()); }
    [[nodiscard]] std::uint32_t column_of_witnesses() const noexcept { return column_of_apart() + 1; }
    [[nodiscard]] bool is_live(const key& entry) const noexcept {
      const auto is_root = [&](std::uint64_t v) { return all_.parents_[v] == v; };
      return is_root(entry.cluster) && (entry.column < column_of_apart() || is_root(entry.value));
    }
    std::uint64_t& at(const key& entry) {
      return table_.at(entry, [this](const key& k) { return is_live(k); });
    }
    /// Returns the number of vertices with that value in a cluster: of one vertex by looking at its value, otherwise from the table of
    /// counts.
    [[nodiscard]] std::uint64_t count(Id cluster, std::size_t limit, std::uint64_t value) const noexcept {
      if (all_.sizes_[cluster] == 1) return all_.limits_.limits[limit].values[cluster] == value ? 1 : 0;
      return table_.count({cluster, static_cast<std::uint32_t>(limit), value});
    }

    [[nodiscard]] key witness_key(Id a, Id b) const noexcept { return {std::min(a, b), column_of_witnesses(), std::max(a, b)}; }
    /// Returns refusal_by(the first constraint that forbids that the clusters `a` and `b` unite), or is_open if none does. If the reason is
    /// a value that both together have more often than a limit allows, calls found_witness(limit, value), unless witnesses_ already has
    /// such a value of these two clusters. Precondition: `b` is not larger than `a`.
    template <class FoundWitness>
    [[nodiscard]] outcome looked_at(Id a, Id b, FoundWitness found_witness) const {
      const constraints& limits = all_.limits_;
      if (std::uint64_t{all_.sizes_[a]} + all_.sizes_[b] > limits.max_records) return refusal_by(cluster_constraint::max_records);
      if (!limits.apart.empty() && are_apart(a, b)) return refusal_by(cluster_constraint::cannot_link);
      for (std::size_t limit = 0; limit < limits.limits.size(); ++limit) {
        const outcome refusal = refusal_by(cluster_constraint::one_per, limit);
        if (!all_.bits_[limit].empty()) {
          if ((all_.bits_[limit][a] & all_.bits_[limit][b]) != 0) return refusal;
          continue;
        }
        const std::uint64_t known = table_.count(witness_key(a, b));
        if (known != 0 && witnesses_[known - 1].limit == limit) return refusal;
        if (const auto value = value_in_the_way(a, b, limit)) {
          found_witness(limit, *value);
          return refusal;
        }
      }
      return is_open;
    }
    [[nodiscard]] std::optional<std::uint64_t> value_in_the_way(Id a, Id b, std::size_t limit) const {
      const value_limit& of = all_.limits_.limits[limit];
      std::optional<std::uint64_t> found;
      all_.each_of_ring(limit, b, [&](Id v) {
        const std::uint64_t value = of.values[v];
        if (count(a, limit, value) + count(b, limit, value) > of.most) found = value;
        return !found;
      });
      return found;
    }
    [[nodiscard]] bool are_apart(Id a, Id b) const noexcept {
      if (all_.sizes_[a] == 1) return all_.limits_.are_apart(a, b);  // `b` is not larger, so it is a single vertex, too
      return table_.count({a, column_of_apart(), b}) != 0;
    }

    /// Lets `b` join `a`, which is not smaller.
    void unite(Id a, Id b) {
      const constraints& limits = all_.limits_;
      const bool alone = all_.sizes_[a] == 1;
      for (std::size_t limit = 0; limit < limits.limits.size(); ++limit) {
        if (!all_.bits_[limit].empty()) {
          all_.bits_[limit][a] |= all_.bits_[limit][b];
          continue;
        }
        const auto& values = limits.limits[limit].values;
        const auto column = static_cast<std::uint32_t>(limit);
        if (alone && values[a] != value_limit::no_value) at({a, column, values[a]}) = 1;
        all_.move_ring(limit, a, b, [&](Id v) {
          const std::uint64_t moved = count(b, limit, values[v]);
          std::uint64_t& here = at({a, column, values[v]});
          here += moved;
          return here == moved;  // v joins the circular list of `a` if no vertex there has its value: one vertex per value is listed
        });
      }
      const std::size_t ring = column_of_apart();
      if (!limits.apart.empty() && alone && all_.rings_[ring].first[a] != no_vertex<Id>) set_apart(a, a);
      all_.parents_[b] = a;
      all_.sizes_[a] += all_.sizes_[b];
      if (limits.apart.empty()) return;
      all_.move_ring(ring, a, b, [&](Id v) {
        set_apart(a, v);
        return true;
      });
    }
    /// For each cannot-link pair of vertex `v`, which is in cluster `a`, notes in table_ that `a` and the cluster of the other vertex must
    /// not unite.
    void set_apart(Id a, Id v) {
      for (const auto& pair : all_.limits_.apart_from(v)) {
        if (all_.components_[pair.v] != all_.components_[v]) continue;  // `a` never unites with clusters of other components
        const Id other = all_.root(static_cast<Id>(pair.v));
        at({a, column_of_apart(), other}) = 1;
        at({other, column_of_apart(), a}) = 1;
      }
    }

    cluster_forest& all_;
    counts table_;
    std::vector<witness> witnesses_;
  };

private:
  /// A circular list of vertices for each cluster.
  struct ring {
    buffer<Id> first;  ///< at the root of each cluster: any vertex of its circular list, or no_vertex if the list is empty
    buffer<Id> next;
  };

  [[nodiscard]] Id root(Id v) noexcept {
    while (parents_[v] != v) v = parents_[v] = parents_[parents_[v]];
    return v;
  }
  [[nodiscard]] Id root(Id v) const noexcept {
    while (parents_[v] != v) v = parents_[v];
    return v;
  }
  /// Returns the clusters a and b, the larger one first.
  [[nodiscard]] std::pair<Id, Id> by_size(Id a, Id b) const noexcept { return sizes_[a] < sizes_[b] ? std::pair{b, a} : std::pair{a, b}; }
  /// Calls visit(v) for the vertices of a cluster that are in its circular list rings_[number], until it returns false.
  template <class Visit>
  void each_of_ring(std::size_t number, Id cluster, Visit visit) const {
    const ring& circle = rings_[number];
    const Id first = circle.first[cluster];
    if (first == no_vertex<Id>) return;
    Id v = first;
    do {
      if (!visit(v)) return;
      v = circle.next[v];
    } while (v != first);
  }
  /// Moves vertices from the circular list of cluster `from` in rings_[number] to that of cluster `to`: those for which stays(v) is true.
  /// The others are in no list afterwards.
  template <class Stays>
  void move_ring(std::size_t number, Id to, Id from, Stays stays) {
    ring& circle = rings_[number];
    const Id first = circle.first[from];
    if (first == no_vertex<Id>) return;
    Id v = first;
    do {
      const Id next = circle.next[v];
      if (stays(v)) {
        Id& head = circle.first[to];
        circle.next[v] = head == no_vertex<Id> ? v : std::exchange(circle.next[head], v);
        if (head == no_vertex<Id>) head = v;
      }
      v = next;
    } while (v != first);
  }

  const constraints& limits_;
  std::span<const Id> components_;
  buffer<Id> parents_, sizes_;
  /// For each limit on values, and last for cannot-link pairs if there are any: a circular list in each cluster of the vertices that the
  /// constraint concerns. A limit for which bits_ holds the values of clusters needs no lists.
  std::vector<ring> rings_;
  /// For each limit with constraints::codes: a word for each cluster, with the bit of each code set that a vertex of the cluster has. Empty
  /// for other limits.
  std::vector<buffer<std::uint64_t>> bits_;
};

}  // namespace copse::clusters
