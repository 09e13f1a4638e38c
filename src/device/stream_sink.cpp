#include <copse/errors.hpp>
#include <core/parallel.hpp>
#include <device/stream_run.hpp>
#include <graph/labels/present_only.hpp>
#include <graph/name_positions.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace copse::device {
namespace {

/// A batch of fewer edges is collected with others, because taking room in a slot of page-locked memory takes a lock.
constexpr std::size_t least_edges_put = std::size_t{1} << 13;

struct edge_facts {
  std::uint64_t high;  ///< the bitwise or of all ids
  std::uint32_t largest;
  bool loops;
};

/// Copies edges as pairs of 32-bit ids, and returns facts about them.
template <class Edge>
[[gnu::always_inline]] inline edge_facts copied_by(std::span<const Edge> from, edge<std::uint32_t>* to) {
  decltype(Edge::u) high = 0;
  std::uint32_t largest_u = 0, largest_v = 0, loops = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const edge<std::uint32_t> narrow{static_cast<std::uint32_t>(from[i].u), static_cast<std::uint32_t>(from[i].v)};
    high |= from[i].u | from[i].v;
    largest_u = std::max(largest_u, narrow.u);
    largest_v = std::max(largest_v, narrow.v);
    loops |= narrow.u == narrow.v ? 1 : 0;
    to[i] = narrow;
  }
  return {high, std::max(largest_u, largest_v), loops != 0};
}

edge_facts copied(std::span<const edge<std::uint64_t>> from, edge<std::uint32_t>* to) { return copied_by(from, to); }

// On x86-64, copied_by() is also compiled for AVX2, whose instructions find the maximum of several integers at once. The oldest processors
// lack AVX2, so the version is chosen when the program runs.
#if defined(__x86_64__)
[[gnu::target("avx2")]] edge_facts copied_by_avx2(std::span<const edge<std::uint32_t>> from, edge<std::uint32_t>* to) {
  return copied_by(from, to);
}
edge_facts copied(std::span<const edge<std::uint32_t>> from, edge<std::uint32_t>* to) {
  static const bool wide = __builtin_cpu_supports("avx2") != 0;
  return wide ? copied_by_avx2(from, to) : copied_by(from, to);
}
#else
edge_facts copied(std::span<const edge<std::uint32_t>> from, edge<std::uint32_t>* to) { return copied_by(from, to); }
#endif

/// Returns the number of the GPU in whose memory the edges are; -1 for host memory.
int gpu_of_array(const void* array) {
  cudaPointerAttributes found{};
  backend::checked(cudaPointerGetAttributes(&found, array), "asking where an array is");
  return found.type == cudaMemoryTypeDevice || found.type == cudaMemoryTypeManaged ? found.device : -1;
}

void make_different(std::vector<std::uint32_t>& ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

}  // namespace

void stream_sink::begin(const io::source_facts& facts) {
  if (facts.named) throw ids_for_no_gpu{};
  if (facts.vertices) {
    if (*facts.vertices > no_vertex<id>) {
      throw usage_error{"a GPU takes at most 2^32 - 1 vertices, not " + std::to_string(*facts.vertices) + "; use the CPU"};
    }
    declared_ = true;
    first_id_ = facts.first_id;
    parts_.grow(static_cast<id>(*facts.vertices));
  }
  workers_.clear();  // removes the state of an earlier call that threw
  lines_.clear();
  rooms_.clear();
  workers_ = std::vector<worker_state>(facts.workers);
  const auto shape = backend::staging_shape_for(UINT64_MAX);
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const on_device there{parts_[k].gpu()};
    rooms_.push_back(parts_[k].room_for_slots(shape.bytes()));
    lines_.push_back(std::make_unique<piece_line>(parts_[k], rooms_[k].room(), shape));
  }
}

void stream_sink::edges(unsigned worker, const io::edge_batch& batch) {
  if (!batch.names.empty()) throw ids_for_no_gpu{};
  if (batch.narrow_ids.empty()) {
    take(worker, batch.ids);
  } else {
    take(worker, batch.narrow_ids);
  }
}

template <class Edge>
void stream_sink::take(unsigned worker, std::span<const Edge> batch) {
  worker_state& mine = workers_[worker];
  mine.edges += batch.size();
  if (batch.size() >= least_edges_put) return put(worker, batch);
  for (const auto [u, v] : batch) {
    if (std::uint64_t{u | v} > no_vertex<id>) throw ids_for_no_gpu{};
    mine.waiting.push_back({static_cast<id>(u), static_cast<id>(v)});
  }
  if (mine.waiting.size() < least_edges_put) return;
  put(worker, std::span<const pair>{mine.waiting});
  mine.waiting.clear();
}

