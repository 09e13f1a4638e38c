// The proof of a tour, by laws of single edges and vertices that together allow only one answer:
//   1. of the ends of every edge, one is the parent of the other, and every vertex that is not its own parent has such an edge;
//   2. the depth of a vertex is that of its parent plus one, and 0 for roots, so parents form trees, by law 1 those of the forest;
//   3. places and order are inverse to each other;
//   4. the children of a vertex, in ascending order but beginning with those larger than the vertex's own parent, have these places: the
//      first child comes directly after the vertex, every other child directly after the subtree of the previous child, and the last
//      subtree ends where the vertex's does. The same holds for the roots. So, from the leaves up, sizes are right, and, from the roots
//      down, places are those of the walk;
//   5. in that order no vertex is smaller than the last root before it.
#include <copse/verify.hpp>
#include <verify/proof.hpp>

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace copse {
namespace {

using proving::wrong;

template <unsigned_index Id>
class tour_judge {
public:
  tour_judge(const forest_tour::arrays<Id>& of, const vertex_names& names) : of_{of}, names_{names}, n_{of.parents.size()} {}

  template <unsigned_index EdgeId>
  std::optional<std::string> fault(coo_view<EdgeId> forest) {
    if (n_ != forest.vertices())
      return "a tour of " + std::to_string(n_) + " vertices for a forest of " + std::to_string(forest.vertices());
    for (const auto* held : {&of_.depths, &of_.sizes, &of_.preorder, &of_.order}) {
      if (held->size() != n_) return "arrays of " + std::to_string(n_) + " and of " + std::to_string(held->size()) + " numbers";
    }
    if (auto found = fault_in_parents(forest)) return found;
    if (auto found = fault_in_depths()) return found;
    if (auto found = fault_in_order()) return found;
    if (auto found = fault_in_subtrees()) return found;
    return fault_in_roots();
  }
  [[nodiscard]] std::uint64_t trees() const noexcept { return trees_; }

private:
  template <unsigned_index EdgeId>
  std::optional<std::string> fault_in_parents(coo_view<EdgeId> forest) {
    hangs_ = buffer<bool>(n_);
    for (std::uint64_t v = 0; v < n_; ++v) hangs_[v] = false;
    for (const auto e : forest.edges) {
      if (e.u >= n_ || e.v >= n_) {
        return "the forest joins vertices " + std::to_string(e.u) + " and " + std::to_string(e.v) + " of " + std::to_string(n_);
      }
      if (e.u == e.v || (!hung(e.u, e.v) && !hung(e.v, e.u))) {
        return "the forest's edge of vertices " + name(e.u) + " and " + name(e.v) + " hangs neither on the other";
      }
    }
    for (std::uint64_t v = 0; v < n_; ++v) {
      if (!hangs_[v] && of_.parents[v] != v) return "vertex " + name(v) + " has a parent without an edge of the forest";
    }
    return std::nullopt;
  }
  bool hung(std::uint64_t v, std::uint64_t parent) noexcept {
    if (of_.parents[v] != parent || hangs_[v]) return false;
    return hangs_[v] = true;
  }

  [[nodiscard]] std::optional<std::string> fault_in_depths() const {
    for (std::uint64_t v = 0; v < n_; ++v) {
      const std::uint64_t expected = hangs_[v] ? std::uint64_t{of_.depths[of_.parents[v]]} + 1 : 0;
      if (of_.depths[v] != expected) return mismatch(v, "depth", of_.depths[v], expected);
    }
    return std::nullopt;
  }
  [[nodiscard]] std::optional<std::string> fault_in_order() const {
    for (std::uint64_t v = 0; v < n_; ++v) {
      const Id place = of_.preorder[v];
      if (place >= n_) return "vertex " + name(v) + " has place " + std::to_string(place) + " in an order of " + std::to_string(n_);
      if (of_.order[place] != v) return "vertex " + name(v) + " has place " + std::to_string(place) + ", where the order has another";
    }
    return std::nullopt;
  }
  std::optional<std::string> fault_in_subtrees() {
    buffer<std::uint64_t> next(n_);  // the position in preorder that the next child of each vertex must have
    std::uint64_t next_tree = 0;
    for (std::uint64_t v = 0; v < n_; ++v) next[v] = std::uint64_t{of_.preorder[v]} + 1;
    for (const bool larger : {true, false}) {
      for (std::uint64_t v = 0; v < n_; ++v) {
        const Id parent = of_.parents[v];
        if ((v >= of_.parents[parent]) != larger) continue;
        std::uint64_t& expected = hangs_[v] ? next[parent] : next_tree;
        if (of_.preorder[v] != expected) return mismatch(v, "place", of_.preorder[v], expected);
        expected += of_.sizes[v];
        trees_ += hangs_[v] ? 0 : 1;
      }
    }
    for (std::uint64_t v = 0; v < n_; ++v) {
      const std::uint64_t expected = next[v] - of_.preorder[v];
      if (of_.sizes[v] != expected) return mismatch(v, "size", of_.sizes[v], expected);
    }
    return std::nullopt;
  }
  [[nodiscard]] std::optional<std::string> fault_in_roots() const {
    std::uint64_t root = 0;
    for (std::uint64_t place = 0; place < n_; ++place) {
      const std::uint64_t v = of_.order[place];
      if (!hangs_[v]) root = v;
      if (v < root) return "vertex " + name(v) + " is below the root " + name(root) + ", which is larger";
    }
    return std::nullopt;
  }

  [[nodiscard]] std::string mismatch(std::uint64_t v, const std::string& what, Id found, std::uint64_t expected) const {
    return "vertex " + name(v) + " has " + what + " " + std::to_string(found) + ", expected " + std::to_string(expected);
  }
  [[nodiscard]] std::string name(std::uint64_t v) const { return name_in_message(names_, v); }

  const forest_tour::arrays<Id>& of_;
  const vertex_names& names_;
  std::uint64_t n_;
  std::uint64_t trees_ = 0;
  buffer<bool> hangs_;  // true if the vertex hangs on its parent by an edge, that is, if it is not a root
};

}  // namespace

verdict verify_tour(const graph& forest, const forest_tour& tour) {
  return std::visit(
      [&]<class Shape, class Arrays>(const Shape& shape, const Arrays& held) {
        if constexpr (requires { shape.offsets; }) {
          return wrong("a forest of rows, expected a list of edges");
        } else {
          tour_judge at{held, tour.names()};
          if (auto fault = at.fault(shape.view())) return wrong(std::move(*fault));
          return verdict{.right = true, .reason = {}, .vertices = tour.vertices(), .components = at.trees()};
        }
      },
      forest.shape(), tour.held());
}

}  // namespace copse
