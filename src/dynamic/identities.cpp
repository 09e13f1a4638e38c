#include <core/gather.hpp>
#include <core/parallel_buffers.hpp>
#include <core/parallel_sort.hpp>
#include <dynamic/identities.hpp>

#include <algorithm>
#include <atomic>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace copse::dynamics {
namespace {

// Neighbours in dynamic_components::moves() that came from the same old component to the same new one. `from` and `to` are the indices of
// their records in dynamic_components::touched(); `to` is none if the vertices do not exist any more.
struct move_run {
  std::uint32_t from, to;
  std::uint32_t begin, end;  // indices in moves()
};

// The number of vertices that an old and a new component share, and those of them that came to the new one singly.
struct shared_part {
  std::uint32_t from, to;
  std::uint64_t vertices;
  std::uint32_t begin_run, end_run;
};

// Decides which ids the components have after a batch. They are named by the indices of their records in dynamic_components::touched():
// as the name of an old component an index means the state of that record before the batch, as that of a new one its state now.
class settlement {
public:
  settlement(dynamic_components& graph, std::uint64_t& next_id, const vertex_order& order, const revival* undo)
      : graph_{graph}, next_id_{next_id}, order_{order}, undo_{undo} {}

  std::vector<component_event> run() {
    const bool is_exact = undo_ != nullptr && undo_->exact;
    if (is_exact) {
      for (const id_row& row : undo_->undone)
        if (graph_.present(row.vertex)) graph_.touch(graph_.record_of(row.vertex));
    } else if (undo_ != nullptr) {
      claim_ended_ids();
    }
    const std::size_t count = graph_.touched().size();
    if (count == 0) return {};
    moved_.assign(count, 0);
    nominee_.assign(count, none);
    is_kept_.assign(count, false);
    new_id_.assign(count, no_component);
    count_shared();
    nominate();
    if (is_exact) {
      take_back();
    } else {
      revive();
      take_nominations();
    }
    name_the_rest();
    report();
    parallel_blocks(graph_.threads(), count, items_per_block, [&](std::size_t begin, std::size_t end) {
      for (auto i = static_cast<std::uint32_t>(begin); i < end; ++i)
        if (is_live(i)) graph_.record(old(i).record).id = new_id_[i];
    });
    return std::move(events_);
  }

private:
  static constexpr std::size_t items_per_task = 4096;

  [[nodiscard]] bool before(std::uint32_t a, std::uint32_t b) const { return order_ ? order_(a, b) : a < b; }
  [[nodiscard]] std::uint32_t smaller(std::uint32_t a, std::uint32_t b) const { return a == none || (b != none && before(b, a)) ? b : a; }
  [[nodiscard]] const touched_record& old(std::uint32_t i) const { return graph_.touched()[i]; }
  [[nodiscard]] std::uint32_t new_size(std::uint32_t i) const { return std::as_const(graph_).record(old(i).record).size; }
  [[nodiscard]] bool was_there(std::uint32_t i) const { return old(i).size != 0; }
  [[nodiscard]] bool is_live(std::uint32_t i) const { return new_size(i) != 0; }
  [[nodiscard]] std::uint32_t component_of(std::uint32_t v) const { return graph_.index_of(graph_.record_of(v)); }
  // True if the part has vertices that did not come to its new component singly.
  [[nodiscard]] bool has_rest(const shared_part& part) const {
    return old(part.from).size != moved_[part.from] && rest_of(part.from) == part.to;
  }
  // Returns the new component of those vertices of an old one that did not come to another one singly (they are not in moves()).
  // Precondition: there are such vertices.
  [[nodiscard]] std::uint32_t rest_of(std::uint32_t i) const { return graph_.index_of(graph_.joined_into(old(i).record)); }

