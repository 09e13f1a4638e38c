// Dynamic components by the definitions alone: everything is kept for every batch, and solved again from scratch after each.
#pragma once
#include <copse/dynamic.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace copse::test {

/// `Name` is ordered as the ids are.
template <class Name>
class dynamic_oracle {
public:
  struct carried {
    double weight = 1;
    std::int64_t time = 0;
    std::uint64_t sequence = 0;
    friend bool operator==(const carried&, const carried&) = default;
  };
  using edge_key = std::tuple<Name, Name, std::uint64_t>;
  using edge_map = std::map<edge_key, carried>;
  using id_of_vertex = std::map<Name, std::uint64_t>;
  struct operation {
    dynamic_operation_kind kind;
    Name u, v;
    double weight;
    std::int64_t time;
    std::uint64_t key;
  };
  struct moment {
    edge_map edges;
    id_of_vertex ids;
  };

  explicit dynamic_oracle(const dynamic_options& options) : options_{options} { moments_.push_back({}); }

  [[nodiscard]] const edge_map& edges() const { return now_.edges; }
  [[nodiscard]] const id_of_vertex& ids() const { return now_.ids; }
  [[nodiscard]] const std::vector<component_event>& events() const { return events_; }
  [[nodiscard]] const moment& after(std::uint64_t batch) const { return moments_[batch]; }
  [[nodiscard]] std::uint64_t last() const { return moments_.size() - 1; }
  [[nodiscard]] std::uint64_t dropped() const { return dropped_; }
  [[nodiscard]] bool expired_in(std::uint64_t batch) const { return expiries_.contains(batch); }
  /// Canonical labels: of each vertex the smallest of its component.
  [[nodiscard]] std::map<Name, Name> labels() const {
    std::map<Name, Name> labels;
    for (const auto& part : parts_of(now_))
      for (const Name& v : part) labels[v] = *part.begin();
    return labels;
  }

  void apply(const std::vector<operation>& operations) {
    dropped_ = 0;
    for (const operation& op : operations) {
      const Name u = std::min(op.u, op.v), v = std::max(op.u, op.v);
      const edge_key edge{u, v, options_.keys ? op.key : 0};
      switch (op.kind) {
        case dynamic_operation_kind::insert: {
          if (options_.times && op.time < cutoff_) {
            ++dropped_;
            break;
          }
          ++operations_;
          now_.ids.try_emplace(u, no_component);
          now_.ids.try_emplace(v, no_component);
          const auto [at, is_new] = now_.edges.try_emplace(edge);
          carried& c = at->second;
          if (options_.weights) c.weight = op.weight;
          if (options_.times) c.time = is_new ? op.time : std::max(c.time, op.time);
          if (options_.count_window != 0) c.sequence = operations_;
          break;
        }
        case dynamic_operation_kind::erase:
          std::erase_if(now_.edges, [&](const auto& e) { return std::get<0>(e.first) == u && std::get<1>(e.first) == v; });
          break;
        case dynamic_operation_kind::erase_key:
          now_.edges.erase({u, v, op.key});
          break;
        case dynamic_operation_kind::erase_vertex:
          std::erase_if(now_.edges, [&](const auto& e) { return std::get<0>(e.first) == op.u || std::get<1>(e.first) == op.u; });
          now_.ids.erase(op.u);
          break;
      }
    }
    if (options_.count_window != 0) leave([&](const carried& c) { return c.sequence + options_.count_window <= operations_; });
    finish({}, {});
  }

  void expire(std::int64_t before) {
    dropped_ = 0;
    cutoff_ = std::max(cutoff_, before);
    expiries_.insert(moments_.size());
    leave([&](const carried& c) { return c.time < before; });
    finish({}, {});
  }

  struct conflict_sets {
    std::set<Name> vertices;
    std::set<edge_key> edges;
    [[nodiscard]] std::size_t size() const { return vertices.size() + edges.size(); }
  };
  [[nodiscard]] conflict_sets conflicts(std::uint64_t batch) const {
    std::set<edge_key> edges;
    std::set<Name> vertices, ends;
    for (std::uint64_t later = batch + 1; later <= last(); ++later) {
      for (const edge_key& e : changed_edges(later)) {
        edges.insert(e);
        ends.insert(std::get<0>(e));
        ends.insert(std::get<1>(e));
      }
      for (const Name& v : changed_vertices(later)) vertices.insert(v);
    }
    conflict_sets found;
    for (const Name& v : changed_vertices(batch)) {
      const bool came = !moments_[batch - 1].ids.contains(v);
      if (vertices.contains(v) || (came && ends.contains(v))) found.vertices.insert(v);
    }
    for (const edge_key& e : changed_edges(batch))
      if (edges.contains(e) || vertices.contains(std::get<0>(e)) || vertices.contains(std::get<1>(e))) found.edges.insert(e);
    return found;
  }

