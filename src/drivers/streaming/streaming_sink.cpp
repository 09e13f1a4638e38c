#include <drivers/streaming/streaming_sink.hpp>

#include <copse/errors.hpp>
#include <core/parallel.hpp>
#include <drivers/streaming/inverted_parents.hpp>
#include <graph/labels/present_only.hpp>
#include <graph/name_positions.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace copse::streaming {
namespace {

// A worker holds its lock while it unites this many edges. Another thread that moves all vertices to another kind of forest needs the locks
// of all workers.
constexpr std::size_t part_edges = 2048;

// True if all ids are below 2^32 - 1. In most blocks no id has the highest of 32 bits set.
bool all_below_range_limit(std::span<const edge<std::uint64_t>> part) {
  std::uint64_t bits = 0;
  for (const auto [u, v] : part) bits |= u | v;
  return bits < ranged_forest::id_limit || std::ranges::all_of(part, [](auto e) { return std::max(e.u, e.v) < ranged_forest::id_limit; });
}

}  // namespace

void uniting_sink::resident_edges(std::span<const edge<std::uint32_t>> /*edges*/, std::optional<cuda_stream> /*in_order_of*/) {
  throw usage_error{"components_sink: edges in the memory of a GPU need a GPU as execution::device"};
}

void streaming_sink::begin(const io::source_facts& facts) {
  const unsigned workers = std::max(1u, facts.workers);
  workers_.clear();
  for (unsigned worker = 0; worker < workers; ++worker) workers_.emplace_back(memory_);
  first_id_ = facts.first_id;
  if (facts.named) {
    forest_ = std::make_unique<string_forest>(workers, memory_);
  } else if (facts.vertices && *facts.vertices <= no_vertex<std::uint32_t>) {
    forest_ = std::make_unique<declared_forest<std::uint32_t>>(*facts.vertices, threads_, memory_);
  } else if (facts.vertices) {
    forest_ = std::make_unique<declared_forest<std::uint64_t>>(*facts.vertices, threads_, memory_);
  } else if (auto range = ranged_forest::reserve(memory_)) {
    forest_ = std::move(range);
  } else {
    range_refused_ = true;
    forest_ = std::make_unique<sparse_forest>(workers, memory_);
  }
}

template <bool Shared>
streaming_sink::outcome streaming_sink::unite(unsigned worker, std::span<const edge<std::uint64_t>> part) {
  if (std::holds_alternative<std::monostate>(forest_))
    return outcome::united;  // another worker threw while it moved the forest, so all workers are about to stop
  if (const auto* ranged = std::get_if<std::unique_ptr<ranged_forest>>(&forest_)) {
    return all_below_range_limit(part) && (*ranged)->unite<Shared>(part, links_of(worker)) ? outcome::united : outcome::needs_hash;
  }
  if (const auto* hashed = std::get_if<std::unique_ptr<sparse_forest>>(&forest_)) {
    (*hashed)->unite<Shared>(worker, part, links_of(worker));
    return (*hashed)->became_dense() && !range_refused_ ? outcome::needs_array : outcome::united;
  }
  if (const auto* narrow = std::get_if<std::unique_ptr<declared_forest<std::uint32_t>>>(&forest_)) {
    (*narrow)->unite<Shared>(part, links_of(worker));
  } else {
    std::get<std::unique_ptr<declared_forest<std::uint64_t>>>(forest_)->unite<Shared>(part, links_of(worker));
  }
  return outcome::united;
}

streaming_sink::outcome streaming_sink::unite_guarded(unsigned worker, std::span<const edge<std::uint64_t>> part) {
  if (!shared()) return unite<false>(worker, part);
  if (moving_.load(std::memory_order_relaxed)) const std::lock_guard stand_aside{turnstile_};
  const std::lock_guard inside{workers_[worker].uniting};
  return unite<true>(worker, part);
}

void streaming_sink::edges(unsigned worker, const io::edge_batch& batch) {
  workers_[worker].edges += batch.size();
  unite_integers(worker, batch.ids);
  if (!batch.names.empty()) unite_names(worker, batch.names);
}

void streaming_sink::unite_integers(unsigned worker, std::span<const edge<std::uint64_t>> batch) {
  while (!batch.empty()) {
    const auto part = batch.first(std::min(part_edges, batch.size()));
    const outcome result = unite_guarded(worker, part);
    if (result != outcome::united) move_on(result);
    // needs_hash: the forest in an array has refused some edges of this part, and the vertices were moved to a hash table. All of the part
    // is then united again; uniting an edge twice does no harm.
    if (result != outcome::needs_hash) batch = batch.subspan(part.size());
  }
}

