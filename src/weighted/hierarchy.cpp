// hierarchy: the forest's edges are sorted once, the heaviest first; then every answer is a sweep over them that unites trees and keeps
// their sizes. All edges of equal weight are united before anything is reported about them. Trees are united under their smallest vertex,
// so roots are labels.
#include <copse/errors.hpp>
#include <copse/execution.hpp>
#include <copse/hierarchy.hpp>
#include <loops/threads.hpp>
#include <weighted/dendrogram/host_machine.hpp>
#include <weighted/dendrogram/merge_tree.hpp>
#include <weighted/size_counts.hpp>

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>

namespace copse {

class hierarchy::trees {
public:
  trees(std::uint64_t vertices, std::pmr::memory_resource* memory) : parents_{vertices, memory}, sizes_{vertices, memory} {
    std::iota(parents_.begin(), parents_.end(), std::uint64_t{0});
    std::fill(sizes_.begin(), sizes_.end(), std::uint64_t{1});
  }
  [[nodiscard]] std::uint64_t root(std::uint64_t v) noexcept {
    while (parents_[v] != v) v = parents_[v] = parents_[parents_[v]];
    return v;
  }
  [[nodiscard]] std::uint64_t size(std::uint64_t root) const noexcept { return sizes_[root]; }
  /// Links two roots; returns the smaller one, which stays a root.
  std::uint64_t unite(std::uint64_t a, std::uint64_t b) noexcept {
    if (a > b) std::swap(a, b);
    parents_[b] = a;
    sizes_[a] += sizes_[b];
    return a;
  }

private:
  buffer<std::uint64_t> parents_, sizes_;
};

namespace {

/// Returns the numbers of vertices of the two clusters that each edge joins; edges must be passed in their order. With few threads it
/// sweeps over the edges, with many it contracts them.
template <class Edge, class Trees>
class merge_sizes {
public:
  merge_sizes(std::span<const Edge> edges, std::uint64_t vertices, std::pmr::memory_resource* memory) : edges_{edges} {
    if (!weighted::worth_contracting(vertices, usable_threads(0))) {
      swept_.emplace(vertices, memory);
      return;
    }
    const backend::threads loops{};
    const weighted::host_machine<backend::threads> machine{loops, memory};
    sizes_ = buffer<id>{edges.size(), memory};
    parts_ = buffer<id>{edges.size(), memory};
    buffer<id> u{edges.size(), memory}, v{edges.size(), memory};
    loops.for_each(edges.size(), [&](std::size_t i) {
      u[i] = static_cast<id>(edges[i].u);
      v[i] = static_cast<id>(edges[i].v);
    });
    weighted::merge_tree<weighted::host_machine<backend::threads>, id>{machine, vertices, edges.size(), u.data(), v.data()}.write_sizes(
        sizes_.data(), parts_.data());
  }
  std::pair<std::uint64_t, std::uint64_t> operator()(std::size_t i) {
    if (!swept_) return {parts_[i], sizes_[i] - parts_[i]};
    const std::uint64_t a = swept_->root(edges_[i].u), b = swept_->root(edges_[i].v);
    const std::pair sizes{swept_->size(a), swept_->size(b)};
    swept_->unite(a, b);
    return sizes;
  }

private:
  using id = std::uint32_t;
  std::span<const Edge> edges_;
  std::optional<Trees> swept_;
  buffer<id> sizes_, parts_;
};

}  // namespace

hierarchy::hierarchy(const graph& forest, weights_view weights, std::pmr::memory_resource* memory)
    : names_{forest.names()}, precision_{weights.precision()}, memory_{memory} {
  std::visit(
      [&](const auto& shape, auto column) {
        if constexpr (requires { shape.edges; }) {
          const auto view = shape.view();
          if (column.size() != view.edges.size())
            throw usage_error{"weights must have one for each edge of the forest, " + std::to_string(view.edges.size()) + ", not " +
                              std::to_string(column.size())};
          edges_ = buffer<forest_edge>{column.size(), memory};
          const backend::threads loops{};
          const auto sorted = weighted::in_merge_order(loops, view, column, memory);
          loops.for_each(sorted.size(), [&](std::size_t i) {
            const auto& e = sorted[i];
            edges_[i] = {largest_double_up_to(column[e.at]) + 0.0,  // turns minus zero into zero
                         std::min(e.u, e.v), std::max(e.u, e.v), e.at};
          });
        } else {
          throw usage_error{"the forest must be a list of edges, not rows"};
        }
      },
      forest.shape(), weights);
}

std::vector<double> hierarchy::levels() const {
  std::vector<double> all;
  for (const forest_edge& e : edges_) {
    if (all.empty() || e.weight != all.back()) all.push_back(e.weight);
  }
  return all;
}

std::vector<double> hierarchy::levels(std::uint64_t count) const {
  const std::vector<double> all = levels();
  if (count >= all.size()) return all;
  std::vector<double> some;
  for (std::uint64_t i = 0; i < count; ++i)
    some.push_back(all[count == 1 ? 0 : static_cast<std::size_t>(i * (all.size() - 1) / (count - 1))]);
  return some;
}

std::vector<threshold_point> hierarchy::curve(std::span<const double> thresholds) const {
  std::vector<std::size_t> order(thresholds.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (const double t : thresholds) {
    if (t != t) throw usage_error{"thresholds must be numbers, not NaN"};
  }
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return thresholds[a] > thresholds[b]; });
  weighted::size_counts sizes{vertices()};
  std::vector<threshold_point> points(thresholds.size());
  std::uint64_t pairs = 0;
  std::size_t next = 0;
  merge_sizes<forest_edge, trees> sizes_of{edges_.span(), vertices(), memory_};
  for (const std::size_t i : order) {
    const double least = rounded_threshold(thresholds[i], precision_);
    for (; next < edges_.size() && edges_[next].weight >= least; ++next) {
      const auto [a, b] = sizes_of(next);
      pairs += a * b;
      sizes.join(a, b);
    }
    points[i] = {.threshold = thresholds[i],
                 .components = vertices() - next,
                 .largest = sizes.largest(),
                 .singletons = sizes.singletons(),
                 .median = sizes.percentile(50),
                 .percentile_90 = sizes.percentile(90),
                 .percentile_99 = sizes.percentile(99),
                 .pairs = pairs};
  }
  return points;
}

