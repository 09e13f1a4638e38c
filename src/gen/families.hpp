// The table of families: what `generate --help` says of each, and the function that turns a spec into a recipe. A new family is one file,
// and one line here, in generate.cpp and in recipe.hpp.
#pragma once
#include <copse/generate.hpp>
#include <gen/recipe.hpp>
#include <gen/spec.hpp>

namespace copse::gen {

struct maker {
  family described;
  recipe (*make)(const spec&);
};

extern const maker rmat_family;
extern const maker er_family;
extern const maker ba_family;
extern const maker grid2d_family;
extern const maker torus2d_family;
extern const maker mesh_family;
extern const maker osm_family;
extern const maker web_family;
extern const maker clusters_family;
extern const maker path_family;
extern const maker star_family;
extern const maker complete_family;
extern const maker random_tree_family;
extern const maker karate_family;
extern const maker table_rmat_family;
extern const maker table_er_family;
extern const maker table_ba_family;
extern const maker table_osm_family;
extern const maker table_web_family;
extern const maker table_bits_family;

}  // namespace copse::gen
