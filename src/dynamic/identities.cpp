#include <dynamic/identities.hpp>

#include <algorithm>
#include <tuple>

namespace copse::dynamics {
namespace {

struct touched_vertex {
  std::uint32_t vertex, from, to;
};

// What an old and a new component share.
struct shared_part {
  std::uint32_t from, to;
  std::uint64_t vertices;
};

class settlement {
public:
  settlement(dynamic_components& graph, std::uint64_t& next_id, const vertex_order& order, const revival* undo)
      : graph_{graph}, next_id_{next_id}, order_{order}, undo_{undo} {}

  identity_changes run() {
    collect();
    if (undo_ != nullptr && undo_->exact) {
      for (const id_row& row : undo_->undone)
        if (graph_.present(row.vertex)) records_.push_back(graph_.record_of(row.vertex));
      unify_records();
    }
    if (records_.empty() && (undo_ == nullptr || undo_->ended.empty())) return {};
    if (undo_ != nullptr && undo_->exact) {
      take_back();
    } else {
      if (undo_ != nullptr) revive();
      count_shared();
      nominate();
    }
    name_the_rest();
    report();
    write();
    return std::move(changes_);
  }

private:
  [[nodiscard]] bool before(std::uint32_t a, std::uint32_t b) const { return order_ ? order_(a, b) : a < b; }
  [[nodiscard]] std::uint32_t smaller(std::uint32_t a, std::uint32_t b) const { return a == none || (b != none && before(b, a)) ? b : a; }
  [[nodiscard]] bool is_old(std::uint32_t r) const { return graph_.record(r).id != no_component; }
  [[nodiscard]] bool is_live(std::uint32_t r) const { return graph_.record(r).size != 0; }
  [[nodiscard]] bool is_touched(std::uint32_t v) const {
    const auto at =
        std::lower_bound(touched_.begin(), touched_.end(), v, [](const touched_vertex& t, std::uint32_t x) { return t.vertex < x; });
    return at != touched_.end() && at->vertex == v;
  }

