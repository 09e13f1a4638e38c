#include "io/collect.hpp"

#include "core/parallel.hpp"
#include "core/team.hpp"
#include "ids/dense_numbers.hpp"

#include <copse/errors.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace copse::io {
namespace {

constexpr std::uint64_t narrow_vertices = std::numeric_limits<std::uint32_t>::max();

/// If the largest id is at most this many times the number of edges, a bitmap of all ids up to it is used, which takes less memory than a
/// hash table of the ids.
constexpr std::uint64_t dense_ids_an_edge = 256;

/// If there are at least this many edges per integer from 0 to the largest id, the numbers of the ids are also stored in an array indexed
/// by id. It takes at most one byte per edge, and finds a number several times as fast as counting bits in the bitmap of the ids does.
constexpr std::uint64_t edges_an_id_in_array = 4;

template <class Visit>
void for_each_id(const edge_chunk& chunk, Visit visit) {
  std::visit(
      [&](const auto& held) {
        std::for_each(held.begin(), held.begin() + chunk.size, [&](const auto& e) {
          visit(e.u);
          visit(e.v);
        });
      },
      chunk.edges);
}

}  // namespace

void collecting_sink::begin(const source_facts& facts) {
  facts_ = facts;
  workers_.clear();
  for (unsigned i = 0; i < std::max(1u, facts.workers); ++i) workers_.push_back(std::make_unique<worker_state>(options_.memory));
  if (!facts.named || names_ != nullptr) return;
  own_names_ = std::make_unique<ids::id_map<std::string_view>>(static_cast<unsigned>(workers_.size()), options_.memory);
  names_ = own_names_.get();
}

void collecting_sink::begin_block(unsigned worker, std::uint64_t block) {
  worker_state& mine = *workers_[worker];
  mine.chunks.begin_block(block);
  mine.block = block;
  mine.block_begin = mine.chunks.size();
}

void collecting_sink::left_out(unsigned worker, std::size_t pending) {
  if (options_.numbers == nullptr) return;
  worker_state& mine = *workers_[worker];
  mine.gaps.push_back({mine.block, mine.chunks.size() - mine.block_begin + pending});
}

void collecting_sink::edges(unsigned worker, const edge_batch& batch) {
  worker_state& mine = *workers_[worker];
  const double* weights = weighted_ ? batch.weights.data() : nullptr;
  mine.chunks.push(batch.ids, weights);
  std::array<edge<std::uint64_t>, ids::piece_edges> numbers;
  for (std::span<const named_edge> names = batch.names; !names.empty();) {
    const auto now = names.first(std::min(names.size(), numbers.size()));
    const auto ends = names_->number_ends(worker, now, workers_.size() > 1);
    for (std::size_t i = 0; i < now.size(); ++i) numbers[i] = {ends[2 * i], ends[2 * i + 1]};
    mine.chunks.push({numbers.data(), now.size()}, weights);
    if (weights != nullptr) weights += now.size();
    names = names.subspan(now.size());
  }
}

void collecting_sink::vertices(unsigned worker, const vertex_batch& batch) {
  for (std::span<const std::string_view> names = batch.names; !names.empty();) {
    const auto now = names.first(std::min(names.size(), ids::piece_keys));
    std::ranges::copy(now, names_->room(worker).begin());
    names_->number(worker, now.size(), workers_.size() > 1);
    names = names.subspan(now.size());
  }
  std::array<edge<std::uint64_t>, 256> loops;
  for (std::span<const std::uint64_t> ids = batch.ids; !ids.empty();) {
    const auto now = ids.first(std::min(ids.size(), loops.size()));
    std::transform(now.begin(), now.end(), loops.begin(), [](std::uint64_t id) { return edge<std::uint64_t>{id, id}; });
    workers_[worker]->lone.push({loops.data(), now.size()});
    ids = ids.subspan(now.size());
  }
}

void collecting_sink::finish() {
  std::uint64_t largest = 0;
  lone_size_ = 0;
  for (const auto& worker : workers_) {
    largest = std::max({largest, worker->chunks.largest(), worker->lone.largest()});
    lone_size_ += worker->lone.size();
  }
  place_runs();
  if (facts_.named && own_names_ == nullptr) {
    return number_edges(names_->bound(), vertex_names::identity(names_->bound()), [](std::uint64_t id) { return id; });
  }
  if (facts_.named) return finish_mapped(*own_names_);
  if (facts_.vertices) {
    if (size_ + lone_size_ != 0 && largest >= *facts_.vertices) {
      throw input_error{"found the id " + std::to_string(largest) + ", expected one below " + std::to_string(*facts_.vertices)};
    }
    return number_edges(*facts_.vertices, vertex_names::consecutive(facts_.first_id, *facts_.vertices),
                        [](std::uint64_t id) { return id; });
  }
  if (largest / dense_ids_an_edge <= size_ + lone_size_) return finish_dense(largest);
  finish_sparse();
}

void collecting_sink::place_runs() {
  std::vector<edge_run*> runs;
  for (const auto& worker : workers_) {
    for (edge_chunk& chunk : worker->chunks.chunks()) {
      for (edge_run& run : chunk.runs) runs.push_back(&run);
    }
  }
  std::stable_sort(runs.begin(), runs.end(), [](const edge_run* a, const edge_run* b) { return a->block < b->block; });
  size_ = 0;
  for (edge_run* run : runs) {
    run->place = size_;
    size_ += run->size;
  }
  if (options_.numbers != nullptr) number_edges_of_file(runs);
}

