#include "io/collect.hpp"

#include "core/parallel.hpp"
#include "core/team.hpp"
#include "io/id_numbers.hpp"

#include <copse/errors.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace copse::io {
namespace {

constexpr std::uint64_t narrow_vertices = std::numeric_limits<std::uint32_t>::max();

/// A bit for every id up to the largest costs less than a table of the ids while there are at most this many to an edge.
constexpr std::uint64_t dense_ids_an_edge = 256;

/// Numbers are counted in that bitmap, or, where an array of them adds at most a byte an edge, looked up, which is several times as fast.
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

void collecting_sink::named_edges(unsigned worker, std::span<const named_edge> batch) {
  worker_state& mine = *workers_[worker];
  std::array<edge<std::uint64_t>, 256> numbers;
  while (!batch.empty()) {
    const std::size_t now = std::min(batch.size(), numbers.size());
    for (std::size_t i = 0; i < now; ++i) numbers[i] = {mine.strings.insert(batch[i].u), mine.strings.insert(batch[i].v)};
    mine.push({numbers.data(), now});
    if (mine.weights != nullptr) mine.weights += now;
    batch = batch.subspan(now);
  }
}

void collecting_sink::vertices(unsigned worker, std::span<const std::uint64_t> ids) {
  std::array<edge<std::uint64_t>, 256> loops;
  while (!ids.empty()) {
    const auto now = ids.first(std::min(ids.size(), loops.size()));
    std::transform(now.begin(), now.end(), loops.begin(), [](std::uint64_t id) { return edge<std::uint64_t>{id, id}; });
    workers_[worker]->lone.push({loops.data(), now.size()});
    ids = ids.subspan(now.size());
  }
}

void collecting_sink::named_vertices(unsigned worker, std::span<const std::string_view> names) {
  for (const std::string_view name : names) workers_[worker]->strings.insert(name);
}

void collecting_sink::finish() {
  std::uint64_t largest = 0;
  lone_size_ = 0;
  for (const auto& worker : workers_) {
    largest = std::max({largest, worker->chunks.largest(), worker->lone.largest()});
    lone_size_ += worker->lone.size();
  }
  place_runs();
  if (facts_.named) return finish_named();
  if (facts_.vertices) {
    if (size_ + lone_size_ != 0 && largest >= *facts_.vertices) {
      throw input_error{"found the id " + std::to_string(largest) + ", expected one below " + std::to_string(*facts_.vertices)};
    }
    return number_edges(*facts_.vertices, vertex_names::consecutive(facts_.first_id, *facts_.vertices),
                        [](unsigned, std::uint64_t id) { return id; });
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

// `runs`: in the order of their blocks.
void collecting_sink::number_edges_of_file(std::span<edge_run* const> runs) const {
  std::pmr::vector<gap> gaps{options_.memory};
  for (const auto& worker : workers_) {
    gaps.insert(gaps.end(), worker->gaps.begin(), worker->gaps.end());
    worker->gaps = std::pmr::vector<gap>{options_.memory};
  }
  std::sort(gaps.begin(), gaps.end());
  buffer<std::uint64_t> before{gaps.size(), options_.memory};
  std::uint64_t edges = 0;  // in the blocks before this one
  auto run = runs.begin();
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    for (; run != runs.end() && (*run)->block < gaps[i].block; ++run) edges += (*run)->size;
    before[i] = edges + gaps[i].kept;
  }
  *options_.numbers = edge_numbers{std::move(before)};
}

template <class Visit>
void collecting_sink::for_each_chunk(Visit visit) {
  std::vector<std::pair<unsigned, edge_chunk*>> all;
  for (unsigned worker = 0; worker < workers_.size(); ++worker) {
    for (edge_chunk& chunk : workers_[worker]->chunks.chunks()) all.emplace_back(worker, &chunk);
  }
  parallel_blocks(usable_threads(options_.threads), all.size(), 1, [&](std::size_t i, std::size_t) {
    if (options_.observer != nullptr && options_.observer->cancel_requested()) throw cancelled{};
    visit(all[i].first, *all[i].second);
  });
}

template <unsigned_index Id, class Number>
coo<Id> collecting_sink::numbered(std::uint64_t vertices, Number number) {
  coo<Id> list{static_cast<Id>(vertices), buffer<edge<Id>>{size_, options_.memory}};
  const bool weighted = std::ranges::any_of(workers_, [](const auto& worker) { return worker->weights != nullptr; });
  if (weighted) weights_ = buffer<double>{size_, options_.memory};
  for_each_chunk([&](unsigned worker, edge_chunk& chunk) {
    if (weighted) {
      for (const edge_run& run : chunk.runs) std::copy_n(chunk.weights.begin() + run.begin, run.size, weights_.begin() + run.place);
    }
    std::visit(
        [&]<class Held>(const buffer<edge<Held>>& held) {
          for (const edge_run& run : chunk.runs) {
            const edge<Held>* const from = held.begin() + run.begin;
            std::transform(from, from + run.size, list.edges.begin() + run.place, [&](const edge<Held>& e) {
              return edge<Id>{static_cast<Id>(number(worker, e.u)), static_cast<Id>(number(worker, e.v))};
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
  if (size_ + lone_size_ == 0) return number_edges(0, vertex_names::identity(0), [](unsigned, std::uint64_t id) { return id; });
  dense_numbers numbers{largest + 1, usable_threads(options_.threads), options_.memory};
  const auto mark = [&](std::uint64_t id) { numbers.mark(id); };
  for_each_chunk([&](unsigned, const edge_chunk& chunk) { for_each_id(chunk, mark); });
  for (const auto& worker : workers_) {
    for (const edge_chunk& chunk : worker->lone.chunks()) for_each_id(chunk, mark);
  }
  const std::uint64_t count = numbers.count_all();
  if (count == largest + 1) return number_edges(count, vertex_names::identity(count), [](unsigned, std::uint64_t id) { return id; });
  auto names = vertex_names::integers(numbers.ids(options_.memory));
  if (count <= narrow_vertices && largest < size_ / edges_an_id_in_array) {
    const buffer<std::uint32_t> number_of = numbers.all(options_.memory);
    return number_edges(count, std::move(names), [&](unsigned, std::uint64_t id) { return number_of[id]; });
  }
  number_edges(count, std::move(names), [&](unsigned, std::uint64_t id) { return numbers.number(id); });
}

// Each thread reads all edges and keeps the ids of its own hash class, so that no table is shared.
void collecting_sink::finish_sparse() {
  const unsigned threads = usable_threads(options_.threads);
  std::vector<id_table> tables;
  for (unsigned i = 0; i < threads; ++i) tables.emplace_back(options_.memory);
  const auto class_of = [threads, hash = seeded_hash{}](std::uint64_t id) { return hash(id) % 256 * threads / 256; };
  on_workers(threads, [&](unsigned mine) {
    for (const auto& worker : workers_) {
      for (edge_chunks* chunks : {&worker->chunks, &worker->lone}) {
        for (const edge_chunk& chunk : chunks->chunks()) {
          if (options_.observer != nullptr && options_.observer->cancel_requested()) throw cancelled{};
          for_each_id(chunk, [&](std::uint64_t id) {
            if (class_of(id) == mine) tables[mine].insert(id);
          });
        }
      }
    }
  });
  std::uint64_t count = 0;
  for (const id_table& table : tables) count += table.size();
  buffer<std::uint64_t> ids{count, options_.memory};
  std::uint64_t* end = ids.begin();
  for (const id_table& table : tables) end = table.list(end);
  std::sort(ids.begin(), ids.end());
  on_workers(threads, [&](unsigned mine) { tables[mine].number_by(ids.span()); });
  number_edges(count, vertex_names::integers(std::move(ids)), [&](unsigned, std::uint64_t id) { return tables[class_of(id)].number(id); });
}

void collecting_sink::finish_named() {
  struct occurrence {
    std::string_view name;
    std::uint32_t worker;
    std::uint32_t number;
  };
  std::uint64_t total = 0;
  for (const auto& worker : workers_) total += worker->strings.size();
  buffer<occurrence> all{total, options_.memory};
  std::uint64_t next = 0;
  for (std::uint32_t w = 0; w < workers_.size(); ++w) {
    const name_table& strings = workers_[w]->strings;
    for (std::uint32_t i = 0; i < strings.size(); ++i) all[next++] = {strings.string(i), w, i};
  }
  std::sort(all.begin(), all.end(), [](const occurrence& a, const occurrence& b) { return a.name < b.name; });

  std::vector<buffer<std::uint64_t>> numbers;  // of each worker's strings
  for (const auto& worker : workers_) numbers.emplace_back(worker->strings.size(), options_.memory);
  const auto is_new = [&](std::uint64_t i) { return i == 0 || all[i].name != all[i - 1].name; };
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
  for (std::uint64_t i = 0; i < total; ++i) {
    if (is_new(i)) {
      ++count;
      bytes += all[i].name.size();
    }
    numbers[all[i].worker][all[i].number] = count - 1;
  }
  buffer<char> text{bytes, options_.memory};
  buffer<std::uint64_t> offsets{count + 1, options_.memory};
  char* to = text.data();
  std::uint64_t name = 0;
  for (std::uint64_t i = 0; i < total; ++i) {
    if (!is_new(i)) continue;
    offsets[name++] = static_cast<std::uint64_t>(to - text.data());
    to = std::copy(all[i].name.begin(), all[i].name.end(), to);
  }
  offsets[count] = bytes;
  number_edges(count, vertex_names::strings(std::move(text), std::move(offsets)),
               [&](unsigned worker, std::uint64_t number) { return numbers[worker][number]; });
}

}  // namespace copse::io
