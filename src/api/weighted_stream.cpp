// Weighted forests of edges that are not all held in memory: those of a file, or of batches.
#include <api/check_view.hpp>
#include <api/forest_sink.hpp>
#include <api/id_batches.hpp>
#include <api/numbered_forest.hpp>
#include <copse/errors.hpp>
#include <copse/memory.hpp>
#include <copse/pairs.hpp>
#include <core/hide.hpp>
#include <core/request.hpp>
#include <core/team.hpp>
#include <ids/id_signs.hpp>
#include <io/readers.hpp>
#include <io/request.hpp>
#include <io/weight_rule.hpp>
#include <loops/threads.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace copse {
namespace {

void refuse_not_numbers(std::span<const double> weights, unsigned threads) {
  const std::size_t i =
      api::first_wrong(backend::threads{threads, nullptr}, weights.size(), [weights](std::size_t k) { return weights[k] != weights[k]; });
  if (i != weights.size())
    throw input_error{"weights: found one that is not a number at position " + std::to_string(i) + ", expected numbers"};
}

const weighted_forest_options& without_positions(const weighted_forest_options& options) {
  if (options.positions) throw usage_error{"positions need a graph in memory; edges that are streamed are not held"};
  return options;
}

}  // namespace

weighted_forest_result weighted_forest(const std::filesystem::path& path, const io::read_options& input,
                                       const weighted_forest_options& options, const execution& on) {
  const request<weighted_forest_options> solving{without_positions(options), on};
  if (!io::streams_weights(path, input)) return weighted_forest(io::read_weighted_graph(path, input, on), options, on);
  const io::read_request all{io::with_all_weights(input), on};
  api::forest_sink sink{all, solving};
  io::parse(path, all.options(), sink, on);
  return std::move(sink).take();
}

struct weighted_edge_sink::state {
  explicit state(const request<weighted_forest_options>& asked)
      : options{asked}, input{{}, asked.on()}, sink{input, options}, plain{std::make_unique<api::numbered_forest>(options)} {}

  /// Throws usage_error unless ids are of the same kind, integers or strings, as in the first batch.
  void expect(bool strings) {
    if (!begun) {
      named = strings;
      begun = true;
      if (strings) begin_sink();
    }
    if (named != strings)
      throw usage_error{strings ? "ids must be integers, as in earlier batches, not strings"
                                : "ids must be strings, as in earlier batches, not integers"};
  }

  /// Starts to use `sink`, which takes ids of any kind and numbers them whenever it merges edges, in place of `plain`, which takes dense
  /// integers only. The sink continues from the forest that `plain` has found.
  void begin_sink() {
    workers = usable_threads(options.threads);
    sink.begin({.vertices = std::nullopt, .edges = std::nullopt, .workers = workers, .named = named});
    if (const auto held = std::exchange(plain, nullptr); held->came() != 0) sink.start_from(std::move(*held).take());
  }

  void add(const id_pairs& edges, const weights_view& weights) {
    if (weights.precision() != weight_precision::full) set_precision(weights.precision());
    std::visit(
        [&]<class Weight>(std::span<const Weight> given) {
          if constexpr (std::same_as<Weight, double>) {
            add_doubles(edges, given);
          } else {
            buffer<double> doubles{given.size(), options.memory};
            std::transform(given.begin(), given.end(), doubles.begin(), largest_double_up_to<Weight>);
            add_doubles(edges, doubles.span());
          }
        },
        weights);
  }

  void set_precision(weight_precision precision) {
    if (begun && options.precision != precision) throw usage_error{"precision must be the same for all batches"};
    options.precision = precision;
  }

  const weighted_forest_result& so_far() {
    if (!begun) expect(false);
    return plain ? plain->so_far() : sink.so_far();
  }

  weighted_forest_result take() {
    if (!begun) expect(false);
    return plain ? std::move(*plain).take() : std::move(sink).take();
  }

private:
  static constexpr std::size_t most_at_once = std::size_t{1} << 22, worth_a_worker = std::size_t{1} << 14;

  void add_doubles(const id_pairs& edges, std::span<const double> weights) {
    api::with_batch("weighted_edge_sink", edges, [&](const auto& batch) { take(batch, weights); });
  }