  void revert(std::uint64_t batch) {
    dropped_ = 0;
    const conflict_sets skipped = conflicts(batch);
    const moment before = moments_[batch - 1], after = moments_[batch];
    const bool is_last = batch == last();
    for (const Name& v : changed_vertices(batch))
      if (before.ids.contains(v) && !skipped.vertices.contains(v)) now_.ids.try_emplace(v, no_component);
    for (const edge_key& e : changed_edges(batch)) {
      if (skipped.edges.contains(e)) continue;
      const auto was = before.edges.find(e);
      if (was == before.edges.end()) {
        now_.edges.erase(e);
      } else if (!is_last && ((options_.times && was->second.time < cutoff_) ||
                              (options_.count_window != 0 && was->second.sequence + options_.count_window <= operations_))) {
        ++dropped_;
        now_.edges.erase(e);
      } else {
        now_.edges[e] = was->second;
      }
    }
    for (const Name& v : changed_vertices(batch))
      if (!before.ids.contains(v) && !skipped.vertices.contains(v) && is_isolated(v)) now_.ids.erase(v);
    if (is_last) return finish({}, before.ids);
    std::map<std::uint64_t, std::set<Name>> ended;
    std::set<std::uint64_t> then, current;
    for (const auto& [v, id] : after.ids) then.insert(id);
    for (const auto& [v, id] : moments_.back().ids) current.insert(id);
    for (const auto& [v, id] : before.ids)
      if (!then.contains(id) && !current.contains(id)) ended[id].insert(v);
    finish(ended, {});
  }

private:
  using vertex_set = std::set<Name>;

  [[nodiscard]] bool is_isolated(const Name& v) const {
    return std::none_of(now_.edges.begin(), now_.edges.end(),
                        [&](const auto& e) { return std::get<0>(e.first) == v || std::get<1>(e.first) == v; });
  }
  template <class IsDue>
  void leave(IsDue is_due) {
    std::vector<edge_key> due;
    for (const auto& [e, c] : now_.edges)
      if (is_due(c)) due.push_back(e);
    if (!due.empty()) expiries_.insert(moments_.size());
    for (const edge_key& e : due) now_.edges.erase(e);
    if (options_.keep_vertices) return;
    for (const edge_key& e : due) {
      for (const Name& v : {std::get<0>(e), std::get<1>(e)})
        if (is_isolated(v)) now_.ids.erase(v);
    }
  }
  [[nodiscard]] std::set<edge_key> changed_edges(std::uint64_t batch) const {
    std::set<edge_key> changed;
    const edge_map &before = moments_[batch - 1].edges, &after = moments_[batch].edges;
    for (const auto& [e, c] : before)
      if (const auto at = after.find(e); at == after.end() || at->second != c) changed.insert(e);
    for (const auto& [e, c] : after)
      if (!before.contains(e)) changed.insert(e);
    return changed;
  }
  [[nodiscard]] std::set<Name> changed_vertices(std::uint64_t batch) const {
    std::set<Name> changed;
    for (const auto& [v, id] : moments_[batch - 1].ids)
      if (!moments_[batch].ids.contains(v)) changed.insert(v);
    for (const auto& [v, id] : moments_[batch].ids)
      if (!moments_[batch - 1].ids.contains(v)) changed.insert(v);
    return changed;
  }
  static std::vector<vertex_set> parts_of(const moment& at) {
    std::map<Name, std::vector<Name>> neighbours;
    for (const auto& [e, c] : at.edges) {
      neighbours[std::get<0>(e)].push_back(std::get<1>(e));
      neighbours[std::get<1>(e)].push_back(std::get<0>(e));
    }
    std::vector<vertex_set> parts;
    std::set<Name> seen;
    for (const auto& [v, id] : at.ids) {
      if (!seen.insert(v).second) continue;
      vertex_set members{v};
      for (std::vector<Name> open{v}; !open.empty();) {
        const Name x = open.back();
        open.pop_back();
        for (const Name& y : neighbours[x]) {
          if (!seen.insert(y).second) continue;
          members.insert(y);
          open.push_back(y);
        }
      }
      parts.push_back(std::move(members));
    }
    return parts;  // ascending by their smallest vertex
  }

