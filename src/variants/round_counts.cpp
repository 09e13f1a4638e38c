#include <copse/errors.hpp>
#include <copse/memory.hpp>
#include <instruments/counting.hpp>
#include <loops/serial.hpp>
#include <loops/threads.hpp>
#include <variants/axes.hpp>
#include <variants/round_counts.hpp>
#include <variants/table.hpp>
#include <variants/validity.hpp>

#include <algorithm>
#include <array>
#include <string>

namespace copse::variant {
namespace {

using id = std::uint32_t;

template <class Backend>
using insert_in_rounds = void (*)(const Backend&, drivers::growing_forest<Backend, id>&, drivers::batch_part<id>, drivers::round_edges);

/// Returns the function that inserts a batch by the rounds of a finish; nullptr if the finish has no rounds, or cannot insert batches.
template <class Backend, class Entry>
constexpr insert_in_rounds<Backend> rounds_of_entry() {
  if constexpr (Entry::entry.traits.synchronous && incremental_refusal_of(Entry::entry, Backend::concurrent).empty()) {
    return
        [](const Backend& loops, drivers::growing_forest<Backend, id>& trees, drivers::batch_part<id> batch, drivers::round_edges visited) {
          using rounds = drivers::rounds_of<typename Entry::finish_type>;
          drivers::root_edges<Backend, id> edges{loops, trees, batch, rounds::moving, visited};
          rounds::run(edges, trees);
          edges.count_links(trees);
        };
  } else {
    return nullptr;
  }
}
template <class Backend, class... Entries>
constexpr std::array<insert_in_rounds<Backend>, sizeof...(Entries)> all_rounds(type_list<Entries...>) {
  return {rounds_of_entry<Backend, Entries>()...};
}
template <class Backend>
constexpr auto rounds_by_finish = all_rounds<Backend>(finishes{});

template <class Backend>
round_counts count_on(const table_entry& chosen, unsigned threads, id vertices, std::span<const edge<id>> stream, std::size_t batch,
                      drivers::round_edges visited) {
  const Backend loops{threads};
  drivers::growing_forest<Backend, id> trees{finish_entries[chosen.finish].traits, false, host_memory()};
  trees.grow(loops, vertices);
  trees.declare(0);
  Backend::template parents<id>::reset();
  const auto insert = rounds_by_finish<Backend>[chosen.finish];
  for (std::size_t at = 0; at < stream.size(); at += batch) {
    insert(loops, trees, {stream.subspan(at, std::min(batch, stream.size() - at))}, visited);
  }
  return {Backend::template parents<id>::totals().arcs, trees.vertices() - trees.links()};
}

using counting_serial = backend::basic_serial<parents::counting>;
using counting_threads = backend::basic_threads<parents::counting>;

bool is_counted(const table_entry& row) {
  return (row.info.backend == counting_serial::name || row.info.backend == counting_threads::name) &&
         finish_entries[row.finish].traits.synchronous;
}

}  // namespace

std::vector<std::string_view> counted_in_rounds() {
  std::vector<std::string_view> names;
  for (const table_entry& row : table(problem_kind::incremental)) {
    if (is_counted(row)) names.push_back(row.info.name);
  }
  return names;
}

round_counts count_rounds(std::string_view name, unsigned threads, std::uint32_t vertices, std::span<const edge<std::uint32_t>> stream,
                          std::size_t batch, drivers::round_edges visited) {
  const table_entry* row = find_entry(name, input_kind::coo, problem_kind::incremental);
  if (row == nullptr || !is_counted(*row)) {
    throw usage_error{
        std::string{"rounds can be counted for variants of incremental connectivity that work in rounds on the CPU, not for "}.append(
            name)};
  }
  if (row->info.backend == counting_serial::name) return count_on<counting_serial>(*row, threads, vertices, stream, batch, visited);
  return count_on<counting_threads>(*row, threads, vertices, stream, batch, visited);
}

}  // namespace copse::variant
