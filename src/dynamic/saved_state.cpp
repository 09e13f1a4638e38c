// The state of a graph as bytes: load() takes over what save() wrote in bulk, without applying any operation.
//
// The forest is stored as the parent of each vertex, and edges outside it as the set of each vertex, so that both are read in order.
// Whatever can be computed from these is left out: sizes, lists of children, queues of edges that leave a window.
#include <copse/errors.hpp>
#include <core/new_pages.hpp>
#include <core/parallel.hpp>
#include <core/team.hpp>
#include <dynamic/numbered_graph.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace copse::dynamics {
namespace {

// Sets are read and written in runs of about this number of neighbours, of which the threads take blocks of vertices.
constexpr std::size_t run_neighbours = std::size_t{1} << 20;
constexpr std::uint32_t block_vertices = 4096;

[[noreturn]] void refuse_number(std::uint32_t number, std::uint64_t bound) {
  throw input_error{"found the number " + std::to_string(number) + " in the state of a dynamic graph, expected one below " +
                    std::to_string(bound)};
}

std::uint32_t checked(std::uint32_t number, std::uint64_t bound) {
  if (number >= bound && number != none) refuse_number(number, bound);
  return number;
}

// What edges carry is read in blocks of this number of rows, so that a wrong number of edges does not allocate more memory than the bytes
// account for, and so that blocks can be freed while their rows are sorted.
constexpr std::size_t block_rows = std::size_t{1} << 17;

template <class T>
class read_column {
public:
  read_column(byte_source& from, std::uint64_t count) {
    for (std::uint64_t begin = 0; begin < count; begin += block_rows) {
      const auto rows = static_cast<std::size_t>(std::min<std::uint64_t>(block_rows, count - begin));
      blocks_.push_back(std::make_unique_for_overwrite<T[]>(rows));
      from.bytes(reinterpret_cast<char*>(blocks_.back().get()), rows * sizeof(T));
    }
  }
  [[nodiscard]] const T& operator[](std::uint64_t row) const noexcept { return blocks_[row / block_rows][row % block_rows]; }
  void free_block(std::uint64_t row) noexcept {
    if (row / block_rows < blocks_.size()) blocks_[row / block_rows].reset();
  }

private:
  std::vector<std::unique_ptr<T[]>> blocks_;
};

}  // namespace

void dynamic_components::save(byte_sink& to, const renumbering& now) const {
  const std::vector<std::uint32_t> places = records_.places();
  std::uint32_t bound = slots();
  while (bound != 0 && nodes_[bound - 1].component == none) --bound;
  to.value(now.count(bound));
  to.value(static_cast<std::uint32_t>(records_.components()));
  to.value(edges_);
  const auto for_each_record = [&](auto visit) {
    for (const component_record& r : records_)
      if (r.size != 0) visit(r);
  };
  for_each_record([&](const component_record& r) { to.value(r.id); });
  for_each_record([&](const component_record& r) { to.value(now(r.root)); });
  const auto for_each_node = [&](auto visit) { now.for_each(bound, [&](std::uint32_t v) { visit(nodes_[v]); }); };
  for_each_node([&](const node& x) { to.value(x.component == none ? none : places[records_.find(x.component)]); });
  for_each_node([&](const node& x) { to.value(now(x.parent)); });
  for_each_node([&](const node& x) { to.value(x.outside.count); });
  save_sets(to, now, bound);
}

// All threads collect the neighbours of a run of vertices, each thread those of some blocks of vertices.
void dynamic_components::save_sets(byte_sink& to, const renumbering& now, std::uint32_t bound) const {
  constexpr std::uint32_t vertices_ahead = 16;
  std::unique_ptr<std::uint32_t[]> neighbours;
  std::size_t room = 0;
  for (std::uint32_t begin = 0, end = 0; begin != bound; begin = end) {
    std::vector<std::size_t> begins{0};
    while (end != bound && (begins.size() == 1 || begins.back() < run_neighbours)) {
      const std::uint32_t block_end = std::min<std::uint32_t>(bound, end + block_vertices);
      std::size_t all = begins.back();
      for (; end != block_end; ++end) all += nodes_[end].outside.count;
      begins.push_back(all);
    }
    if (begins.back() > room) neighbours = std::make_unique_for_overwrite<std::uint32_t[]>(room = begins.back());
    parallel_blocks(threads_, begins.size() - 1, 1, [&](std::size_t block, std::size_t) {
      std::uint32_t* next = neighbours.get() + begins[block];
      const std::uint32_t first = begin + static_cast<std::uint32_t>(block) * block_vertices;
      for (std::uint32_t v = first; v < std::min(end, first + block_vertices); ++v) {
        if (v + vertices_ahead < end) sets_.prefetch(nodes_[v + vertices_ahead].outside);
        sets_.any_of(nodes_[v].outside, [&](std::uint32_t w) {
          *next++ = now(w);
          return false;
        });
      }
    });
    to.bytes({reinterpret_cast<const char*>(neighbours.get()), begins.back() * sizeof(std::uint32_t)});
  }
}

