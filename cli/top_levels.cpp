#include "top_levels.hpp"

#include <algorithm>
#include <copse/components.hpp>
#include <map>
#include <vector>

namespace copse::cli {
namespace {

struct weak_edge {
  double weight;
  std::uint64_t u, v;
  /// Weaker, or behind in the order of edges.
  friend bool operator<(const weak_edge& a, const weak_edge& b) {
    if (a.weight != b.weight) return a.weight < b.weight;
    return std::minmax(a.u, a.v) > std::minmax(b.u, b.v);
  }
};

}  // namespace

json top_levels(const weighted_forest_result& forest, std::size_t most, resources& context) {
  const solve_options solving{.threads = context.threads, .observer = &context.observer, .memory = &context.memory};
  const auto whole = components(forest.edges, solving).labels;
  const component giant = summarise(whole, 0, &context.memory, context.threads).largest;
  return std::visit(
      [&]<class Shape>(const Shape& shape) -> json {
        if constexpr (requires { shape.edges; }) {
          using id = typename Shape::id_type;
          std::vector<weak_edge> weakest;  // a heap: the heaviest of them on top
          coo<id> others{shape.vertex_count, buffer<edge<id>>{shape.edges.size(), &context.memory}};
          for (std::size_t i = 0; i < shape.edges.size(); ++i) {
            const auto [u, v] = shape.edges[i];
            if (whole.label(u) != giant.label) continue;
            weakest.push_back({forest.weights[i], u, v});
            std::push_heap(weakest.begin(), weakest.end());
            if (weakest.size() < most) continue;
            std::pop_heap(weakest.begin(), weakest.end());
            weakest.pop_back();
          }
          std::sort(weakest.begin(), weakest.end());
          std::size_t kept = 0;
          for (std::size_t i = 0; i < shape.edges.size(); ++i) {
            const auto [u, v] = shape.edges[i];
            if (whole.label(u) == giant.label && !std::binary_search(weakest.begin(), weakest.end(), weak_edge{forest.weights[i], u, v}))
              others.edges[kept++] = {u, v};
          }
          others.edges.shrink(kept);
          auto view = others.view();
          view.trusted = true;
          const auto parts = components(graph_view{view}, solving).labels;
          std::map<std::uint64_t, std::size_t> numbers;  // of the parts, by their labels
          if (giant.size != 0) numbers[parts.label(giant.label)];
          for (const weak_edge& e : weakest) {
            numbers[parts.label(e.u)];
            numbers[parts.label(e.v)];
          }
          std::vector<std::uint64_t> sizes(numbers.size());
          std::size_t next = 0;
          for (auto& [label, number] : numbers) number = next++;
          for (std::uint64_t v = 0; v < parts.slots(); ++v) {
            if (const auto found = numbers.find(parts.label(v)); found != numbers.end()) ++sizes[found->second];
          }
          json leaves = json::array(), merges = json::array();
          for (const auto& [label, number] : numbers)
            leaves.push_back({{"label", name_json(forest.edges.names(), label)}, {"size", sizes[number]}});
          std::vector<std::size_t> cluster(numbers.size());  // that a leaf is in
          for (std::size_t i = 0; i < cluster.size(); ++i) cluster[i] = i;
          for (auto e = weakest.rbegin(); e != weakest.rend(); ++e) {
            const auto [first, second] = std::minmax({cluster[numbers[parts.label(e->u)]], cluster[numbers[parts.label(e->v)]]});
            const std::size_t joined = leaves.size() + merges.size();
            for (auto& c : cluster) c = c == first || c == second ? joined : c;
            sizes.push_back(sizes[first] + sizes[second]);
            merges.push_back({{"first", first}, {"second", second}, {"weight", e->weight}, {"size", sizes.back()}});
          }
          return {{"label", giant.size == 0 ? json{} : name_json(forest.edges.names(), giant.label)},
                  {"size", giant.size},
                  {"leaves", std::move(leaves)},
                  {"merges", std::move(merges)}};
        } else {
          return nullptr;  // never: a forest is a list
        }
      },
      forest.edges.shape());
}

}  // namespace copse::cli