  // Divides moves() into runs, and sorts them by old, then by new component.
  void find_runs() {
    constexpr std::size_t block = 2048, nodes_ahead = 16, records_ahead = 8;
    const auto moves = graph_.moves();
    const auto find_in = [&](std::size_t begin, std::size_t end, std::vector<move_run>& here) {
      for (std::size_t i = begin; i < end; ++i) {
        if (i + nodes_ahead < end) graph_.prefetch(moves[i + nodes_ahead].vertex);
        if (i + records_ahead < end) graph_.prefetch_record(moves[i + records_ahead].vertex);
        const auto& [vertex, from] = moves[i];
        if (from == none) continue;
        const std::uint32_t to = graph_.present(vertex) ? component_of(vertex) : none;
        const auto at = static_cast<std::uint32_t>(i);
        if (here.empty() || here.back().from != from || here.back().to != to || here.back().end != at) here.push_back({from, to, at, at});
        ++here.back().end;
      }
    };
    gather(runs_, moves.size(), block, find_in, graph_.threads());
    const auto less = [](const move_run& a, const move_run& b) { return std::tie(a.from, a.to) < std::tie(b.from, b.to); };
    if (!std::is_sorted(runs_.begin(), runs_.end(), less)) parallel_sort(std::span{runs_}, less, graph_.threads());
  }

  void count_shared() {
    find_runs();
    for (std::size_t i = 0, j = 0; i < runs_.size(); i = j) {
      std::uint32_t moved = 0;
      for (; j < runs_.size() && runs_[j].from == runs_[i].from; ++j) moved += runs_[j].end - runs_[j].begin;
      moved_[runs_[i].from] = moved;
    }
    shared_.reserve(runs_.size());
    std::uint32_t next = 0;  // the first run that is in no element of shared_
    const auto add_runs = [&](std::uint32_t from, std::uint32_t to) {
      shared_.push_back({from, to, 0, next, next});
      shared_part& part = shared_.back();
      for (; next < runs_.size() && runs_[next].from == from && runs_[next].to == to; ++next)
        part.vertices += runs_[next].end - runs_[next].begin;
      part.end_run = next;
    };
    const auto add_runs_before = [&](std::uint32_t from, std::uint32_t to) {
      while (next < runs_.size() && std::pair{runs_[next].from, runs_[next].to} < std::pair{from, to}) {
        if (runs_[next].to == none) {
          ++next;
        } else {
          add_runs(runs_[next].from, runs_[next].to);
        }
      }
    };
    for (std::uint32_t i = 0; i < moved_.size(); ++i) {
      if (old(i).size == moved_[i]) continue;
      const std::uint32_t rest = rest_of(i);
      add_runs_before(i, rest);
      add_runs(i, rest);
      shared_.back().vertices += old(i).size - moved_[i];
    }
    add_runs_before(none, none);
  }