template <class Edge>
void stream_sink::put(unsigned worker, std::span<const Edge> batch) {
  const on_device here{parts_[worker % parts_.size()].gpu()};
  piece_line& line = *lines_[worker % parts_.size()];
  try {
    while (!batch.empty()) {
      const auto place = line.take_pairs(batch.size(), !declared_);
      if (!place) return;
      const auto now = batch.first(place->room.size());
      const edge_facts facts = copied(now, place->room.data());
      if (facts.high > no_vertex<id> || facts.largest == no_vertex<id>) throw ids_for_no_gpu{};
      if (facts.largest >= most_slots_ && !declared_) throw ids_for_no_gpu{};
      if (facts.loops && !declared_) note_loops(workers_[worker], place->room);
      line.finish(*place, facts.largest);
      batch = batch.subspan(now.size());
    }
  } catch (...) {
    line.fail();  // otherwise other threads would wait for a piece that is never closed
    throw;
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

// Adds vertices as loops, which do not count as edges of the input.
void stream_sink::vertices(unsigned worker, const io::vertex_batch& batch) {
  edge_sink::vertices(worker, batch);
  workers_[worker].edges -= batch.size();
}

void stream_sink::finish() {
  for (unsigned worker = 0; worker < workers_.size(); ++worker) put(worker, std::span<const pair>{workers_[worker].waiting});
  for (std::size_t k = 0; k < lines_.size(); ++k) {
    const on_device here{parts_[k].gpu()};
    lines_[k]->flush();
  }
  lines_.clear();
  rooms_.clear();  // frees page-locked memory, which copying labels needs
  parts_.wait();
}

std::uint64_t stream_sink::edge_count() const noexcept {
  std::uint64_t edges = 0;
  for (const worker_state& each : workers_) edges += each.edges;
  return edges;
}

labelling stream_sink::take_labelling() {
  parts_.merge();
  buffer<id> labels{parts_.labelled(), memory_};
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
  parallel_blocks(threads_, count, block, [&, to = labels.data()](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      if ((present[v / 32] >> (v % 32) & 1) == 0 && to[v] == static_cast<id>(v)) to[v] = no_vertex<id>;
    }
  });
  return {std::move(labels), vertex_names::identity(count)};
}

streaming::labelled_forest stream_sink::take_forest() {
  labelling labels = present_only(take_labelling(), threads_, memory_);
  const vertex_names& names = labels.names();
  buffer<pair> edges = parts_.take_forest(memory_);
  if (!names.first_id()) {  // if names count up, ids are positions already
    constexpr std::size_t block = std::size_t{1} << 16;
    const name_positions positions{names, threads_, memory_};
    parallel_blocks(threads_, edges.size(), block, [&positions, all = edges.data()](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) all[i] = {static_cast<id>(positions[all[i].u]), static_cast<id>(positions[all[i].v])};
    });
  }
  graph forest{coo<id>{static_cast<id>(labels.slots()), std::move(edges)}, names};
  return {std::move(forest), std::move(labels)};
}

void stream_sink::resident_edges(std::span<const pair> edges, std::optional<cuda_stream> in_order_of) {
  if (edges.empty()) return;
  if (!declared_) throw usage_error{"cuda: edges on a GPU need a declared number of vertices, as their ids are not read in advance"};
  const int there = gpu_of_array(edges.data());
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    stream_part& part = parts_[turn_++ % parts_.size()];
    if (part.gpu() != there) continue;
    const on_device here{there};
    return part.take_resident(edges, in_order_of);
  }
  throw usage_error{"edges must be on a GPU that the execution names, not " +
                    (there < 0 ? std::string{"in host memory"} : "on cuda:" + std::to_string(there))};
}

void stream_sink::name_device(solve_report& report) const {
  report.variant = "cuda.none.fast";
  report.device = parts_.device();
}

namespace {

struct parts_of_sink {
  gpu_parts parts;
};
/// The sink that sink_to_gpus() returns: a stream_sink that also owns the forests on the GPUs to which it streams edges.
class batches_to_gpus final : parts_of_sink, public stream_sink {
public:
  explicit batches_to_gpus(const request<streaming_options>& options)
      : parts_of_sink{{0, options}}, stream_sink{parts, UINT64_MAX, options} {}
};

}  // namespace

std::unique_ptr<streaming::uniting_sink> sink_to_gpus(const request<streaming_options>& options) {
  return std::make_unique<batches_to_gpus>(options);
}

}  // namespace copse::device
