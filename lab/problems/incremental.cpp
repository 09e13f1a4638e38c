// Edges that arrive in batches, and queries in between, as in Figures 8 to 10 of the GConn paper: each edge once, in either direction, in
// random order, from an empty structure to the number of components.
#include <algorithm>
#include <api/dense_incremental.hpp>
#include <copse/copse.hpp>
#include <copse/extend/parents/atomic.hpp>
#include <copse/extend/rules/find/halve.hpp>
#include <copse/extend/rules/unite/async.hpp>
#include <core/parallel.hpp>
#include <variants/round_counts.hpp>

#include "../printed/first_touch.hpp"
#include "inputs.hpp"
#include "kit.hpp"
#include "streams.hpp"

namespace copse::lab {
namespace {

using id = std::uint32_t;

void run(const arguments& asked, recorder& out) {
  const unsigned threads = asked.threads();
  const execution on{.threads = threads};
  for (const std::string& spec : asked.operands()) {
    const edge_stream stream = shuffled_edges_of(spec);
    const mixed_streams mixes{stream, asked};
    agreement counts{spec};
    std::vector<contestant> ways;
    const auto add = [&](const std::string& variant, series_setting setting, std::size_t operations, bool whole, auto work) {
      ways.push_back({variant, std::move(setting), [&counts, variant, operations, whole, threads, work]() -> std::vector<reading> {
                        std::uint64_t components = 0;
                        const double seconds = seconds_of(threads, [&] { components = work(); });
                        if (whole) counts.expect(components, variant);
                        return insert_and_rate(seconds, operations);
                      }});
    };
    for (const std::string& variant : asked.words("static")) {
      add(variant, {{"batch", "static"}}, stream.list.size(), true, [&, variant] {
        const coo_view<id> list{stream.vertices, stream.list};
        return components(graph_view{list}, {.variant = variant}, on).count();
      });
    }
    for (const std::string& variant : asked.words("variants")) {
      for (const std::size_t batch : batch_sizes(asked, stream.list.size())) {
        add(variant, {{"batch", batch_name(batch, stream.list.size())}}, stream.list.size(), true, [&, variant, batch] {
          api::dense_incremental<id> live(stream.vertices, {.variant = variant}, on);
          in_batches(std::span{std::as_const(stream.list)}, batch, [&](auto part) { live.insert(part); });
          return live.count();
        });
      }
      for (const mixed_stream& mixed : mixes.all()) {
        for (const mixing how : {mixing::phased, mixing::concurrent}) {
          if (const std::string name = api::dense_incremental<id>(0, {.variant = variant}, on).variant().name;
              incremental_refusal(name, how))
            continue;
          add(variant, mixed.setting(how), mixed.pairs.size(), mixed.whole, [&, variant, how] {
            api::dense_incremental<id> live(stream.vertices, {.variant = variant}, on);
            for (std::size_t at = 0; at < mixed.pairs.size(); at += mixed.batch) {
              const std::size_t size = std::min(mixed.batch, mixed.pairs.size() - at);
              static_cast<void>(live.apply(std::span{mixed.pairs}.subspan(at, size), std::span{mixed.kinds}.subspan(at, size), how));
            }
            return live.count();
          });
        }
      }
    }
    out.write(spec, threads, in_turns(ways, asked.trials()));
  }
}

/// Edges that rules in rounds inspect: `whole` where rounds visit all edges of their batch, as in GConn, `roots` where they visit those
/// between different roots, as copse's do.
void count_inspected(const arguments& asked, recorder& out) {
  using drivers::round_edges;
  const unsigned threads = asked.threads();
  for (const std::string& spec : asked.operands()) {
    const edge_stream stream = shuffled_edges_of(spec);
    agreement counts{spec};
    std::vector<contestant> ways;
    for (const std::string& variant : asked.words("variants")) {
      for (const std::size_t batch : batch_sizes(asked, stream.list.size())) {
        for (const auto& [visited, name] : {std::pair{round_edges::whole_batch, "whole"}, {round_edges::between_roots, "roots"}}) {
          ways.push_back({variant,
                          {{"batch", batch_name(batch, stream.list.size())}, {"rounds", name}},
                          [&, variant, batch, visited = visited]() -> std::vector<reading> {
                            const auto found = variant::count_rounds(variant, threads, stream.vertices, stream.list, batch, visited);
                            counts.expect(found.components, variant);
                            return {{"inspected_edges", "count", static_cast<double>(found.edges)}};
                          }});
        }
      }
    }
    out.write(spec, threads, in_turns(ways, asked.trials()));
  }
}

template <class Parents>
void unite_all(Parents parents, const edge_stream& stream, unsigned threads) {
  parallel_blocks(threads, stream.list.size(), std::size_t{1} << 15, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) unite::async<find::halve>{}(parents, stream.list[i].u, stream.list[i].v);
  });
}

template <class Parents>
std::uint64_t roots(Parents parents, id vertices) {
  std::uint64_t count = 0;
  for (id v = 0; v < vertices; ++v) count += parents.is_root(v, parents.load(v));
  return count;
}

/// Parents written in bulk, which is in the time, compared with parents that every access checks, in memory that was zeroed before.
void touch_first(const arguments& asked, recorder& out) {
  const unsigned threads = asked.threads();
  for (const std::string& spec : asked.operands()) {
    const edge_stream stream = shuffled_edges_of(spec);
    std::vector<id> words(stream.vertices);
    agreement counts{spec};
    const std::vector<contestant> ways{{"way.bulk",
                                        {},
                                        [&]() -> std::vector<reading> {
                                          const parents::atomic<id> parents{words.data()};
                                          const double seconds = seconds_of(threads, [&] {
                                            parallel_blocks(threads, words.size(), std::size_t{1} << 15,
                                                            [&](std::size_t from, std::size_t to) {
                                                              for (std::size_t v = from; v < to; ++v) words[v] = static_cast<id>(v);
                                                            });
                                            unite_all(parents, stream, threads);
                                          });
                                          counts.expect(roots(parents, stream.vertices), "bulk");
                                          return {milliseconds("insert", seconds)};
                                        }},
                                       {"way.first_touch", {}, [&]() -> std::vector<reading> {
                                          std::ranges::fill(words, 0);
                                          const first_touch_parents parents{parents::atomic<id>{words.data()}};
                                          const double seconds = seconds_of(threads, [&] { unite_all(parents, stream, threads); });
                                          counts.expect(roots(parents, stream.vertices), "first_touch");
                                          return {milliseconds("insert", seconds)};
                                        }}};
    out.write(spec, threads, in_turns(ways, asked.trials()));
  }
}

}  // namespace

extern const problem incremental{"incremental",
                                 "Inserts in batches (sizes or `all`), with queries in between, and static solves of the list.",
                                 "GRAPH...",
                                 {{"variants", "auto"},
                                  {"static", "auto,serial.none.rem"},
                                  {"batches", "1000,10000,100000,1000000,10000000,all"},
                                  {"queries", ""},
                                  {"mixed-batch", "1000000"}},
                                 run};
extern const problem inspected{
    "inspected",
    "Edges that rules in rounds inspect while a stream is inserted.",
    "GRAPH...",
    {{"variants", "threads.none.shiloach_vishkin,threads.none.liu_tarjan.PRF"}, {"batches", "1000,10000,100000,1000000,10000000,all"}},
    count_inspected};
extern const problem first_touch{"first_touch",
                                 "Parents initialised in bulk, or at the first access, as GConn's incremental structure has them.",
                                 "GRAPH...",
                                 {},
                                 touch_first};

}  // namespace copse::lab