void dynamic_components::load(byte_source& from) {
  const auto slots = from.value<std::uint32_t>(), used = from.value<std::uint32_t>();
  edges_ = from.value<std::uint64_t>();
  nodes_.reserve(slots);
  touch_pages(threads_, std::span{nodes_.data(), slots});
  reserve(slots);
  records_.load(used);
  for (component_record& r : records_) r.id = from.value<std::uint64_t>();
  for (component_record& r : records_) r.root = checked(from.value<std::uint32_t>(), slots);
  for (std::uint32_t r = 0; r < used; ++r)
    if (records_[r].root != none) lists_.begin({r, records_[r].root});
  for (std::uint32_t v = 0; v < slots; ++v) {
    const std::uint32_t r = nodes_[v].component = checked(from.value<std::uint32_t>(), used);
    if (r == none) continue;
    if (v != records_[r].root) lists_.append(v, {r, records_[r].root});
    ++records_[r].size;
    ++vertices_;
  }
  for (node& x : nodes_) x.parent = checked(from.value<std::uint32_t>(), slots);
  for (std::uint32_t v = slots; v-- > 0;) {
    if (v >= 16 && nodes_[v - 16].parent != none) __builtin_prefetch(&nodes_[nodes_[v - 16].parent], 1);
    if (nodes_[v].parent != none) hang(v, nodes_[v].parent);
  }
  load_sets(from);
}

// All threads make the sets of a run of vertices, while one of them reads the neighbours of the next run.
void dynamic_components::load_sets(byte_source& from) {
  struct position {
    std::uint64_t neighbours = 0, units = 0;
  };
  const std::size_t blocks = (nodes_.size() + block_vertices - 1) / block_vertices;
  std::vector<position> begins(blocks + 1);  // where the neighbours of each block of vertices begin in the bytes, and in memory
  const auto vertices_of = [&](std::size_t block) {
    return std::span{nodes_}.subspan(block * block_vertices, std::min<std::size_t>(block_vertices, nodes_.size() - block * block_vertices));
  };
  position all;
  for (std::size_t block = 0; block < blocks; ++block) {
    begins[block] = all;
    for (node& x : vertices_of(block)) {
      x.outside.count = from.value<std::uint32_t>();
      all.neighbours += x.outside.count;
      all.units += neighbour_sets::units_for(x.outside.count);
    }
  }
  begins[blocks] = all;
  struct run {
    std::size_t begin, end;  // blocks
    std::unique_ptr<std::uint32_t[]> neighbours;
  };
  const auto read_run = [&](std::size_t begin) {
    std::size_t end = begin;
    while (end < blocks && (end == begin || begins[end + 1].neighbours - begins[begin].neighbours <= run_neighbours)) ++end;
    const std::uint64_t count = begins[end].neighbours - begins[begin].neighbours;
    run made{begin, end, std::make_unique_for_overwrite<std::uint32_t[]>(count)};
    from.bytes(reinterpret_cast<char*>(made.neighbours.get()), count * sizeof(std::uint32_t));
    return made;
  };
  const std::uint32_t first_block = sets_.allocate_adjacent(all.units, threads_);
  for (run made = read_run(0), next; made.begin != blocks; made = std::move(next)) {
    std::atomic<std::size_t> taken{made.begin};
    const std::size_t tasks = made.end - made.begin + (made.end == blocks ? 0 : 1);
    on_workers(static_cast<unsigned>(std::min<std::size_t>(threads_, tasks)), [&](unsigned worker) {
      if (worker == 0) next = read_run(made.end);
      for (std::size_t block; (block = taken.fetch_add(1, std::memory_order_relaxed)) < made.end;) {
        const std::uint32_t* neighbours = made.neighbours.get() + (begins[block].neighbours - begins[made.begin].neighbours);
        std::uint32_t units = first_block + static_cast<std::uint32_t>(begins[block].units);
        for (node& x : vertices_of(block)) {
          const std::span its{neighbours, x.outside.count};
          for (const std::uint32_t w : its) checked(w, nodes_.size());
          sets_.make(x.outside, units, its);
          neighbours += its.size();
          units += neighbour_sets::units_for(x.outside.count);
        }
      }
    });
  }
}

