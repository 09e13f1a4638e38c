#include "arrow/edges.hpp"

#include <copse/io.hpp>
#include <copse/views.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>

namespace copse::arrow {
namespace {

/// The edges of a batch sink, or its vertices, by the workers of a row_queue.
class sink_feed {
public:
  sink_feed(edge_batch_sink& sink, const row_rules& rules) : sink_{&sink}, with_edges_{rules.ids.size() == 2} {
    for (unsigned worker = 0; worker < sink.worker_count(); ++worker) workers_.push_back(std::make_unique<worker_state>(rules));
  }

  [[nodiscard]] unsigned workers() const noexcept { return static_cast<unsigned>(workers_.size()); }

  void rows(unsigned worker, const open_batch& batch, std::int64_t begin, std::int64_t end) {
    worker_state& mine = *workers_[worker];
    mine.named.count = mine.numbered.count = 0;  // those before a wrong row, whose batch may be gone
    mine.taker.rows(batch, begin, end, [&]<class Id>(std::span<const Id> first, std::span<const Id> second, const taken_facts& facts) {
      if (with_edges_) {
        auto& edges = mine.template edges_of<Id>();
        edges.append(first, second);
        edges.are_signed |= facts.are_signed;
        if (edges.count >= edges_at_once) pass_on(worker, edges, edges_at_once);
      } else if constexpr (std::is_same_v<Id, std::uint64_t>) {
        sink_->add_vertices_by(worker, first, facts.are_signed);
      } else {
        sink_->add_vertices_by(worker, first);
      }
    });
    pass_on(worker, mine.named, mine.named.count);  // strings lie in the batch
    pass_on(worker, mine.numbered, mine.numbered.count);
  }

  [[nodiscard]] table_counts counts() const {
    table_counts all;
    for (const auto& worker : workers_) {
      const table_counts& mine = worker->taker.counts();
      all.rows += mine.rows;
      all.nulls += mine.nulls;
      all.below += mine.below;
      all.reached |= mine.reached;
      all.largest = std::max(all.largest, mine.largest);
    }
    return all;
  }

private:
  static constexpr std::int64_t rows_at_once = 2048;  // what is gathered of them stays in the cache
  static constexpr std::size_t edges_at_once = 2048;  // the sink looks up many names together, however few rows reach the threshold

  /// Edges that are still to be passed on.
  template <class Edge>
  struct edges_ahead {
    template <class Id>
    void append(std::span<const Id> first, std::span<const Id> second) {
      held.resize(edges_at_once + static_cast<std::size_t>(rows_at_once));  // the first time
      Edge* const to = held.data() + count;
      for (std::size_t i = 0; i < first.size(); ++i) to[i] = {first[i], second[i]};
      count += first.size();
    }
    std::vector<Edge> held;
    std::size_t count = 0;
    bool are_signed = false;  // once an id was negative: then none is above INT64_MAX, or the row was refused
  };

  struct alignas(128) worker_state {
    explicit worker_state(const row_rules& rules) : taker{rules, rows_at_once, false} {}
    template <class Id>
    auto& edges_of() {
      if constexpr (std::is_same_v<Id, std::string_view>) {
        return named;
      } else {
        return numbered;
      }
    }
    row_taker taker;
    edges_ahead<io::named_edge> named;
    edges_ahead<edge<std::uint64_t>> numbered;
  };

  /// The first edges; others move up.
  template <class Edge>
  void pass_on(unsigned worker, edges_ahead<Edge>& edges, std::size_t first) {
    if (first == 0) return;
    const std::span<const Edge> some{edges.held.data(), first};
    if constexpr (std::is_same_v<Edge, io::named_edge>) {
      sink_->add_by(worker, some);
    } else {
      sink_->add_by(worker, some, edges.are_signed);
    }
    const auto begin = edges.held.begin();
    std::copy(begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(edges.count), begin);
    edges.count -= first;
  }

  edge_batch_sink* sink_;
  bool with_edges_;
  std::vector<std::unique_ptr<worker_state>> workers_;
};

}  // namespace

table_counts add_table(edge_batch_sink& sink, const std::vector<table_part>& parts, const row_rules& rules, observer& watcher,
                       const std::function<void()>& after_reading) {
  sink_feed feed{sink, rules};
  row_queue queue{parts, rules, feed.workers(), watcher};
  const auto serve = [&](unsigned worker) {
    queue.serve(worker, [&](const open_batch& batch, std::int64_t begin, std::int64_t end) { feed.rows(worker, batch, begin, end); });
    if (worker < queue.readers() && after_reading) after_reading();
  };
  if (queue.is_for_several()) {
    sink.on_workers(serve);
  } else {
    serve(0);  // a small table wakes nobody
  }
  queue.finish();
  const table_counts counts = feed.counts();
  tell_unreached(counts, rules, watcher);
  return counts;
}

}  // namespace copse::arrow
