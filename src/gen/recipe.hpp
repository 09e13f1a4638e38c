// A spec once its parameters are read: a family, and how much of it. Host and device write the same edges from it (emit.cpp, gpu_edges.cu).
// A family is a small struct, the same text for both, and comes in two kinds:
//   direct:  `edge<Id> at<Id>(i)` gives edge i of a known number;
//   blocked: `count(block)` says how many edges a block has, `fill(block, out)` writes them and returns the end, so the number of edges
//            is known after one pass. Blocks may add vertices: `added_vertices(block)` of them, and `added_before` gets their sums.
// Every edge depends on (parameters, seed, index) alone, never on threads.
#pragma once
#include <gen/ba.hpp>
#include <gen/clusters.hpp>
#include <gen/er.hpp>
#include <gen/karate.hpp>
#include <gen/lattice.hpp>
#include <gen/osm.hpp>
#include <gen/random_tree.hpp>
#include <gen/rmat.hpp>
#include <gen/spec.hpp>
#include <gen/table_graphs.hpp>
#include <gen/web.hpp>
#include "core/random.hpp"

#include <copse/generate.hpp>

#include <concepts>
#include <cstdint>
#include <limits>
#include <string_view>
#include <variant>

namespace copse::gen {

/// What the random streams of one seed are for.
enum class purpose : std::uint64_t { edges = 1, shuffle = 2, structure = 3 };

inline random_stream stream_of(const spec& s, purpose what) { return {s.seed(), static_cast<std::uint64_t>(what)}; }

/// Bounds of sizes: far beyond any memory, and small enough that counts of edges do not wrap.
inline constexpr std::uint64_t most_vertices = std::uint64_t{1} << 56;
inline constexpr std::uint64_t most_side = std::uint64_t{1} << 28;

template <class Family>
concept direct_family = requires(const Family& family, std::uint64_t i) {
  { family.template at<std::uint32_t>(i) } -> std::same_as<edge<std::uint32_t>>;
};
template <class Family>
concept adds_vertices = requires(const Family& family, std::uint64_t block) {
  { family.added_vertices(block) } -> std::same_as<std::uint64_t>;
};

using any_family = std::variant<rmat_edges, er_m_edges, er_p_edges, ba_edges, grid_edges, torus_edges, osm_edges, web_edges, cluster_edges,
                                path_edges, star_edges, complete_edges, random_tree_edges, karate_edges, table_rmat_edges, table_er_edges,
                                table_ba_edges, table_osm_edges, table_web_edges, table_bits_edges>;

struct recipe {
  recipe(const spec& s, any_family of, std::uint64_t vertices_known, std::uint64_t how_many)
      : family{of}, vertices{vertices_known}, items{how_many}, order{stream_of(s, purpose::shuffle)}, shuffle{s.shuffle()} {}

  any_family family;
  std::uint64_t vertices;  ///< without those that blocks add
  std::uint64_t items;     ///< edges of a direct family, blocks of a blocked one
  random_stream order;     ///< of the ids, where they are shuffled
  bool shuffle;
};

/// Throws usage_error for a bad spec.
recipe recipe_of(std::string_view text);

inline bool fits_32(std::uint64_t vertices) noexcept { return vertices <= std::numeric_limits<std::uint32_t>::max(); }

/// The edge list in host memory, of the narrowest ids, made by the threads of the execution.
graph emit(const recipe& plan, const execution& on);

}  // namespace copse::gen
