// A recipe is a spec whose parameters have been read: a family and its size. Host and device write the same edges from a recipe (emit.cpp,
// gpu_edges.cu).
#pragma once
#include <gen/ba.hpp>
#include <gen/bipartite.hpp>
#include <gen/cliques.hpp>
#include <gen/clusters.hpp>
#include <gen/configuration.hpp>
#include <gen/er.hpp>
#include <gen/family.hpp>
#include <gen/geometric.hpp>
#include <gen/giants.hpp>
#include <gen/karate.hpp>
#include <gen/lattice.hpp>
#include <gen/osm.hpp>
#include <gen/rmat.hpp>
#include <gen/table_graphs.hpp>
#include <gen/trees.hpp>
#include <gen/web.hpp>

#include <cstdint>
#include <limits>
#include <string_view>
#include <variant>

namespace copse::gen {

/// Every family, in the order of the help.
using any_family = std::variant<rmat_edges, er_m_edges, er_p_edges, ba_edges, configuration_edges, bipartite_edges, giant_edges,
                                grid2d_edges, torus2d_edges, torus3d_edges, mesh_edges, geometric_edges, knn_edges, osm_edges, web_edges,
                                cluster_edges, clique_edges, power_clique_edges, clique_chain_edges, path_edges, caterpillar_edges,
                                star_edges, star_of_stars_edges, complete_edges, random_tree_edges, karate_edges, table_rmat_edges,
                                table_er_edges, table_ba_edges, table_osm_edges, table_web_edges, table_bits_edges>;

struct recipe {
  template <class Edges>
  recipe(const spec& s, const amount<Edges>& of)
      : family{of.edges}, vertices{of.vertices}, items{of.items}, order{stream_of(s, purpose::shuffle)}, shuffle{s.shuffle()} {}
  template <class... Edges>
  recipe(const spec& s, const std::variant<amount<Edges>...>& either)
      : recipe{std::visit(
            [&s](const auto& of) {
              return recipe{s, of};
            },
            either)} {}

  any_family family;
  /// number of vertices, without those that blocks add (family.hpp: a blocked family makes its edges in blocks, and a block may add
  /// vertices)
  std::uint64_t vertices;
  /// number of edges if the family computes each edge by its index (direct), number of blocks if a block makes several edges (blocked)
  std::uint64_t items;
  random_stream order;  ///< random numbers for the permutation of the ids, if they are shuffled
  bool shuffle;
};

/// Throws usage_error for a bad spec.
recipe recipe_of(std::string_view text);

inline bool fits_32(std::uint64_t vertices) noexcept { return vertices <= std::numeric_limits<std::uint32_t>::max(); }

/// Makes the edge list in host memory, with the narrowest ids that fit, by the threads of `on`.
graph emit(const recipe& plan, const execution& on);

}  // namespace copse::gen
