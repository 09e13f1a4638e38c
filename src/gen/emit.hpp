// From a recipe to an edge list in host memory, by the threads that the options allow.
#pragma once
#include <copse/generate.hpp>
#include <gen/recipe.hpp>

namespace copse::gen {

/// Of the narrowest ids.
graph emit(const recipe& plan, const generate_options& options);

}  // namespace copse::gen
