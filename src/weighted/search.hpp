// Finds the forest of a graph with weights: makes keys, runs the algorithm, and writes the edges that it marked, in the order of the input.
#pragma once
#include <copse/errors.hpp>
#include <core/new_pages.hpp>
#include <core/parallel.hpp>
#include <core/phase_times.hpp>
#include <core/recycled_memory.hpp>
#include <weighted/boruvka.hpp>
#include <weighted/filter.hpp>
#include <weighted/kruskal.hpp>
#include <weighted/sources.hpp>
#include <weighted/variants.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <variant>

namespace copse::weighted {

template <class Solver, class Backend, class Source>
void search_whole(const Backend& loops, const Source& source, picks& forest, std::pmr::memory_resource* memory) {
  record_list<typename Source::record_type> all{loops.threads(), memory};
  source.collect(loops, all, [](auto u, auto v, std::uint32_t /*prefix*/) { return u != v; });
  Solver::mark(loops, all, source.vertices(), source, forest, memory);
}

template <class Backend, class Source>
void search(algorithm method, const Backend& loops, const Source& source, picks& forest, std::pmr::memory_resource* memory) {
  switch (method) {
    case algorithm::kruskal:
      return search_whole<kruskal>(loops, source, forest, memory);
    case algorithm::filter_kruskal:
      return filtered_search<kruskal, Backend, Source>{loops, source, forest, memory}.run();
    case algorithm::boruvka:
      return search_whole<boruvka>(loops, source, forest, memory);
    case algorithm::filter_boruvka:
      return filtered_search<boruvka, Backend, Source>{loops, source, forest, memory}.run();
    case algorithm::ecl_mst:
      break;  // never runs: only GPUs run ecl_mst, and search_settings::given has the edges that they found
  }
}

/// Writes the marked edges, their weights and positions to arrays.
template <class Backend, class Source, class Word>
void write_out(const Backend& loops, const Source& source, const char* weights, picks& forest, forest_arrays<typename Source::id>& found,
               const search_settings& settings) {
  const std::uint64_t count = forest.count_all(loops.threads(), settings.memory);
  found.edges = buffer<edge<typename Source::id>>{count, settings.memory};
  if (settings.positions) found.positions = buffer<std::uint64_t>{count, settings.memory};
  char* const to = settings.weights_room(count);
  touch_pages(loops.threads(), found.edges.span());
  touch_pages(loops.threads(), std::span{to, count * sizeof(Word)});
  forest.each(loops.threads(), [&](std::size_t begin) {
    return [&, read = typename Source::reader{source, begin}](std::size_t at, std::uint64_t rank) mutable {
      found.edges[rank] = read(at);
      std::memcpy(to + rank * sizeof(Word), weights + at * sizeof(Word), sizeof(Word));
      if (settings.positions) found.positions[rank] = at;
    };
  });
}

template <class Backend, unsigned_index Id>
template <class MakeSource, class Word>
forest_arrays<Id> weighted_forest_code<Backend, Id>::with_order(algorithm method, const Backend& loops, weight_order<Word> order,
                                                                const char* weights, std::size_t count, MakeSource make_source,
                                                                const search_settings& settings, phase_times& times) {
  if (!settings.given) {
    const phase_timer time{times, "keys"};
    if (const auto bad = order.needs_survey() ? order.survey(loops, count) : std::nullopt) {
      throw input_error{"weights: found one that is not a number at position " + std::to_string(*bad) + ", expected numbers"};
    }
  }
  const auto source = make_source(order);
  forest_arrays<Id> found;
  picks forest{loops, count, settings.memory};
  {
    const phase_timer time{times, "search"};
    if (settings.given) {
      const auto mark_all = [&](const auto& places) {
        parallel_blocks(loops.threads(), places.size(), std::size_t{1} << 14, [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i) forest.mark(places[i]);
        });
      };
      mark_all(settings.given->narrow);
      mark_all(settings.given->wide);
    } else {
      recycled_memory scratch{settings.memory, 1};
      search(method, loops, source, forest, &scratch);
    }
  }
  const phase_timer time{times, "edges"};
  write_out<Backend, std::remove_const_t<decltype(source)>, Word>(loops, source, weights, forest, found, settings);
  return found;
}

template <class Backend, unsigned_index Id>
forest_arrays<Id> weighted_forest_code<Backend, Id>::run(algorithm method, const shape<Id>& g, weights_view weights,
                                                         const search_settings& settings, phase_times& times) {
  const Backend loops{settings.threads, settings.watcher};
  return std::visit(
      [&]<class Weight>(std::span<const Weight> column) {
        using word = std::conditional_t<sizeof(Weight) == 4, std::uint32_t, std::uint64_t>;
        const weight_order<word> order{column, settings.goal};
        const auto with = [&](auto make_source) {
          return with_order(method, loops, order, reinterpret_cast<const char*>(column.data()), column.size(), make_source, settings,
                            times);
        };
        return std::visit(
            [&]<class Shape>(const Shape& view) {
              if constexpr (requires { view.offsets; }) {
                using offset = typename Shape::offset_type;
                return with([&view](const weight_order<word>& keys) { return rows_source<Id, offset, word>{view, keys}; });
              } else {
                const auto pairs = [&]<class Position>(Position) {
                  return with([&view](const weight_order<word>& keys) {
                    return pairs_source<Id, Position, word>{view.vertices, view.first_u, view.first_v, view.stride, view.count, keys};
                  });
                };
                if constexpr (sizeof(Id) == 4) {
                  if (view.count <= no_vertex<std::uint32_t>) return pairs(std::uint32_t{});
                }
                return pairs(std::uint64_t{});
              }
            },
            g);
      },
      weights);
}

}  // namespace copse::weighted
