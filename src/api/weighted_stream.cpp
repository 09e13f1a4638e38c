// Weighted forests of what is not held: a file, or batches.
#include <api/forest_sink.hpp>
#include <copse/errors.hpp>
#include <io/all_weights.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <string>
#include <utility>

namespace copse {
namespace {

void refuse_positions(const weighted_forest_options& options) {
  if (options.positions) throw usage_error{"positions: found edges that are not held, expected a graph in memory"};
}

}  // namespace

weighted_forest_result weighted_forest_of_file(const std::filesystem::path& path, const io::read_options& input,
                                               const weighted_forest_options& options) {
  refuse_positions(options);
  if (!io::streams_weights(path, input)) return weighted_forest(io::read_weighted_graph(path, input), options);
  const io::read_options all = io::with_all_weights(input);
  api::forest_sink sink{all, options};
  io::parse(path, all, sink);
  return std::move(sink).take();
}

struct weighted_edge_sink::state {
  explicit state(const weighted_forest_options& how) : options{how}, sink{input, options} {
    input.threads = how.threads;
    input.observer = how.observer;
    input.memory = how.memory;
  }

  /// The first batch says what ids are.
  void expect(bool strings) {
    if (!begun) {
      sink.begin({.vertices = std::nullopt, .edges = std::nullopt, .workers = 1, .named = strings});
      named = strings;
      begun = true;
    }
    if (named != strings)
      throw usage_error{strings ? "found ids that are strings after integers" : "found ids that are integers after strings"};
  }

  template <class Edge, class Id, class Make, class Put>
  void add(std::span<const Id> sources, std::span<const Id> targets, std::span<const double> weights, Make make, Put put) {
    if (sources.size() != targets.size() || sources.size() != weights.size()) {
      throw usage_error{"columns: found " + std::to_string(sources.size()) + " sources, " + std::to_string(targets.size()) +
                        " targets and " + std::to_string(weights.size()) + " weights, expected as many of each"};
    }
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (weights[i] != weights[i])
        throw input_error{"weights: found one that is not a number at position " + std::to_string(i) + ", expected numbers"};
      if constexpr (std::integral<Id>) {
        for (const Id id : {sources[i], targets[i]}) {
          if (id == static_cast<Id>(-1) || std::cmp_less(id, 0))
            throw input_error{"edge " + std::to_string(i) + ": found the id " + std::to_string(id) + ", expected a vertex"};
        }
      }
    }
    expect(!std::integral<Id>);
    current = nullptr;
    constexpr std::size_t part = 1024;
    std::array<Edge, part> some;
    for (std::size_t i = 0; i < sources.size(); i += part) {
      const std::size_t count = std::min(part, sources.size() - i);
      for (std::size_t k = 0; k < count; ++k) some[k] = make(sources[i + k], targets[i + k]);
      sink.weights(0, weights.subspan(i, count));
      put(std::span<const Edge>{some.data(), count});
      if (sink.wants_pause()) sink.pause();
    }
  }

  template <std::integral Id>
  void add_integers(std::span<const Id> sources, std::span<const Id> targets, std::span<const double> weights) {
    using numbers = edge<std::uint64_t>;
    add<numbers>(
        sources, targets, weights,
        [](Id u, Id v) {
          return numbers{static_cast<std::uint64_t>(u), static_cast<std::uint64_t>(v)};
        },
        [this](std::span<const numbers> edges) { sink.edges(0, edges); });
  }

  weighted_forest_options options;
  io::read_options input;
  api::forest_sink sink;
  bool begun = false, named = false;
  const weighted_forest_result* current = nullptr;  // of all that came
};

weighted_edge_sink::weighted_edge_sink(const weighted_forest_options& options) {
  refuse_positions(options);
  state_ = std::make_unique<state>(options);
}
weighted_edge_sink::weighted_edge_sink(weighted_edge_sink&&) noexcept = default;
weighted_edge_sink& weighted_edge_sink::operator=(weighted_edge_sink&&) noexcept = default;
weighted_edge_sink::~weighted_edge_sink() = default;

void weighted_edge_sink::add(std::span<const std::uint32_t> sources, std::span<const std::uint32_t> targets,
                             std::span<const double> weights) {
  state_->add_integers(sources, targets, weights);
}
void weighted_edge_sink::add(std::span<const std::int64_t> sources, std::span<const std::int64_t> targets,
                             std::span<const double> weights) {
  state_->add_integers(sources, targets, weights);
}
void weighted_edge_sink::add(std::span<const std::uint64_t> sources, std::span<const std::uint64_t> targets,
                             std::span<const double> weights) {
  state_->add_integers(sources, targets, weights);
}
void weighted_edge_sink::add(std::span<const std::string_view> sources, std::span<const std::string_view> targets,
                             std::span<const double> weights) {
  state_->add<io::named_edge>(
      sources, targets, weights,
      [](std::string_view u, std::string_view v) {
        return io::named_edge{u, v};
      },
      [this](std::span<const io::named_edge> edges) { state_->sink.named_edges(0, edges); });
}

const weighted_forest_result& weighted_edge_sink::forest() {
  if (!state_->begun) state_->expect(false);
  if (state_->current == nullptr) state_->current = &state_->sink.so_far();
  return *state_->current;
}

}  // namespace copse
