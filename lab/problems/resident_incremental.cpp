// Inserts and queries on a GPU: batches that are there already, batches from pinned and from pageable host memory, and mixed batches. From
// a fresh structure, whose roots are planted and whose pieces are allocated, to the end of the last kernel, by the wall clock.
#include <algorithm>
#include <copse/copse.hpp>
#include <drivers/incremental/gpu_live.hpp>
#include <gpu/runtime/gpu.hpp>
#include <iterator>

#include "../printed/streams.hpp"
#include "streams.hpp"

namespace copse::lab {
namespace {

using id = std::uint32_t;
using pairs = std::span<const edge<id>>;

constexpr std::size_t most_batches = 50'000;  ///< smaller ones take too long

/// Copies in the memory of GPU 0.
class gpu_copies {
public:
  template <class T>
  buffer<T> of(std::span<const T> from) {
    buffer<T> copy{from.size(), &pool_};
    backend::checked(cudaMemcpyAsync(copy.data(), from.data(), from.size_bytes(), cudaMemcpyHostToDevice, on_.stream()), "copying");
    backend::checked(cudaStreamSynchronize(on_.stream()), "copying");
    return copy;
  }

private:
  backend::gpu on_{0};
  backend::gpu_memory pool_{on_};
};

/// A rule as GConn prints it, with the functions of incremental that are used here.
class printed_incremental {
public:
  printed_incremental(const printed_stream_rule& rule, id vertices) : live_{rule.traits, rule.rule, {}} {
    live_.grow(vertices);
    live_.declare(0);
  }
  void insert_async(pairs edges) { live_.insert(edges); }
  void insert_async(device_span<const edge<id>> on_gpu) { live_.insert_resident({on_gpu.data(), on_gpu.size()}, {}); }
  void wait() { live_.wait(); }
  std::uint64_t count() {
    const auto found = live_.counted_unless_refused("copse_lab");
    return found.vertices - found.links;
  }

private:
  drivers::gpu_live live_;
};

/// Takes the memory for pieces and records the graphs before the clock starts.
template <class Live>
void warm_up(Live& live) {
  const std::vector<edge<id>> loops((std::size_t{1} << 17) + 1, edge<id>{0, 0});
  for (int twice = 0; twice < 2; ++twice) {
    live.insert_async(pairs{loops}.first(1));
    live.insert_async(pairs{loops});
  }
  live.wait();
}

void run(const arguments& asked, recorder& out) {
  require_gpu();
  for (const std::string& spec : asked.operands()) {
    const edge_stream stream = shuffled_edges_of(spec);
    const pairs list{stream.list};
    const mixed_streams mixes{stream, asked};
    gpu_copies keeper;
    const auto resident = keeper.of(list);
    buffer<edge<id>> pinned{list.size(), pinned_memory()};
    std::ranges::copy(list, pinned.begin());
    agreement counts{spec};
    std::vector<contestant> ways;
    const auto add = [&](const std::string& variant, series_setting setting, std::size_t operations, bool whole, auto work) {
      ways.push_back(
          {variant, std::move(setting), [&, variant, operations, whole, work]() -> std::vector<reading> {
             incremental live{{.variant = variant, .ids = vertex_ids::integers, .vertices = stream.vertices}, {.device = "cuda"}};
             warm_up(live);
             const double seconds = seconds_of(0, [&] {
               work(live);
               live.wait();
             });
             if (whole) counts.expect(live.count(), variant);
             return insert_and_rate(seconds, operations);
           }});
    };
    const auto setting = [&](const char* source, std::size_t batch) -> series_setting {
      return {{"source", source}, {"batch", batch_name(batch, list.size())}};
    };
    std::vector<std::size_t> sizes = batch_sizes(asked, list.size());
    std::erase_if(sizes, [&](std::size_t batch) { return list.size() / batch > most_batches; });
    const std::size_t least_printed = asked.number("printed");
    for (const printed_stream_rule& rule : printed_stream_rules()) {
      for (const std::size_t batch : sizes) {
        if (least_printed == 0 || batch < least_printed) continue;
        ways.push_back({std::string{rule.name}, setting("resident", batch), [&, batch]() -> std::vector<reading> {
                          printed_incremental live{rule, stream.vertices};
                          warm_up(live);
                          static_cast<void>(inspected_in_rounds());
                          const double seconds = seconds_of(0, [&] {
                            in_batches(resident.span(), batch, [&](pairs part) {
                              live.insert_async(device_span<const edge<id>>{part.data(), part.size()});
                            });
                            live.wait();
                          });
                          counts.expect(live.count(), rule.name);
                          auto found = insert_and_rate(seconds, list.size());
                          if (rule.traits.synchronous)
                            found.push_back({"inspected_edges", "count", static_cast<double>(inspected_in_rounds())});
                          return found;
                        }});
      }
    }
    std::vector<const variant_info*> variants;
    for (const std::string& pattern : asked.words("variants"))
      std::ranges::copy(variants_matching(pattern, problem_kind::incremental), std::back_inserter(variants));
    for (const auto* found : variants) {
      if (found->backend != "cuda") continue;
      const std::string variant = found->name;
      for (const std::size_t batch : sizes) {
        add(variant, setting("resident", batch), list.size(), true, [&, batch](incremental& live) {
          in_batches(resident.span(), batch, [&](pairs part) { live.insert_async(device_span<const edge<id>>{part.data(), part.size()}); });
        });
        if (asked["copies"] != "yes") continue;
        for (const auto& [source, from] : {std::pair{"pinned", pairs{pinned.span()}}, {"pageable", list}}) {
          add(variant, setting(source, batch), list.size(), true,
              [&, batch, from = from](incremental& live) { in_batches(from, batch, [&](pairs part) { live.insert_async(part); }); });
        }
      }
      for (const mixed_stream& mixed : mixes.all()) {
        const auto edges = std::make_shared<buffer<edge<id>>>(keeper.of(pairs{mixed.pairs}));
        const auto kinds = std::make_shared<buffer<operation>>(keeper.of(std::span<const operation>{mixed.kinds}));
        const auto answers =
            std::make_shared<buffer<std::uint64_t>>(keeper.of(std::span<const std::uint64_t>{query_answers{mixed.pairs.size()}.words()}));
        for (const mixing how : {mixing::phased, mixing::concurrent}) {
          if (incremental_refusal(variant, how)) continue;
          series_setting all = mixed.setting(how);
          all.emplace_back("source", "resident");
          add(variant, std::move(all), mixed.pairs.size(), mixed.whole,
              [edges, kinds, answers, how, batch = mixed.batch](incremental& live) {
                for (std::size_t at = 0; at < edges->size(); at += batch) {
                  const std::size_t size = std::min(batch, edges->size() - at);
                  live.apply_async({edges->data() + at, size}, {kinds->data() + at, size}, {answers->data(), answers->size()}, how);
                }
              });
        }
      }
    }
    out.write(spec, 0, in_turns(ways, asked.trials()));
  }
}

}  // namespace

extern const problem resident_incremental{
    "incremental_gpu",
    "Inserts in batches on a GPU by variants that match patterns; --copies yes: from host memory, too; --printed LEAST: by the rules as "
    "GConn prints them, too, in batches of at least LEAST edges.",
    "GRAPH...",
    {{"variants", "cuda.none.fast"},
     {"batches", "1000,10000,100000,1000000,10000000,all"},
     {"queries", ""},
     {"mixed-batch", "1000000"},
     {"copies", "no"},
     {"printed", "0"}},
    run};

}  // namespace copse::lab
