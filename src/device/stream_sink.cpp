#include <copse/errors.hpp>
#include <core/parallel.hpp>
#include <device/stream_sink.hpp>

#include <algorithm>
#include <string>

namespace copse::device {
namespace {

void make_different(std::vector<std::uint32_t>& ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

}  // namespace

void stream_sink::begin(const io::source_facts& facts) {
  if (facts.named) throw ids_for_no_gpu{};
  if (facts.vertices) {
    if (*facts.vertices > no_vertex<id>) {
      throw usage_error{"gpu_edge_sink: found " + std::to_string(*facts.vertices) +
                        " vertices, expected at most 2^32 - 1: ids are of 32 bits"};
    }
    declared_ = true;
    first_id_ = facts.first_id;
    parts_.grow(static_cast<id>(*facts.vertices));
  }
  workers_.clear();  // of a call before, which threw
  lines_.clear();
  rooms_.clear();
  workers_ = std::vector<worker_state>(facts.workers);
  const std::size_t count = parts_.size(), each = (facts.workers + count - 1) / count;  // workers of a part
  chunk_edges_ = std::min<std::uint64_t>(stream_part::usual_chunk_bytes, parts_.piece_bytes()) / sizeof(pair);
  for (std::size_t k = 0; k < count; ++k) {
    const on_device there{parts_[k].gpu()};
    rooms_.push_back(parts_[k].room_for_chunks(2 * each * chunk_edges_ * sizeof(pair)));
    chunk_edges_ = std::min(chunk_edges_, rooms_.back().room().size() / (2 * each * sizeof(pair)));
  }
  for (std::size_t k = 0; k < count; ++k) lines_.push_back(std::make_unique<piece_line>(parts_[k]));
  const std::size_t bytes = 2 * chunk_edges_ * sizeof(pair);
  for (unsigned worker = 0; worker < facts.workers; ++worker) {
    const std::size_t k = worker % count;
    const on_device there{parts_[k].gpu()};
    worker_state& mine = workers_[worker];
    mine.lane = std::make_unique<chunk_lane>(rooms_[k].room().subspan(worker / count * bytes, bytes));
    mine.chunk = reinterpret_cast<pair*>(mine.lane->chunk().data());
    lines_[k]->add(*mine.lane);
  }
}

void stream_sink::edges(unsigned worker, std::span<const edge<std::uint64_t>> batch) { take(worker, batch); }
void stream_sink::narrow_edges(unsigned worker, std::span<const pair> batch) { take(worker, batch); }

template <class Edge>
void stream_sink::take(unsigned worker, std::span<const Edge> batch) {
  using word = decltype(Edge::u);
  worker_state& mine = workers_[worker];
  mine.edges += batch.size();
  while (!batch.empty()) {
    const auto now = batch.first(std::min(batch.size(), chunk_edges_ - mine.used));
    batch = batch.subspan(now.size());
    pair* const to = mine.chunk + mine.used;
    word high = 0;
    id largest = mine.largest, loops = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
      const pair narrow{static_cast<id>(now[i].u), static_cast<id>(now[i].v)};
      high |= now[i].u | now[i].v;
      largest = std::max({largest, narrow.u, narrow.v});
      loops |= narrow.u == narrow.v ? 1 : 0;
      to[i] = narrow;
    }
    if (high > no_vertex<id> || largest == no_vertex<id>) throw ids_for_no_gpu{};
    mine.largest = largest;
    if (loops != 0 && !declared_) note_loops(mine, {to, now.size()});
    mine.used += now.size();
    if (mine.used == chunk_edges_) hand_over(worker);
  }
}

void stream_sink::note_loops(worker_state& mine, std::span<const pair> batch) {
  for (const auto [u, v] : batch) {
    if (u == v) mine.alone.push_back(u);
  }
  if (mine.alone.size() < mine.alone_limit) return;
  make_different(mine.alone);
  mine.alone_limit = std::max(mine.alone_limit, 2 * mine.alone.size());
}

void stream_sink::hand_over(unsigned worker) {
  worker_state& mine = workers_[worker];
  if (mine.used == 0) return;
  const std::size_t k = worker % parts_.size();
  const on_device here{parts_[k].gpu()};
  lines_[k]->append(*mine.lane, mine.used, mine.largest, !declared_);
  mine.used = 0;
  mine.largest = 0;
  mine.lane->wait_for_chunk();
  mine.chunk = reinterpret_cast<pair*>(mine.lane->chunk().data());
}

void stream_sink::named_edges(unsigned, std::span<const io::named_edge>) { throw ids_for_no_gpu{}; }

// Loops, which are no edges of the input.
void stream_sink::vertices(unsigned worker, std::span<const std::uint64_t> ids) {
  edge_sink::vertices(worker, ids);
  workers_[worker].edges -= ids.size();
}

void stream_sink::finish() {
  for (unsigned worker = 0; worker < workers_.size(); ++worker) hand_over(worker);
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const on_device here{parts_[k].gpu()};
    lines_[k]->flush();
  }
  for (worker_state& each : workers_) each.lane.reset();
  rooms_.clear();  // labels are copied by way of the same memory
}

std::uint64_t stream_sink::edge_count() const noexcept {
  std::uint64_t edges = 0;
  for (const worker_state& each : workers_) edges += each.edges;
  return edges;
}

labelling stream_sink::take_labelling(unsigned threads, std::pmr::memory_resource* memory) {
  parts_.merge();
  buffer<id> labels{parts_.labelled(), memory};
  parts_.copy_labels(labels.span());
  const std::size_t count = labels.size();
  if (declared_) return {std::move(labels), vertex_names::consecutive(first_id_, count)};
  std::vector<id> alone;
  for (const worker_state& each : workers_) alone.insert(alone.end(), each.alone.begin(), each.alone.end());
  make_different(alone);
  const buffer<std::uint32_t> present = [&] {
    const on_device here{parts_[0].gpu()};
    return parts_[0].present(alone);
  }();
  constexpr std::size_t block = std::size_t{1} << 16;
  parallel_blocks(usable_threads(threads), count, block, [&, to = labels.data()](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      if ((present[v / 32] >> (v % 32) & 1) == 0 && to[v] == static_cast<id>(v)) to[v] = no_vertex<id>;
    }
  });
  return {std::move(labels), vertex_names::identity(count)};
}

}  // namespace copse::device
