#include "io/frequent_id_watch.hpp"

#include "core/random.hpp"
#include "io/fields.hpp"

#include <algorithm>
#include <concepts>
#include <map>

namespace copse::io {
namespace {

// A worker counts the ids of each of its first all_counted edges; after n edges, it counts those of one edge in 1 + n / all_counted.
constexpr std::uint64_t all_counted = 512;
constexpr std::uint64_t fewest_edges = 1000;  // in smaller graphs a frequent id is no reason for a note

}  // namespace

void frequent_id_watch::begin(const source_facts& facts) {
  facts_ = facts;
  workers_ = std::vector<worker_state>(std::max(1u, facts.workers));
  behind_.begin(facts);
}

void frequent_id_watch::edges(unsigned worker, const edge_batch& batch) {
  if (batch.names.empty()) {
    sample(workers_[worker], batch.ids, &worker_state::ids);
  } else {
    sample(workers_[worker], batch.names, &worker_state::names);
  }
  behind_.edges(worker, batch);
}

template <class Edge, class Key>
void frequent_id_watch::sample(worker_state& mine, std::span<const Edge> batch, frequent_ids<Key> worker_state::*counts) {
  const std::uint64_t stride = 1 + mine.edges / all_counted;
  std::uint64_t i = mine.skipped;
  // Steps between samples have random lengths, because ids may repeat with a period that fixed steps would match.
  for (; i < batch.size(); i += 1 + random_stream{0, 13}.below(mine.samples++, 2 * stride - 1)) {
    (mine.*counts).count(batch[i].u, stride);
    if (batch[i].u != batch[i].v) (mine.*counts).count(batch[i].v, stride);
  }
  mine.skipped = i - batch.size();
  mine.edges += batch.size();
}

template <class Key>
void frequent_id_watch::note_frequent(frequent_ids<Key> worker_state::*counts, std::uint64_t first_id) {
  std::uint64_t edges = 0;
  std::map<Key, std::uint64_t> all;
  for (const worker_state& worker : workers_) {
    edges += worker.edges;
    for (const auto& [id, count] : (worker.*counts).counters()) all[id] += count;
  }
  if (edges < fewest_edges) return;
  for (const auto& [id, count] : all) {
    if (count <= edges / 10) continue;
    std::string text;
    if constexpr (std::same_as<Key, std::string>) {
      text = io::quoted(id);
    } else {
      text = id_text(id + first_id, signed_.load(std::memory_order_relaxed));
    }
    observer_->note(name_ + ": the id " + text + " takes part in about " +
                    std::to_string(std::min<std::uint64_t>(100, 100 * count / edges)) +
                    " of 100 edges; if it stands for a missing value, the option na drops them");
  }
}

void frequent_id_watch::finish() {
  if (facts_.named) {
    note_frequent(&worker_state::names, 0);
  } else {
    note_frequent(&worker_state::ids, facts_.first_id);
  }
  behind_.finish();
}

}  // namespace copse::io