  // Lets each old component nominate the new one that has most of its vertices, of equals the one with the smallest such vertex.
  void nominate() {
    std::vector<unsigned char> is_tied(shared_.size(), 0);
    std::atomic<bool> any_ties{false};
    const auto for_each_old = [this](auto visit) {
      constexpr std::size_t block = 2048;
      parallel_blocks(graph_.threads(), shared_.size(), block, [&](std::size_t begin, std::size_t end) {
        const auto continues = [this](std::size_t i) { return i != 0 && shared_[i].from == shared_[i - 1].from; };
        while (begin < end && continues(begin)) ++begin;
        for (std::size_t i = begin, j = begin; i < end; i = j) {
          for (++j; j < shared_.size() && continues(j); ++j) {
          }
          visit(i, j);
        }
      });
    };
    for_each_old([&](std::size_t begin, std::size_t end) {
      std::size_t most = begin, equals = 0;
      for (std::size_t i = begin; i < end; ++i) {
        equals = shared_[i].vertices > shared_[most].vertices ? 0 : equals;
        if (equals == 0) most = i;
        equals += shared_[i].vertices == shared_[most].vertices ? 1 : 0;
      }
      nominee_[shared_[begin].from] = shared_[most].to;
      if (equals == 1) return;
      any_ties.store(true, std::memory_order_relaxed);
      for (std::size_t i = most; i < end; ++i) is_tied[i] = shared_[i].vertices == shared_[most].vertices;
    });
    if (!any_ties) return;
    const std::vector<std::uint32_t> smallest = smallest_shared(is_tied);
    for_each_old([&](std::size_t begin, std::size_t end) {
      std::uint32_t least = none;
      for (std::size_t i = begin; i < end; ++i) {
        if (!is_tied[i] || smaller(least, smallest[i]) == least) continue;
        least = smallest[i];
        nominee_[shared_[i].from] = shared_[i].to;
      }
    });
  }
  // Returns, for each element i of shared_ for which is_wanted[i] is not 0, the smallest vertex that its two components share; none for the
  // other elements. Visits every vertex at most once.
  [[nodiscard]] std::vector<std::uint32_t> smallest_shared(const std::vector<unsigned char>& is_wanted) {
    constexpr std::size_t block = 256;
    std::vector<std::uint32_t> least(shared_.size(), none);
    std::atomic<bool> any_joined{false};
    parallel_blocks(graph_.threads(), shared_.size(), block, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        if (!is_wanted[i]) continue;
        const shared_part& part = shared_[i];
        for (const move_run& r : std::span{runs_}.subspan(part.begin_run, part.end_run - part.begin_run))
          for (const move& m : graph_.moves().subspan(r.begin, r.end - r.begin)) least[i] = smaller(least[i], m.vertex);
        if (!has_rest(part)) continue;
        const std::uint32_t record = old(part.from).record;
        if (graph_.joined_into(record) != record) {
          any_joined.store(true, std::memory_order_relaxed);
          continue;
        }
        graph_.for_each_member(record, [&](std::uint32_t v) {
          if (!graph_.has_moved(v) && graph_.record_before(v) == record) least[i] = smaller(least[i], v);
        });
      }
    });
    if (!any_joined) return least;
    std::vector<std::uint32_t> wanted_rest(moved_.size(), none);  // for each old component, the element of shared_ that has its rest
    for (std::uint32_t i = 0; i < shared_.size(); ++i)
      if (is_wanted[i] && has_rest(shared_[i])) wanted_rest[shared_[i].from] = i;
    graph_.for_each_joined([&](std::uint32_t v) {
      if (graph_.has_moved(v)) return;
      const std::uint32_t i = wanted_rest[graph_.index_of(graph_.record_before(v))];
      if (i != none) least[i] = smaller(least[i], v);
    });
    return least;
  }
  void take_nominations() {
    struct nomination {
      std::uint32_t from, to;
      std::uint64_t vertices;
    };
    std::vector<nomination> all;
    const auto find_in = [this](std::size_t begin, std::size_t end, std::vector<nomination>& here) {
      for (const auto& [from, to, vertices, first, last] : std::span{shared_}.subspan(begin, end - begin))
        if (nominee_[from] == to && new_id_[to] == no_component) here.push_back({from, to, vertices});
    };
    gather(all, shared_.size(), items_per_task, find_in, graph_.threads());
    const auto is_better = [this](const nomination& a, const nomination& b) {
      return a.to != b.to ? a.to < b.to : a.vertices != b.vertices ? a.vertices > b.vertices : old(a.from).id < old(b.from).id;
    };
    parallel_sort(std::span{all}, is_better, graph_.threads());
    for (const auto& [from, to, vertices] : all) {
      if (new_id_[to] != no_component) continue;
      new_id_[to] = old(from).id;
      is_kept_[from] = true;
    }
  }

  // Gives each new component the id that it had before the batch that is reverted. As that was the last batch, all vertices of the
  // component had the same id then, so its root is enough to find it.
  void take_back() {
    std::vector<move> moves(graph_.moves().begin(), graph_.moves().end());
    const auto earlier = [](const auto& a, std::uint32_t v) { return a.vertex < v; };
    std::sort(moves.begin(), moves.end(), [](const move& a, const move& b) { return a.vertex < b.vertex; });
    for (std::uint32_t i = 0; i < new_id_.size(); ++i) {
      if (!is_live(i)) continue;
      const std::uint32_t v = std::as_const(graph_).record(old(i).record).root;
      const auto row = std::lower_bound(undo_->undone.begin(), undo_->undone.end(), v, earlier);
      if (row != undo_->undone.end() && row->vertex == v) {
        new_id_[i] = row->before;
      } else {
        new_id_[i] = old(graph_.has_moved(v) ? std::lower_bound(moves.begin(), moves.end(), v, earlier)->from
                                             : graph_.index_of(graph_.record_before(v)))
                         .id;
      }
      if (std::binary_search(undo_->ended.begin(), undo_->ended.end(), new_id_[i])) revived_.push_back(i);
    }
    std::vector<std::uint64_t> in_use = new_id_;
    std::sort(in_use.begin(), in_use.end());
    for (std::uint32_t i = 0; i < new_id_.size(); ++i) is_kept_[i] = std::binary_search(in_use.begin(), in_use.end(), old(i).id);
  }

  // Notes, for each id that ended in the batch that is reverted, the component that now has more than half of the vertices of that id: it
  // claims the id.
  void claim_ended_ids() {
    std::unordered_map<std::uint64_t, std::unordered_map<std::uint32_t, std::uint64_t>> held;
    std::unordered_map<std::uint64_t, std::uint64_t> all;
    for (const id_row& row : undo_->undone) {
      if (!std::binary_search(undo_->ended.begin(), undo_->ended.end(), row.before)) continue;
      ++all[row.before];
      if (graph_.present(row.vertex)) ++held[row.before][graph_.record_of(row.vertex)];
    }
    for (const auto& [id, parts] : held)
      for (const auto& [to, vertices] : parts)
        if (2 * vertices > all[id]) claims_.push_back({graph_.touch(to), vertices, id});
    std::sort(claims_.begin(), claims_.end(), [](const claim& a, const claim& b) {
      return std::tuple{a.to, b.vertices, a.id} < std::tuple{b.to, a.vertices, b.id};
    });
  }
  void revive() {
    for (const claim& c : claims_) {
      if (new_id_[c.to] != no_component) continue;
      new_id_[c.to] = c.id;
      revived_.push_back(c.to);
    }
  }

  // Gives new ids to the components that have no id yet, in the order of their smallest vertices.
  void name_the_rest() {
    constexpr std::size_t block = 256;
    struct unnamed {
      std::uint32_t least, index;
    };
    std::vector<unnamed> fresh;
    const auto find_in = [this](std::size_t begin, std::size_t end, std::vector<unnamed>& here) {
      for (auto i = static_cast<std::uint32_t>(begin); i < end; ++i)
        if (is_live(i) && new_id_[i] == no_component) here.push_back({none, i});
    };
    gather(fresh, new_id_.size(), items_per_task, find_in, graph_.threads());
    parallel_blocks(graph_.threads(), fresh.size(), block, [&](std::size_t begin, std::size_t end) {
      for (auto& [least, index] : std::span{fresh}.subspan(begin, end - begin))
        graph_.for_each_member(old(index).record, [this, &to = least](std::uint32_t v) { to = smaller(to, v); });
    });
    parallel_sort(
        std::span{fresh}, [this](const unnamed& a, const unnamed& b) { return before(a.least, b.least); }, graph_.threads());
    events_.reserve(2 * fresh.size());
    events_.resize(fresh.size());
    parallel_blocks(graph_.threads(), fresh.size(), block, [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k) {
        const std::uint32_t i = fresh[k].index;
        new_id_[i] = next_id_ + k;
        events_[k] = {component_event_kind::created, no_component, new_id_[i], new_size(i)};
      }
    });
    next_id_ += fresh.size();
  }

  void report() {
    const std::size_t created = events_.size();  // events of creation are in order already
    for (const std::uint32_t i : revived_) events_.push_back({component_event_kind::revived, no_component, new_id_[i], new_size(i)});
    const auto report_shared = [this](std::size_t begin, std::size_t end, std::vector<component_event>& here) {
      for (const shared_part& part : std::span{shared_}.subspan(begin, end - begin)) {
        const std::uint64_t from = old(part.from).id, into = new_id_[part.to];
        if (from == into) continue;
        const bool is_merged = !is_kept_[part.from] && nominee_[part.from] == part.to;
        here.push_back({is_merged ? component_event_kind::merged : component_event_kind::split, from, into, part.vertices});
      }
    };
    gather(events_, shared_.size(), items_per_task, report_shared, graph_.threads());
    const auto report_vanished = [this](std::size_t begin, std::size_t end, std::vector<component_event>& here) {
      for (auto i = static_cast<std::uint32_t>(begin); i < end; ++i)
        if (was_there(i) && !is_kept_[i] && nominee_[i] == none)
          here.push_back({component_event_kind::vanished, old(i).id, no_component, old(i).size});
    };
    gather(events_, new_id_.size(), items_per_task, report_vanished, graph_.threads());
    parallel_sort(
        std::span{events_}.subspan(created),
        [](const component_event& a, const component_event& b) {
          return std::tie(a.kind, a.from, a.into) < std::tie(b.kind, b.from, b.into);
        },
        graph_.threads());
  }

  struct claim {
    std::uint32_t to;
    std::uint64_t vertices, id;
  };

  dynamic_components& graph_;
  std::uint64_t& next_id_;
  const vertex_order& order_;
  const revival* undo_;
  std::vector<move_run> runs_;          // sorted by old, then by new component
  std::vector<shared_part> shared_;     // for each old and new component that share vertices; sorted by old, then by new component
  std::vector<std::uint32_t> moved_;    // for each old component, how many of its vertices came to another one singly (are in moves())
  std::vector<std::uint32_t> nominee_;  // for each old component, the new one that may keep its id
  std::vector<bool> is_kept_;           // for each old component, whether a new one keeps its id
  std::vector<std::uint64_t> new_id_;   // for each new component, its id
  std::vector<claim> claims_;           // ended ids, for components with most of their vertices; by component, most vertices first
  std::vector<std::uint32_t> revived_;
  std::vector<component_event> events_;
};

}  // namespace

