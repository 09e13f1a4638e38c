// Trees in which edge i joins vertex i + 1 to its parent, which is given by a formula or drawn at random.
#pragma once
#include <gen/family.hpp>

#include <cstdint>

namespace copse::gen {

/// `Parent::of(child)` returns the parent of a child, for children from 1 on. `Parent` also has the description of a family.
template <class Parent>
struct tree_edges : Parent {
  template <unsigned_index Id>
  COPSE_HOST_DEVICE edge<Id> at(std::uint64_t i) const noexcept {
    const std::uint64_t parent = this->of(i + 1);
    if constexpr (Parent::child_first) return {static_cast<Id>(i + 1), static_cast<Id>(parent)};
    return {static_cast<Id>(parent), static_cast<Id>(i + 1)};
  }
  static amount<tree_edges> make(const spec& s) {
    const std::uint64_t n = s.integer("n", 0, most_vertices);
    return {{Parent::from(s)}, n, n == 0 ? 0 : n - 1};
  }
};

inline constexpr parameter only_vertices[] = {{"n", "vertices", ""}};

struct path_parents {
  static constexpr bool child_first = false;
  static constexpr family described{"path", "one path, 0 - 1 - 2 - ..., the longest diameter there is", by_definition, only_vertices};
  static path_parents from(const spec&) { return {}; }
  [[nodiscard]] COPSE_HOST_DEVICE std::uint64_t of(std::uint64_t child) const noexcept { return child - 1; }
};
using path_edges = tree_edges<path_parents>;

struct star_parents {
  static constexpr bool child_first = false;
  static constexpr family described{"star", "vertex 0 joined to all others", by_definition, only_vertices};
  static star_parents from(const spec&) { return {}; }
  [[nodiscard]] COPSE_HOST_DEVICE std::uint64_t of(std::uint64_t) const noexcept { return 0; }
};
using star_edges = tree_edges<star_parents>;

/// Numbers each vertex of the spine before its legs, and these before the next vertex of the spine.
struct caterpillar_parents {
  std::uint64_t segment;  ///< the number of vertices in a segment: one of the spine and its legs

  static constexpr bool child_first = false;
  static constexpr parameter parameters[] = {{"n", "vertices", ""}, {"legs", "leaves at each vertex of the spine, 0 to 2^32", "1"}};
  static constexpr family described{"caterpillar", "a path, the spine, with leaves at each of its vertices", by_definition, parameters};
  static caterpillar_parents from(const spec& s) { return {1 + s.integer("legs", 0, std::uint64_t{1} << 32)}; }
  [[nodiscard]] COPSE_HOST_DEVICE std::uint64_t of(std::uint64_t child) const noexcept {
    const std::uint64_t leg = child % segment;
    return leg == 0 ? child - segment : child - leg;
  }
};
using caterpillar_edges = tree_edges<caterpillar_parents>;

/// Numbers the stars after the centre, each as a hub followed by its leaves.
struct star_of_stars_parents {
  std::uint64_t star;  ///< number of vertices of a star: a hub and its leaves

  static constexpr bool child_first = false;
  static constexpr parameter parameters[] = {{"n", "vertices", ""}, {"leaves", "leaves at each hub, 0 to 2^32", "1000"}};
  static constexpr family described{"star_of_stars", "vertex 0 joined to hubs, each joined to its leaves", by_definition, parameters};
  static star_of_stars_parents from(const spec& s) { return {1 + s.integer("leaves", 0, std::uint64_t{1} << 32)}; }
  [[nodiscard]] COPSE_HOST_DEVICE std::uint64_t of(std::uint64_t child) const noexcept {
    const std::uint64_t leaf = (child - 1) % star;
    return leaf == 0 ? 0 : child - leaf;
  }
};
using star_of_stars_edges = tree_edges<star_of_stars_parents>;

struct random_parents {
  random_stream random;

  static constexpr bool child_first = true;
  static constexpr family described{"random_tree", "every vertex joins a random one before it: a tree of depth O(log n)",
                                    "random recursive tree; Na, Rapoport: Distribution of nodes of a tree by degree, Math. Biosci. 1970",
                                    only_vertices};
  static random_parents from(const spec& s) { return {stream_of(s, purpose::edges)}; }
  [[nodiscard]] COPSE_HOST_DEVICE std::uint64_t of(std::uint64_t child) const noexcept { return random.below(child - 1, child); }
};
using random_tree_edges = tree_edges<random_parents>;

}  // namespace copse::gen
