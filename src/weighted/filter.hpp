// Filtering (Osipov, Sanders, Singler: filter-Kruskal, 2009): solves the lightest edges first, about one per vertex, and drops the other
// edges whose ends these have joined, which are most of them. The pivot is a quantile of a sample. At first the heavy edges stay in the
// input, which is read once for the light edges and once for the heavy ones that survive. If rows have all edges of a vertex, they are read
// once before that: the first edge of every vertex is in the forest, whatever the other edges are. The survivors are a list, which is
// filtered in the same way; each level takes twice as many edges, so that adversarial weights cost a logarithmic factor.
#pragma once
#include <core/random.hpp>
#include <weighted/contraction.hpp>
#include <weighted/first_arcs.hpp>
#include <weighted/largest_tree.hpp>
#include <weighted/picks.hpp>
#include <weighted/records.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace copse::weighted {

template <class Solver, class Backend, class Source>
class filtered_search {
  using id = typename Source::id;
  using record_type = typename Source::record_type;
  using list_type = record_list<record_type>;

public:
  filtered_search(const Backend& loops, const Source& source, picks& forest, std::pmr::memory_resource* memory)
      : loops_{loops}, source_{source}, forest_{forest}, memory_{memory} {}

  void run() {
    const std::size_t joined = join_first_arcs();
    const std::size_t edges = source_.edges() - std::min(source_.edges(), joined);
    std::size_t wanted = light_for(trees_ ? trees_->count : source_.vertices());
    if (edges <= worth_filtering * wanted) {
      list_type all = list_of_trees();
      source_.collect(loops_, all, [](id u, id v, std::uint32_t /*prefix*/) { return u != v; });
      Solver::mark(loops_, all, trees_ ? trees_->count : source_.vertices(), source_, forest_, memory_);
      return;
    }
    std::uint32_t pivot = quantile(source_.positions(), (joined + wanted) * source_.positions() / source_.edges(),
                                   [this](std::size_t i) { return source_.order().prefix(i); });
    join_light(pivot);
    list_type rest = list_of_trees();
    const largest_tree<id> largest{loops_, *trees_, source_, memory_};
    source_.collect_outside(loops_, rest, pivot, typename largest_tree<id>::test{largest});
    id count = trees_->count;
    while (rest.size() != 0) {
      wanted = std::max(2 * wanted, light_for(count));
      if (rest.size() <= worth_filtering * wanted) {
        Solver::mark(loops_, rest, count, source_, forest_, memory_);
        return;
      }
      count = solve_light(rest, count, wanted);
    }
  }

private:
  static constexpr std::size_t worth_filtering = 2;
  /// The most edges per vertex for join_first_arcs(): with more, its extra pass over the rows takes as long as the round that it saves.
  static constexpr std::size_t worth_reading_rows = 6;

  /// Joins every vertex with the other end of its lightest edge, which is in the minimum spanning forest: the first round of Boruvka's
  /// algorithm. Does nothing unless the row of each vertex has all of its edges, sorted by target, and edges are few. Returns the number of
  /// edges that joined two trees.
  std::size_t join_first_arcs() {
    if constexpr (Solver::by_rounds && requires { source_.rows(); }) {
      if (source_.has_whole_rows() && source_.edges() <= worth_reading_rows * source_.vertices()) {
        trees_ = first_arcs<Backend, Source>{loops_, source_, forest_, memory_}.join();
        return source_.vertices() - trees_->count;
      }
    }
    return 0;
  }

  /// Returns an empty list of edges. When edges are appended, it replaces their ends by the trees that contain these (record_list).
  list_type list_of_trees() const { return {loops_.threads(), memory_, trees_ ? trees_->number.data() : nullptr}; }

  void join_light(std::uint32_t pivot) {
    list_type light = list_of_trees();
    source_.collect_light(loops_, light, pivot);
    auto joined = Solver::solve(loops_, light, trees_ ? trees_->count : source_.vertices(), source_, forest_, memory_);
    if (!trees_) {
      trees_ = std::move(joined);
      return;
    }
    std::vector<contraction<id>> steps;
    steps.push_back(std::move(*trees_));
    steps.push_back(std::move(joined));
    trees_ = compose(loops_, source_.vertices(), std::move(steps), memory_);
  }

  /// Returns how many light edges to solve for `count` trees: enough for a random graph to have most of its giant.
  static std::size_t light_for(std::size_t count) noexcept { return count + count / 4; }

  /// Returns approximately the `rank`th smallest of `count` prefixes, by a sample.
  template <class Prefix>
  static std::uint32_t quantile(std::size_t count, std::size_t rank, Prefix prefix) {
    constexpr std::size_t samples = 4096;
    const random_stream random{1, 0};
    std::vector<std::uint32_t> sample(samples);
    for (std::size_t i = 0; i < samples; ++i) sample[i] = prefix(random.below(i, count));
    const auto at = sample.begin() + static_cast<std::ptrdiff_t>(std::min(samples - 1, rank * samples / count));
    std::nth_element(sample.begin(), at, sample.end());
    return *at;
  }

  /// Joins trees by the lightest edges of `rest`, about `wanted` of them. The other edges remain in it if they still join two trees, with
  /// these trees as their ends. Returns the number of trees.
  id solve_light(list_type& rest, id count, std::size_t wanted) {
    auto& chunks = rest.chunks();
    const std::uint32_t pivot = quantile(rest.size(), wanted, [&](std::size_t i) {
      const auto& c = chunks[i / list_type::chunk_records % chunks.size()];
      return c.first[i % c.size].prefix;
    });
    list_type light{loops_.threads(), memory_};
    loops_.for_chunks(chunks.size(), 1, [&](std::size_t c, std::size_t) {
      auto& hand = light.hand_of(Backend::thread());
      std::size_t kept = 0;
      for (std::size_t i = 0; i < chunks[c].size; ++i) {
        const record_type r = chunks[c].first[i];
        if (r.prefix <= pivot) {
          *hand.next(light) = r;
          hand.add(1);
        } else {
          chunks[c].first[kept++] = r;
        }
      }
      chunks[c].size = kept;
    });
    light.close(loops_);
    const auto trees = Solver::solve(loops_, light, count, source_, forest_, memory_);
    loops_.for_chunks(chunks.size(), 1, [&chunks, number = trees.number.data()](std::size_t c, std::size_t) {
      chunks[c].size = renumber(chunks[c].first, chunks[c].size, number);
    });
    rest.recount();
    return trees.count;
  }

  const Backend& loops_;
  const Source& source_;
  picks& forest_;
  std::pmr::memory_resource* memory_;
  std::optional<contraction<id>> trees_;  ///< the tree of each vertex; empty while each vertex is a tree of its own
};

}  // namespace copse::weighted