void edge_table::save(byte_sink& to, const renumbering& now) const {
  to.value(size_);
  for_each_row([&](const row&, const edge_name& edge) { to.value(now(edge.u)); });
  for_each_row([&](const row&, const edge_name& edge) { to.value(now(edge.v)); });
  const auto put_all = [&](bool is_carried, unsigned i) {
    if (is_carried) for_each_row([&](const row& r, const edge_name&) { to.value(r.value(i)); });
  };
  put_all(carried_.keys, key_);
  put_all(carried_.weights, 0);
  put_all(carried_.times, time_);
  put_all(carried_.sequences, sequence_);
}

void edge_table::load(byte_source& from) {
  const auto count = from.value<std::uint64_t>();
  read_column<std::uint32_t> us{from, count}, vs{from, count};
  std::vector<std::pair<unsigned, read_column<std::uint64_t>>> columns;  // the columns of values, with their indices in a row
  const auto read = [&](bool is_carried, unsigned i) {
    if (is_carried) columns.emplace_back(i, read_column<std::uint64_t>{from, count});
  };
  read(carried_.keys, key_);
  read(carried_.weights, 0);
  read(carried_.times, time_);
  read(carried_.sequences, sequence_);
  if (count == 0) return;
  unsigned depth = prefix_bits;  // that which the table grows to, so that hardly any segment needs to be split on the way
  while (count >> depth > segment_rows * 4 / 5) ++depth;
  begin(pairs_, depth);

  // Edges are first sorted by ranges of their codes, so that the segments of a range stay in a cache while its edges are inserted.
  constexpr unsigned segments_in_cache = 1 << 9, most_ranges = 1 << 12;
  const unsigned ranges = std::clamp((1u << depth) / segments_in_cache, 1u, most_ranges);
  const auto code_of = [&](std::uint64_t r) { return code_(std::min(us[r], vs[r]), std::max(us[r], vs[r])); };
  const auto range_of = [ranges](std::uint64_t code) { return static_cast<unsigned>((code >> 32) * ranges >> 32); };
  std::vector<std::uint64_t> places(ranges + 1);
  for (std::uint64_t r = 0; r < count; ++r) ++places[range_of(code_of(r)) + 1];
  std::partial_sum(places.begin(), places.end(), places.begin());
  const std::size_t words = 1 + columns.size();  // for each edge its code, and its values
  const auto edges = std::make_unique_for_overwrite<std::uint64_t[]>(count * words);
  for (std::uint64_t r = 0; r < count; ++r) {
    const std::uint64_t code = code_of(r);
    std::uint64_t* const edge = &edges[places[range_of(code)]++ * words];
    edge[0] = code;
    for (const auto& [i, column] : columns) edge[1 + i] = column[r];
    if ((r + 1) % block_rows != 0) continue;
    us.free_block(r);
    vs.free_block(r);
    for (auto& [i, column] : columns) column.free_block(r);
  }
  for (std::uint64_t r = 0; r < count; ++r) {
    const std::uint64_t* const edge = &edges[r * words];
    const auto [u, v] = code_.pair_of(edge[0]);
    edge_state state{.present = true};
    if (carried_.weights) state.weight = std::bit_cast<double>(edge[1]);
    if (carried_.times) state.time = static_cast<std::int64_t>(edge[1 + time_]);
    if (carried_.sequences) state.sequence = edge[1 + sequence_];
    // a segment that is full of one edge could not be split: only a damaged state has that
    const bool may_be_there = carried_.keys || segments_[pairs_.at(edge[0])].count == segment_rows;
    set({u, v, carried_.keys ? edge[1 + key_] : 0}, state, may_be_there);
  }
  if (size_ != count) throw input_error{"found an edge repeatedly in the state of a dynamic graph, expected each once"};
}

void numbered_graph::save(byte_sink& to, const renumbering& now) const {
  to.value(last_);
  to.value(next_id_);
  to.value(operations_);
  to.value(cutoff_);
  graph_.save(to, now);
  if (has_table()) table_.save(to, now);
}

void numbered_graph::load(byte_source& from) {
  last_ = from.value<std::uint64_t>();
  oldest_ = last_ + 1;
  next_id_ = from.value<std::uint64_t>();
  operations_ = from.value<std::uint64_t>();
  cutoff_ = from.value<std::int64_t>();
  graph_.load(from);
  if (has_table()) table_.load(from);
  begin_queues();
  if (!options_.snapshots) return;
  std::vector<id_row> rows;
  rows.reserve(graph_.vertices());
  for (std::uint32_t v = 0; v < graph_.slots(); ++v)
    if (graph_.present(v)) rows.push_back({v, no_component, graph_.record(graph_.record_of(v)).id});
  versions_.apply(rows, last_);
}

}  // namespace copse::dynamics
