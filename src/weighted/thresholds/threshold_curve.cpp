// threshold_curve(): thresholds, from the largest to the smallest, cut the forest's edges into rounds: an edge is in the round of the first
// threshold that it reaches. Each round unites its edges in any order, then a point is reported. So edges are distributed once, not sorted;
// weights are sorted without the edges, if thresholds are to be chosen among them.
#include <copse/errors.hpp>
#include <copse/hierarchy.hpp>
#include <loops/threads.hpp>
#include <weighted/thresholds/growing_trees.hpp>
#include <weighted/thresholds/levels.hpp>

#include <algorithm>
#include <atomic>
#include <concepts>
#include <numeric>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>

namespace copse {
namespace {

template <class Weight>
void refuse_not_numbers(const backend::threads& loops, std::span<const Weight> column) {
  if constexpr (std::floating_point<Weight>) {
    std::atomic<bool> found{false};
    loops.for_blocks(column.size(), [&found, column](std::size_t begin, std::size_t end) {
      bool any = false;
      for (std::size_t i = begin; i < end; ++i) any |= column[i] != column[i];
      if (any) found.store(true, std::memory_order_relaxed);
    });
    if (!found) return;
    const auto bad = std::ranges::find_if(column, [](Weight w) { return w != w; }) - column.begin();
    throw input_error{"weights: found one that is not a number at position " + std::to_string(bad) + ", expected numbers"};
  }
}

std::vector<double> levels_of(weights_view weights, std::optional<std::uint64_t> most, const execution& on) {
  const backend::threads loops{on.threads, on.observer};
  return std::visit(
      [&]<class Weight>(std::span<const Weight> column) {
        refuse_not_numbers(loops, column);
        const weighted::distinct_levels<backend::threads, Weight> all{loops, column, on.memory};
        const std::size_t count = most ? std::min<std::size_t>(*most, all.size()) : all.size();
        std::vector<double> some(count);
        loops.for_each(count, [&all, count, to = some.data()](std::size_t i) {
          const std::size_t last = all.size() - 1, from_top = count == 1 ? 0 : i * last / (count - 1);
          to[i] = all.at(last - from_top);
        });
        return some;
      },
      weights);
}

/// Returns the curve, by a bucket of edges for each threshold. Precondition: at most splitters::most thresholds, and a weight for each
/// edge.
template <unsigned_index Id, class Weight>
std::vector<threshold_point> curve_in_rounds(coo_view<Id> forest, std::span<const Weight> column, std::span<const double> thresholds,
                                             const execution& on) {
  const backend::threads loops{on.threads, on.observer};
  refuse_not_numbers(loops, column);
  std::vector<std::size_t> order(thresholds.size());  // descending
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return thresholds[a] > thresholds[b]; });
  std::vector<double> ascending(thresholds.begin(), thresholds.end());
  std::ranges::sort(ascending);
  const weighted::splitters split{ascending};
  const auto round_of = [&split, column](std::size_t i) {
    const std::size_t letting_in = split.at_most(weighted::level_of(column[i]));
    return letting_in == 0 ? weighted::no_bucket : static_cast<weighted::bucket>(split.size() - letting_in);
  };
  weighted::dealing deals{loops, column.size(), split.size(), round_of, on.memory};
  auto edges = deals.template room<edge<Id>>(loops, on.memory);
  deals.deal(loops, [to = edges.data(), forest](std::size_t i, std::size_t place) { to[place] = forest.edges[i]; });
  const auto join_all = [&]<unsigned_index Word>(weighted::growing_trees<backend::threads, Word> trees) {
    std::vector<threshold_point> points(thresholds.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
      const std::size_t begin = deals.begins()[k], end = deals.begins()[k + 1];
      trees.join(std::as_const(edges).span().subspan(begin, end - begin));
      points[order[k]] = trees.point(thresholds[order[k]]);
    }
    return points;
  };
  using narrow = weighted::growing_trees<backend::threads, std::uint32_t>;
  using wide = weighted::growing_trees<backend::threads, std::uint64_t>;
  if (forest.vertices() <= narrow::most_vertices) return join_all(narrow{loops, forest.vertices(), on.memory});
  return join_all(wide{loops, forest.vertices(), on.memory});
}

}  // namespace

std::vector<double> threshold_levels(weights_view weights, std::uint64_t count, const execution& on) {
  return levels_of(weights, count, on);
}
std::vector<double> threshold_levels(weights_view weights, const execution& on) { return levels_of(weights, std::nullopt, on); }

std::vector<threshold_point> threshold_curve(const graph& forest, weights_view weights, std::span<const double> thresholds,
                                             const execution& on) {
  for (const double t : thresholds) {
    if (t != t) throw usage_error{"thresholds must be numbers, not NaN"};
  }
  std::vector<double> rounded(thresholds.begin(), thresholds.end());
  for (double& t : rounded) t = rounded_threshold(t, weights.precision());
  auto points = std::visit(
      [&]<class Shape, class Weight>(const Shape& shape, std::span<const Weight> column) -> std::vector<threshold_point> {
        if constexpr (requires { shape.edges; }) {
          if (thresholds.size() <= weighted::splitters::most && column.size() == shape.view().edges.size()) {
            return curve_in_rounds(shape.view(), column, rounded, on);
          }
        }
        return hierarchy{forest, weights, on.memory}.curve(rounded);  // also throws if weights or edges are invalid
      },
      forest.shape(), weights);
  for (std::size_t i = 0; i < points.size(); ++i) points[i].threshold = thresholds[i];
  if (on.observer != nullptr && !thresholds.empty()) {
    if (const std::string note = unreached_threshold(weights, *std::ranges::max_element(thresholds)); !note.empty())
      on.observer->note(note);
  }
  return points;
}

}  // namespace copse
