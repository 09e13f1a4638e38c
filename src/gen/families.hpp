// The table of families: what `generate --help` says of each, and the function that makes it. A new family is one file and one line here
// and in families.cpp.
#pragma once
#include <copse/gen/generate.hpp>
#include <gen/spec.hpp>

namespace copse::gen {

struct maker {
  family described;
  graph (*make)(const spec&, const generate_options&);
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

}  // namespace copse::gen
