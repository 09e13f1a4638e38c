#include "io/arrow/edges.hpp"

#include "core/team.hpp"

#include <copse/errors.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <type_traits>

namespace copse::arrow {
namespace {

using io::edge_batch, io::named_edge;

class silent_observer final : public observer {
  void progress(std::string_view, std::uint64_t, std::uint64_t, std::string_view) override {}
};

/// Passes the rows that a row_queue hands to its workers on to a sink.
class sink_feed {
public:
  sink_feed(edge_sink& sink, const row_rules& rules, const pass_options& how)
      : sink_{&sink},
        with_edges_{rules.ids.size() == 2},
        with_weights_{rules.score.has_value() && sink.wishes().weights},
        tells_left_out_{how.tells_left_out} {
    for (unsigned worker = 0; worker < how.workers; ++worker) {
      workers_.push_back(std::make_unique<worker_state>(rules, with_weights_ || tells_left_out_));
    }
  }

  void rows(unsigned worker, const open_batch& batch, std::int64_t begin, std::int64_t end) {
    worker_state& mine = *workers_[worker];
    mine.named.clear();  // edges of a batch that failed may be left here, and their strings are freed with the batch
    mine.numbered.clear();
    mine.next_row = batch.first_row + static_cast<std::uint64_t>(begin);
    if (with_edges_) sink_->begin_block(worker, mine.next_row);
    mine.taker.rows(batch, begin, end, [&]<class Id>(std::span<const Id> first, std::span<const Id> second, const taken_facts& facts) {
      if (with_edges_) {
        auto& edges = mine.template edges_of<Id>();
        if (tells_left_out_) tell_left_out(worker, edges.count, facts.rows);
        if (facts.are_signed) tell_signed();
        edges.append(first, second, with_weights_ ? facts.scores : std::span<const double>{});
        if (edges.count >= edges_at_once) pass_on(worker, edges, edges_at_once);
      } else if constexpr (std::is_same_v<Id, std::string_view>) {
        sink_->vertices(worker, {.names = first});
      } else {
        if (facts.are_signed) tell_signed();
        sink_->vertices(worker, {.ids = first});
      }
    });
    pass_on(worker, mine.named, mine.named.count);  // not kept for the next batch, because their strings are freed with this one
    pass_on(worker, mine.numbered, mine.numbered.count);
    const std::uint64_t end_row = batch.first_row + static_cast<std::uint64_t>(end);
    for (; with_edges_ && tells_left_out_ && mine.next_row < end_row; ++mine.next_row) sink_->left_out(worker, 0);
  }

  [[nodiscard]] table_counts counts() const {
    table_counts all;
    for (const auto& worker : workers_) all += worker->taker.counts();
    return all;
  }

private:
  static constexpr std::int64_t rows_at_once = 2048;  // small enough for the gathered rows to stay in the cache
  // edges are gathered up to this number, even if few rows reach the threshold: the sink looks ids up faster in large batches
  static constexpr std::size_t edges_at_once = 2048;

  /// Edges that are gathered, but not passed to the sink yet.
  template <class Edge>
  struct edges_ahead {
    void clear() noexcept {
      count = 0;
      weights.clear();
    }
    template <class Id>
    void append(std::span<const Id> first, std::span<const Id> second, std::span<const double> scores) {
      held.resize(edges_at_once + static_cast<std::size_t>(rows_at_once));  // allocates in the first call only
      Edge* const to = held.data() + count;
      for (std::size_t i = 0; i < first.size(); ++i) to[i] = {first[i], second[i]};
      count += first.size();
      weights.insert(weights.end(), scores.begin(), scores.end());
    }
    /// Removes the first `first` edges; the rest move to the front.
    void drop(std::size_t first) {
      const auto begin = held.begin();
      std::copy(begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(count), begin);
      count -= first;
      if (!weights.empty()) weights.erase(weights.begin(), weights.begin() + static_cast<std::ptrdiff_t>(first));
    }
    std::vector<Edge> held;
    std::vector<double> weights;
    std::size_t count = 0;
  };

  struct alignas(128) worker_state {
    worker_state(const row_rules& rules, bool with_weights) : taker{rules, rows_at_once, with_weights} {}
    template <class Id>
    auto& edges_of() {
      if constexpr (std::is_same_v<Id, std::string_view>) {
        return named;
      } else {
        return numbered;
      }
    }
    row_taker taker;
    std::uint64_t next_row = 0;  ///< the first row that was not reported to the sink, as an edge or as left out
    edges_ahead<named_edge> named;
    edges_ahead<edge<std::uint64_t>> numbered;
  };

  void tell_signed() {
    std::call_once(signed_, [this] { sink_->ids_are_signed(); });
  }

  /// Calls the sink's left_out() for every row that has no edge, up to the last of `rows`, which are the rows of the edges that are
  /// gathered next. `ahead` is the number of edges that were gathered before, but not passed to the sink yet.
  void tell_left_out(unsigned worker, std::size_t ahead, std::span<const std::uint64_t> rows) {
    std::uint64_t& next = workers_[worker]->next_row;
    for (const std::uint64_t row : rows) {
      for (; next < row; ++next) sink_->left_out(worker, ahead);
      ++next;
      ++ahead;
    }
  }

  template <class Edge>
  void pass_on(unsigned worker, edges_ahead<Edge>& edges, std::size_t first) {
    if (first == 0) return;
    edge_batch batch;
    const std::span<const Edge> some{edges.held.data(), first};
    if constexpr (std::is_same_v<Edge, named_edge>) {
      batch.names = some;
    } else {
      batch.ids = some;
    }
    if (with_weights_) batch.weights = std::span<const double>{edges.weights}.first(first);
    sink_->edges(worker, batch);
    edges.drop(first);
  }

  edge_sink* sink_;
  bool with_edges_, with_weights_, tells_left_out_;
  std::once_flag signed_;
  std::vector<std::unique_ptr<worker_state>> workers_;
};

}  // namespace

table_counts pass_on(const std::vector<table_part>& parts, const row_rules& rules, edge_sink& sink, const pass_options& how) {
  silent_observer silent;
  observer& watcher = how.watcher != nullptr ? *how.watcher : silent;
  sink_feed feed{sink, rules, how};
  row_queue queue{parts, rules, how.workers, watcher};
  const auto serve = [&](unsigned worker) {
    queue.serve(worker, [&](const open_batch& batch, std::int64_t begin, std::int64_t end) { feed.rows(worker, batch, begin, end); });
    if (worker < queue.readers() && how.after_reading) how.after_reading();
  };
  if (queue.is_for_several()) {
    on_workers(how.workers, serve);
  } else {
    serve(0);  // a small table is not worth starting threads for
  }
  queue.finish();
  return feed.counts();
}

}  // namespace copse::arrow