// Fills options.numbers, which translates the index of a kept edge to its index in the file: stores for each edge that was left out how
// many kept edges come before it. `runs`, each of consecutive kept edges of one block, are in the order of their blocks.
void collecting_sink::number_edges_of_file(std::span<edge_run* const> runs) const {
  std::pmr::vector<gap> gaps{options_.memory};
  for (const auto& worker : workers_) {
    gaps.insert(gaps.end(), worker->gaps.begin(), worker->gaps.end());
    worker->gaps = std::pmr::vector<gap>{options_.memory};
  }
  std::sort(gaps.begin(), gaps.end());
  buffer<std::uint64_t> before{gaps.size(), options_.memory};
  std::uint64_t edges = 0;  // kept edges in the blocks before this one
  auto run = runs.begin();
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    for (; run != runs.end() && (*run)->block < gaps[i].block; ++run) edges += (*run)->size;
    before[i] = edges + gaps[i].kept;
  }
  *options_.numbers = edge_numbers{std::move(before)};
}

template <class Visit>
void collecting_sink::for_each_chunk(Visit visit) {
  std::vector<edge_chunk*> all;
  for (const auto& worker : workers_) {
    for (edge_chunk& chunk : worker->chunks.chunks()) all.push_back(&chunk);
  }
  parallel_blocks(usable_threads(options_.threads), all.size(), 1, [&](std::size_t i, std::size_t) {
    if (options_.observer != nullptr && options_.observer->cancel_requested()) throw cancelled{};
    visit(*all[i]);
  });
}

template <unsigned_index Id, class Number>
coo<Id> collecting_sink::numbered(std::uint64_t vertices, Number number) {
  coo<Id> list{static_cast<Id>(vertices), buffer<edge<Id>>{size_, options_.memory}};
  if (weighted_) weights_ = buffer<double>{size_, options_.memory};
  for_each_chunk([&](edge_chunk& chunk) {
    if (weighted_) {
      for (const edge_run& run : chunk.runs) std::copy_n(chunk.weights.begin() + run.begin, run.size, weights_.begin() + run.place);
    }
    std::visit(
        [&]<class Held>(const buffer<edge<Held>>& held) {
          for (const edge_run& run : chunk.runs) {
            const edge<Held>* const from = held.begin() + run.begin;
            std::transform(from, from + run.size, list.edges.begin() + run.place, [&](const edge<Held>& e) {
              return edge<Id>{static_cast<Id>(number(e.u)), static_cast<Id>(number(e.v))};
            });
          }
        },
        chunk.edges);
    chunk.edges = {};
    chunk.weights = {};
  });
  return list;
}

template <class Number>
void collecting_sink::number_edges(std::uint64_t vertices, vertex_names names, Number number) {
  collected_ = vertices <= narrow_vertices ? graph{numbered<std::uint32_t>(vertices, number), std::move(names)}
                                           : graph{numbered<std::uint64_t>(vertices, number), std::move(names)};
}

void collecting_sink::finish_dense(std::uint64_t largest) {
  if (size_ + lone_size_ == 0) return number_edges(0, vertex_names::identity(0), [](std::uint64_t id) { return id; });
  ids::dense_numbers numbers{largest + 1, usable_threads(options_.threads), options_.memory};
  const auto mark = [&](std::uint64_t id) { numbers.mark(id); };
  for_each_chunk([&](const edge_chunk& chunk) { for_each_id(chunk, mark); });
  for (const auto& worker : workers_) {
    for (const edge_chunk& chunk : worker->lone.chunks()) for_each_id(chunk, mark);
  }
  const std::uint64_t count = numbers.count_all();
  if (count == largest + 1) return number_edges(count, vertex_names::identity(count), [](std::uint64_t id) { return id; });
  auto names = vertex_names::integers(numbers.ids(options_.memory));
  if (count <= narrow_vertices && largest < size_ / edges_an_id_in_array) {
    const buffer<std::uint32_t> number_of = numbers.all(options_.memory);
    return number_edges(count, std::move(names), [&](std::uint64_t id) { return number_of[id]; });
  }
  number_edges(count, std::move(names), [&](std::uint64_t id) { return numbers.number(id); });
}

// Replaces the ids in the edges by their numbers, in place.
void collecting_sink::finish_sparse() {
  const unsigned threads = usable_threads(options_.threads);
  ids::id_map<std::uint64_t> map{threads, options_.memory};
  const auto number_all = [&](edge_chunk& chunk) {
    std::visit(
        [&]<class Held>(buffer<edge<Held>>& held) {
          for (std::size_t begin = 0; begin < chunk.size; begin += ids::piece_edges) {
            const auto some = held.span().subspan(begin, std::min(ids::piece_edges, chunk.size - begin));
            const auto ends = map.number_ends(worker_number(), std::span<const edge<Held>>{some}, threads > 1);
            for (std::size_t i = 0; i < some.size(); ++i) some[i] = {ends[2 * i], ends[2 * i + 1]};
          }
        },
        chunk.edges);
  };
  for_each_chunk(number_all);
  for (const auto& worker : workers_) {
    for (edge_chunk& chunk : worker->lone.chunks()) number_all(chunk);
  }
  finish_mapped(map);
}

template <class Id>
void collecting_sink::finish_mapped(ids::id_map<Id>& map) {
  const unsigned threads = usable_threads(options_.threads);
  const std::uint64_t bound = map.bound();
  ids::ordered_ids ordered = map.take_ordered(threads, signed_.load(std::memory_order_relaxed));
  const buffer<std::uint32_t> positions = ids::positions_of(ordered, bound, threads, options_.memory);
  ordered.numbers = {};
  const std::uint64_t count = ordered.names.size();
  number_edges(count, std::move(ordered.names), [&](std::uint64_t number) { return positions[number]; });
}

std::uint64_t edge_numbers::operator[](std::uint64_t i) const noexcept {
  return i + static_cast<std::uint64_t>(std::upper_bound(before_.begin(), before_.end(), i) - before_.begin());
}

}  // namespace copse::io