template <class Joined>
labelling hierarchy::labels_of(Joined joined) const {
  trees all{vertices(), memory_};
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    if (joined(i)) all.unite(all.root(edges_[i].u), all.root(edges_[i].v));
  }
  const auto fill = [&]<class Id>(Id) {
    buffer<Id> labels{vertices(), memory_};
    for (std::uint64_t v = 0; v < vertices(); ++v) labels[v] = static_cast<Id>(all.root(v));
    return labelling{std::move(labels), names_};
  };
  return vertices() < no_vertex<std::uint32_t> ? fill(std::uint32_t{}) : fill(std::uint64_t{});
}

labelling hierarchy::labels_at(double threshold) const {
  return labels_of([this, least = rounded_threshold(threshold, precision_)](std::size_t i) { return edges_[i].weight >= least; });
}

labelling hierarchy::clusters(std::uint64_t count) const {
  if (count < components() || count > vertices()) {
    throw usage_error{"the number of clusters must be from " + std::to_string(components()) + " (the components) to " +
                      std::to_string(vertices()) + " (the vertices), not " + std::to_string(count)};
  }
  return labels_of([kept = vertices() - count](std::size_t i) { return i < kept; });
}

std::vector<hierarchy::merge> hierarchy::linkage(std::optional<double> top) const {
  const double largest = edges_.empty() ? 0 : edges_[0].weight;
  const double last = weighted::heights_of(largest, edges_.empty() ? 0 : edges_[edges_.size() - 1].weight, top).top;
  trees joined{vertices(), memory_};
  buffer<std::uint64_t> clusters{vertices(), memory_};  // for each root the number of its cluster
  std::iota(clusters.begin(), clusters.end(), std::uint64_t{0});
  std::vector<merge> merges;
  const auto join = [&](std::uint64_t a, std::uint64_t b, double height) {
    if (a == b) throw usage_error{"the forest must be a list of edges without a cycle"};
    const std::uint64_t first = std::min(clusters[a], clusters[b]), second = std::max(clusters[a], clusters[b]);
    const std::uint64_t root = joined.unite(a, b);
    clusters[root] = vertices() + merges.size();
    merges.push_back({static_cast<double>(first), static_cast<double>(second), height, static_cast<double>(joined.size(root))});
  };
  for (const forest_edge& e : edges_) join(joined.root(e.u), joined.root(e.v), largest - e.weight);
  for (std::uint64_t v = 1; v < vertices(); ++v) {
    if (joined.root(v) == v) join(0, v, last);
  }
  return merges;
}

hierarchy::limited hierarchy::at_most(std::uint64_t most) const {
  if (most == 0) throw usage_error{"the largest number of vertices in a component must be 1 or more, not 0"};
  trees all{vertices(), memory_};
  std::vector<bool> joined(edges_.size());
  limited result;
  for (std::size_t begin = 0, end = 0; begin < edges_.size(); begin = end) {
    for (; end < edges_.size() && edges_[end].weight == edges_[begin].weight; ++end)
      all.unite(all.root(edges_[end].u), all.root(edges_[end].v));
    for (std::size_t i = begin; i < end; ++i) {
      joined[i] = all.size(all.root(edges_[i].u)) <= most;
      if (!joined[i]) result.cuts.push_back(edges_[i].place);
    }
  }
  result.labels = labels_of([&](std::size_t i) { return joined[i]; });
  return result;
}

}  // namespace copse