  // `ended`: the vertices of ids that may be revived. `exact`: the ids that vertices must have; empty: by the rules.
  void finish(const std::map<std::uint64_t, std::set<Name>>& ended, const id_of_vertex& exact) {
    const id_of_vertex old = moments_.back().ids;
    std::map<std::uint64_t, vertex_set> before;
    for (const auto& [v, id] : old) before[id].insert(v);
    const std::vector<vertex_set> after = parts_of(now_);
    const auto share = [](const vertex_set& a, const vertex_set& b) {
      vertex_set both;
      std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(both, both.end()));
      return both;
    };
    std::vector<std::uint64_t> ids(after.size(), no_component);
    std::set<std::uint64_t> revived;
    for (std::size_t i = 0; i < after.size(); ++i) {
      std::uint64_t most = 0;
      for (const auto& [id, members] : ended) {
        const std::uint64_t k = share(members, after[i]).size();
        if (2 * k <= members.size() || k <= most) continue;
        most = k;
        ids[i] = id;
      }
      if (ids[i] != no_component) revived.insert(ids[i]);
    }
    std::map<std::uint64_t, std::size_t> nominee;
    for (const auto& [id, members] : before) {
      vertex_set best;
      for (std::size_t i = 0; i < after.size(); ++i) {
        const vertex_set both = share(members, after[i]);
        if (both.empty() || both.size() < best.size() || (both.size() == best.size() && *best.begin() < *both.begin())) continue;
        best = both;
        nominee[id] = i;
      }
    }
    for (std::size_t i = 0; i < after.size(); ++i) {
      if (ids[i] != no_component) continue;
      std::uint64_t most = 0;
      for (const auto& [id, to] : nominee) {
        const std::uint64_t k = share(before[id], after[i]).size();
        if (to != i || k <= most) continue;
        most = k;
        ids[i] = id;
      }
    }
    if (!exact.empty()) {
      revived.clear();
      for (std::size_t i = 0; i < after.size(); ++i) {
        ids[i] = exact.at(*after[i].begin());
        if (!before.contains(ids[i])) revived.insert(ids[i]);
      }
    }
    std::set<std::uint64_t> created;
    for (std::uint64_t& id : ids) {
      if (id == no_component) created.insert(id = next_id_++);
    }
    events_.clear();
    for (std::size_t i = 0; i < after.size(); ++i) {
      if (created.contains(ids[i])) events_.push_back({component_event_kind::created, no_component, ids[i], after[i].size()});
      if (revived.contains(ids[i])) events_.push_back({component_event_kind::revived, no_component, ids[i], after[i].size()});
    }
    for (const auto& [id, members] : before) {
      const bool is_over = std::find(ids.begin(), ids.end(), id) == ids.end();
      for (std::size_t i = 0; i < after.size(); ++i) {
        const std::uint64_t k = share(members, after[i]).size();
        if (k == 0 || ids[i] == id) continue;
        const bool merges = is_over && nominee.at(id) == i;
        events_.push_back({merges ? component_event_kind::merged : component_event_kind::split, id, ids[i], k});
      }
      if (is_over && !nominee.contains(id)) events_.push_back({component_event_kind::vanished, id, no_component, members.size()});
    }
    std::sort(events_.begin(), events_.end(),
              [](const auto& a, const auto& b) { return std::tie(a.kind, a.from, a.into) < std::tie(b.kind, b.from, b.into); });
    for (std::size_t i = 0; i < after.size(); ++i)
      for (const Name& v : after[i]) now_.ids[v] = ids[i];
    moments_.push_back(now_);
  }

  dynamic_options options_;
  moment now_;
  std::vector<moment> moments_;
  std::set<std::uint64_t> expiries_;
  std::vector<component_event> events_;
  std::int64_t cutoff_ = std::numeric_limits<std::int64_t>::min();
  std::uint64_t operations_ = 0, next_id_ = 0, dropped_ = 0;
};

}  // namespace copse::test