  template <class Batch>
  void take(const Batch& batch, std::span<const double> weights) {
    if (batch.size() != weights.size()) {
      throw usage_error{"weighted_edge_sink: there must be one weight for each of " + std::to_string(batch.size()) + " pairs, not " +
                        std::to_string(weights.size())};
    }
    refuse_not_numbers(weights, usable_threads(options.threads));
    constexpr bool strings = std::same_as<typename Batch::id, std::string_view>;
    if constexpr (strings) {
      expect(true);
    } else {
      expect_signs(batch);
      expect(false);
      if (plain && !signs.any_negative() && add_plain(batch, weights)) return;
      if (plain) begin_sink();
    }
    add_to_sink(weights, [&batch](std::size_t i) { return batch[i]; });
  }

  template <class Batch>
  void expect_signs(const Batch& batch) {
    if (signs.knows(Batch::is_signed)) return;
    const std::size_t i = api::first_with_sign_bit(batch, usable_threads(options.threads));
    if (i == batch.size()) return;
    const edge<std::uint64_t> ends = batch[i];
    signs.expect(has_sign_bit(ends.u) ? ends.u : ends.v, Batch::is_signed, [&] { return "edge " + std::to_string(i); });
  }

  /// One of the two columns of ids of a batch.
  template <class Batch>
  struct ends_of {
    const Batch& batch;
    bool second;
    [[nodiscard]] std::size_t size() const noexcept { return batch.size(); }
    [[nodiscard]] std::uint64_t operator[](std::size_t i) const { return second ? batch[i].v : batch[i].u; }
  };

  template <class Batch>
  bool add_plain(const Batch& batch, std::span<const double> weights) {
    if constexpr (requires { batch.sources; }) return plain->add(batch.sources, batch.targets, weights);
    return plain->add(ends_of<Batch>{batch, false}, ends_of<Batch>{batch, true}, weights);
  }

  /// Adds edges with these weights to the sink. make(i) returns edge i.
  template <class Make>
  void add_to_sink(std::span<const double> weights, Make make) {
    sink.resume();
    for (std::size_t first = 0; first < weights.size(); first += most_at_once) {
      if (sink.wants_pause()) sink.pause();
      const auto some = weights.subspan(first, std::min(most_at_once, weights.size() - first));
      put_in_parts(some, [=](std::size_t i) { return make(first + i); });
    }
  }

  /// Passes edges to the sink on several threads, each of which takes one of consecutive parts. make(i) returns edge i.
  template <class Make>
  void put_in_parts(std::span<const double> weights, Make make) {
    using made = decltype(make(std::size_t{0}));
    const auto parts = static_cast<unsigned>(std::clamp<std::size_t>(weights.size() / worth_a_worker, 1, workers));
    ++block;
    for (unsigned worker = 0; worker < parts; ++worker) sink.begin_block(worker, block);
    on_workers(parts, [&](unsigned worker) {
      std::array<made, 1024> some;
      const std::size_t last = weights.size() * (worker + 1) / parts;
      for (std::size_t i = weights.size() * worker / parts; i < last; i += some.size()) {
        const std::size_t count = std::min(some.size(), last - i);
        for (std::size_t k = 0; k < count; ++k) some[k] = make(i + k);
        io::edge_batch batch;
        batch.weights = weights.subspan(i, count);
        if constexpr (std::same_as<made, io::named_edge>) {
          batch.names = std::span{some}.first(count);
        } else {
          batch.ids = std::span{some}.first(count);
        }
        sink.edges(worker, batch);
      }
    });
  }

  request<weighted_forest_options> options;
  io::read_request input;
  api::forest_sink sink;  ///< takes the edges as soon as an id is a string, negative, or too sparse for `plain`
  ids::id_signs signs{[this] { sink.ids_are_signed(); }};
  std::unique_ptr<api::numbered_forest> plain;  ///< takes integer ids that are dense; null from the first other ids on
  bool begun = false, named = false;
  unsigned workers = 1;
  std::uint64_t block = 0;  ///< number of calls of put_in_parts(), which `sink` gets as the number of a block of edges
};

weighted_edge_sink::weighted_edge_sink(const weighted_forest_options& options, const execution& on)
    : state_{hide(std::make_unique<state>(request<weighted_forest_options>{without_positions(options), on}))} {}

void weighted_edge_sink::add(const id_pairs& edges, const weights_view& weights) { state_->add(edges, weights); }

void weighted_edge_sink::set_precision(weight_precision precision) { state_->set_precision(precision); }

const weighted_forest_result& weighted_edge_sink::forest() { return state_->so_far(); }
weighted_forest_result weighted_edge_sink::take() && { return state_->take(); }

}  // namespace copse