  void collect() {
    const auto moves = graph_.moves();
    std::vector<std::uint64_t> order(moves.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = std::uint64_t{moves[i].vertex} << 32 | i;
    std::sort(order.begin(), order.end());
    std::uint32_t last = none;
    for (const std::uint64_t key : order) {
      const auto [vertex, from] = moves[static_cast<std::uint32_t>(key)];
      if (vertex == last) continue;  // its first move says where it was
      last = vertex;
      const std::uint32_t to = graph_.record_of(vertex);
      if (from != to) touched_.push_back({vertex, from, to});
    }
    order.clear();
    for (const touched_vertex& t : touched_) order.push_back(std::uint64_t{t.from} << 32 | t.to);
    std::sort(order.begin(), order.end());
    for (std::size_t i = 0, j = 0; i < order.size(); i = j) {
      while (j < order.size() && order[j] == order[i]) ++j;
      flows_.push_back({static_cast<std::uint32_t>(order[i] >> 32), static_cast<std::uint32_t>(order[i]), j - i});
      if (flows_.back().from != none) records_.push_back(flows_.back().from);
      if (flows_.back().to != none) records_.push_back(flows_.back().to);
    }
    unify_records();
  }
  void unify_records() {
    std::sort(records_.begin(), records_.end());
    records_.erase(std::unique(records_.begin(), records_.end()), records_.end());
  }

  void count_shared() {
    std::unordered_map<std::uint32_t, std::uint64_t> gained;
    for (const shared_part& flow : flows_) {
      if (flow.to != none) gained[flow.to] += flow.vertices;
      if (flow.from != none) old_size_[flow.from] += flow.vertices;  // so far: what it lost
      if (flow.from != none && flow.to != none) shared_.push_back(flow);
    }
    for (const std::uint32_t r : records_) {
      if (!is_old(r)) continue;
      const auto more = gained.find(r);
      const std::uint64_t stayed = graph_.record(r).size - (more == gained.end() ? 0 : more->second);
      old_size_[r] += stayed;
      if (stayed != 0) shared_.push_back({r, r, stayed});
    }
    std::sort(shared_.begin(), shared_.end(),
              [](const shared_part& a, const shared_part& b) { return std::tie(a.from, a.to) < std::tie(b.from, b.to); });
  }

  // Equal numbers of vertices: the component of the smallest one that they are.
  [[nodiscard]] std::uint32_t smallest_shared(const shared_part& part) const {
    std::uint32_t least = none;
    if (part.from == part.to) {
      graph_.for_each_member(part.to, [&](std::uint32_t v) {
        if ((least == none || before(v, least)) && !is_touched(v)) least = v;
      });
    } else {
      for (const touched_vertex& t : touched_)
        if (t.from == part.from && t.to == part.to) least = smaller(least, t.vertex);
    }
    return least;
  }

  void nominate() {
    std::unordered_map<std::uint32_t, shared_part> best;  // the largest nomination for each new component
    for (std::size_t i = 0, j = 0; i < shared_.size(); i = j) {
      std::size_t nominee = i;
      std::uint32_t least = none;
      for (j = i + 1; j < shared_.size() && shared_[j].from == shared_[i].from; ++j) {
        if (shared_[j].vertices < shared_[nominee].vertices) continue;
        if (shared_[j].vertices > shared_[nominee].vertices) {
          nominee = j;
          least = none;
          continue;
        }
        if (least == none) least = smallest_shared(shared_[nominee]);
        const std::uint32_t other = smallest_shared(shared_[j]);
        if (before(other, least)) {
          nominee = j;
          least = other;
        }
      }
      const shared_part& part = shared_[nominee];
      nominee_[part.from] = part.to;
      if (new_id_.contains(part.to)) continue;  // revived
      const auto [at, is_first] = best.try_emplace(part.to, part);
      if (is_first) continue;
      const shared_part& held = at->second;
      const bool is_older = graph_.record(part.from).id < graph_.record(held.from).id;
      if (part.vertices > held.vertices || (part.vertices == held.vertices && is_older)) at->second = part;
    }
    for (const auto& [to, part] : best) new_id_[to] = graph_.record(part.from).id;
  }

  // When the last batch is reverted, any vertex says which id its component had.
  void take_back() {
    count_shared();
    nominate();
    new_id_.clear();
    for (const std::uint32_t r : records_) {
      if (!is_live(r)) continue;
      const std::uint32_t v = graph_.record(r).root;
      const auto row =
          std::lower_bound(undo_->undone.begin(), undo_->undone.end(), v, [](const id_row& a, std::uint32_t x) { return a.vertex < x; });
      std::uint64_t id = no_component;
      if (row != undo_->undone.end() && row->vertex == v) {
        id = row->before;
      } else {
        const auto t =
            std::lower_bound(touched_.begin(), touched_.end(), v, [](const touched_vertex& a, std::uint32_t x) { return a.vertex < x; });
        id = graph_.record(t != touched_.end() && t->vertex == v ? t->from : r).id;
      }
      new_id_[r] = id;
      if (std::binary_search(undo_->ended.begin(), undo_->ended.end(), id)) revived_.push_back(r);
    }
  }

  // An id that ended in the batch that is undone goes to the component that holds more than half of its vertices.
  void revive() {
    struct claim {
      std::uint32_t to;
      std::uint64_t vertices, id;
    };
    std::vector<claim> claims;
    std::unordered_map<std::uint64_t, std::unordered_map<std::uint32_t, std::uint64_t>> held;
    std::unordered_map<std::uint64_t, std::uint64_t> all;
    for (const id_row& row : undo_->undone) {
      if (!std::binary_search(undo_->ended.begin(), undo_->ended.end(), row.before)) continue;
      ++all[row.before];
      if (graph_.present(row.vertex)) ++held[row.before][graph_.record_of(row.vertex)];
    }
    for (const auto& [id, parts] : held)
      for (const auto& [to, vertices] : parts)
        if (2 * vertices > all[id]) claims.push_back({to, vertices, id});
    std::sort(claims.begin(), claims.end(), [](const claim& a, const claim& b) {
      return std::tuple{a.to, b.vertices, a.id} < std::tuple{b.to, a.vertices, b.id};
    });
    for (const claim& c : claims) {
      if (!new_id_.try_emplace(c.to, c.id).second) continue;
      revived_.push_back(c.to);
      records_.push_back(c.to);
    }
    unify_records();
  }

  // Fresh ids, in the order of the smallest vertices.
  void name_the_rest() {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> fresh;
    for (const std::uint32_t r : records_) {
      if (!is_live(r) || new_id_.contains(r)) continue;
      std::uint32_t least = none;
      graph_.for_each_member(r, [&](std::uint32_t v) { least = smaller(least, v); });
      fresh.emplace_back(least, r);
    }
    std::sort(fresh.begin(), fresh.end(), [&](const auto& a, const auto& b) { return before(a.first, b.first); });
    for (const auto& [least, r] : fresh) {
      new_id_[r] = next_id_++;
      changes_.events.push_back({component_event_kind::created, no_component, new_id_[r], graph_.record(r).size});
    }
  }

  void report() {
    for (const std::uint32_t r : revived_)
      changes_.events.push_back({component_event_kind::revived, no_component, new_id_[r], graph_.record(r).size});
    std::vector<std::uint64_t> in_use;
    for (const auto& [r, id] : new_id_) in_use.push_back(id);
    std::sort(in_use.begin(), in_use.end());
    const auto ended = [&](std::uint32_t r) { return !std::binary_search(in_use.begin(), in_use.end(), graph_.record(r).id); };
    for (const shared_part& part : shared_) {
      const std::uint64_t from = graph_.record(part.from).id, into = new_id_[part.to];
      if (from == into) continue;
      const bool is_merged = ended(part.from) && nominee_[part.from] == part.to;
      changes_.events.push_back({is_merged ? component_event_kind::merged : component_event_kind::split, from, into, part.vertices});
    }
    for (const std::uint32_t r : records_) {
      if (is_old(r) && ended(r) && !nominee_.contains(r))
        changes_.events.push_back({component_event_kind::vanished, graph_.record(r).id, no_component, old_size_[r]});
    }
    std::sort(changes_.events.begin(), changes_.events.end(), [](const component_event& a, const component_event& b) {
      return std::tie(a.kind, a.from, a.into) < std::tie(b.kind, b.from, b.into);
    });
  }

  void write() {
    const auto row = [this](std::uint32_t v, std::uint64_t old_id, std::uint64_t new_id) {
      if (old_id != new_id) changes_.rows.push_back({v, old_id, new_id});
    };
    for (const touched_vertex& t : touched_)
      row(t.vertex, t.from == none ? no_component : graph_.record(t.from).id, t.to == none ? no_component : new_id_[t.to]);
    for (const std::uint32_t r : records_) {
      if (!is_old(r) || !is_live(r) || new_id_[r] == graph_.record(r).id) continue;
      graph_.for_each_member(r, [&](std::uint32_t v) {
        if (!is_touched(v)) row(v, graph_.record(r).id, new_id_[r]);
      });
    }
    const auto by_vertex = [](const id_row& a, const id_row& b) { return a.vertex < b.vertex; };
    if (!std::is_sorted(changes_.rows.begin(), changes_.rows.end(), by_vertex))
      std::sort(changes_.rows.begin(), changes_.rows.end(), by_vertex);
    for (const auto& [r, id] : new_id_) graph_.record(r).id = id;
  }

  dynamic_components& graph_;
  std::uint64_t& next_id_;
  const vertex_order& order_;
  const revival* undo_;
  std::vector<touched_vertex> touched_;  // sorted by vertex
  std::vector<shared_part> flows_;       // how many of them came from which record to which, none included
  std::vector<std::uint32_t> records_;   // old and new components that the batch touched
  std::vector<shared_part> shared_;      // sorted
  std::unordered_map<std::uint32_t, std::uint64_t> old_size_, new_id_;
  std::unordered_map<std::uint32_t, std::uint32_t> nominee_;
  std::vector<std::uint32_t> revived_;
  identity_changes changes_;
};

}  // namespace

identity_changes settle_ids(dynamic_components& graph, std::uint64_t& next_id, const vertex_order& order, const revival* undo) {
  if (graph.moves().empty() && undo == nullptr) return {};
  identity_changes changes = settlement{graph, next_id, order, undo}.run();
  graph.forget_moves();
  return changes;
}

}  // namespace copse::dynamics