void streaming_sink::move_on(outcome why) {
  const std::lock_guard turn{turnstile_};
  moving_.store(true, std::memory_order_relaxed);
  std::vector<std::unique_lock<std::mutex>> alone;
  for (worker_state& worker : workers_) alone.emplace_back(worker.uniting);
  moving_.store(false, std::memory_order_relaxed);
  if (why == outcome::needs_hash) {
    move_to_hash();
    return;
  }
  const auto* hashed = std::get_if<std::unique_ptr<sparse_forest>>(&forest_);
  if (hashed == nullptr || !(*hashed)->became_dense()) return;  // another worker has moved the forest already
  if (auto range = ranged_forest::reserve(memory_)) {
    (*hashed)->move_to(*range);
    forest_ = std::move(range);
  } else {
    range_refused_ = true;
  }
}

void streaming_sink::move_to_hash() {
  auto* held = std::get_if<std::unique_ptr<ranged_forest>>(&forest_);
  if (held == nullptr) return;  // another worker has moved the forest already
  auto ranged = std::move(*held);
  forest_ = std::monostate{};  // no forest until the move succeeds
  auto hashed = std::make_unique<sparse_forest>(static_cast<unsigned>(workers_.size()), memory_);
  hashed->take_from(std::move(ranged));
  forest_ = std::move(hashed);
}

void streaming_sink::unite_names(unsigned worker, std::span<const io::named_edge> batch) {
  string_forest& forest = *std::get<std::unique_ptr<string_forest>>(forest_);
  if (shared()) {
    forest.unite<true>(worker, batch, links_of(worker));
  } else {
    forest.unite<false>(worker, batch, links_of(worker));
  }
}

// A batch of vertices arrives as loops, which are not counted as edges of the input.
void streaming_sink::vertices(unsigned worker, const io::vertex_batch& batch) {
  edge_sink::vertices(worker, batch);
  workers_[worker].edges -= batch.size();
}

labelling streaming_sink::take_labelling() {
  // An array of labels has an element for every id up to the largest, present or not. If that takes more memory than it is worth, the
  // forest moves into a hash table first.
  if (const auto* ranged = std::get_if<std::unique_ptr<ranged_forest>>(&forest_)) {
    if (!ranged_forest::worth_an_array((*ranged)->slots(), (*ranged)->present())) move_to_hash();
  }
  if (const auto* ranged = std::get_if<std::unique_ptr<ranged_forest>>(&forest_)) {
    const std::uint64_t slots = (*ranged)->slots();
    return {(*ranged)->take_labels(threads_), vertex_names::identity(slots)};
  }
  if (const auto* hashed = std::get_if<std::unique_ptr<sparse_forest>>(&forest_))
    return (*hashed)->take_labelling(threads_, signed_.load(std::memory_order_relaxed));
  if (const auto* interned = std::get_if<std::unique_ptr<string_forest>>(&forest_)) {
    return (*interned)->take_labelling(threads_, false, keeps_links_ ? &positions_ : nullptr);
  }
  const auto take_declared = [this](auto& forest) {
    auto labels = forest.take_labels(threads_);
    const std::uint64_t count = labels.size();
    return labelling{std::move(labels), vertex_names::consecutive(first_id_, count)};
  };
  if (const auto* narrow = std::get_if<std::unique_ptr<declared_forest<std::uint32_t>>>(&forest_)) return take_declared(**narrow);
  if (const auto* wide = std::get_if<std::unique_ptr<declared_forest<std::uint64_t>>>(&forest_)) return take_declared(**wide);
  return {};  // begin was never called: no input at all
}

template <unsigned_index Id>
buffer<edge<Id>> streaming_sink::links_between(const vertex_names& names) const {
  const bool strings = names.what() == vertex_names::kind::strings;
  const std::optional<name_positions> by_name =
      strings || names.first_id() ? std::nullopt : std::optional<name_positions>{std::in_place, names, threads_, memory_};
  const auto position = [&](std::uint64_t id) {
    if (by_name) return static_cast<Id>((*by_name)[id]);
    // A string is given by its number of arrival. If names are consecutive, vertices are numbered from 0, so an id is a position already.
    return strings ? static_cast<Id>(positions_[id]) : static_cast<Id>(id);
  };
  std::size_t count = 0;
  for (const worker_state& worker : workers_) count += worker.links.size();
  buffer<edge<Id>> all{count, memory_};
  edge<Id>* to = all.data();
  for (const worker_state& worker : workers_) {
    parallel_blocks(threads_, worker.links.size(), flatten_block, [&position, &worker, to](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) to[i] = {position(worker.links[i].u), position(worker.links[i].v)};
    });
    to += worker.links.size();
  }
  return all;
}

labelled_forest streaming_sink::take_forest() {
  labelling labels = present_only(take_labelling(), threads_, memory_);
  graph edges = std::visit(
      [this, &labels]<class Id>(const buffer<Id>& each) {
        return graph{coo<Id>{static_cast<Id>(each.size()), links_between<Id>(labels.names())}, labels.names()};
      },
      labels.labels());
  return {std::move(edges), std::move(labels)};
}

std::uint64_t streaming_sink::edge_count() const noexcept {
  std::uint64_t edges = 0;
  for (const worker_state& worker : workers_) edges += worker.edges;
  return edges;
}

}  // namespace copse::streaming