std::vector<component_event> settle_ids(dynamic_components& graph, std::uint64_t& next_id, const vertex_order& order, const revival* undo) {
  graph.settle_moves();
  if (undo == nullptr && graph.touched().empty()) return {};
  return settlement{graph, next_id, order, undo}.run();
}

std::vector<id_row> changed_ids(const dynamic_components& graph) {
  std::vector<id_row> rows;
  const auto add = [&](std::uint32_t v, std::uint64_t id_before) {
    const std::uint64_t id = graph.present(v) ? graph.record(graph.record_of(v)).id : no_component;
    if (id != id_before) rows.push_back({v, id_before, id});
  };
  const auto touched = graph.touched();
  for (const auto& [vertex, from] : graph.moves()) add(vertex, from == none ? no_component : touched[from].id);
  graph.for_each_joined([&](std::uint32_t v) {
    if (!graph.has_moved(v)) add(v, touched[graph.index_of(graph.record_before(v))].id);
  });
  for (const touched_record& was : touched) {
    const component_record& is = graph.record(was.record);
    if (was.size == 0 || is.size == 0 || is.id == was.id) continue;
    graph.for_each_member(was.record, [&](std::uint32_t v) {
      if (!graph.has_moved(v) && graph.record_before(v) == was.record) add(v, was.id);
    });
  }
  std::sort(rows.begin(), rows.end(), [](const id_row& a, const id_row& b) { return a.vertex < b.vertex; });
  return rows;
}

}  // namespace copse::dynamics
