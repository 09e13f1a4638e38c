// Connected components of an edge list that the call may overwrite, as the algorithms of Cong and Muzio do
// (docs/explanation/reproduction.md). Used in addition to copse/components.hpp.
#pragma once
#include <copse/options.hpp>
#include <copse/types.hpp>

#include <span>

namespace copse {

template <unsigned_index Id>
struct edge;
struct solve_report;

/// components() of a list whose edges are no longer needed. Rules that move edges (cc_updt, sv_updt, and the rules of Liu and Tarjan with
/// alter) rewrite all of them in place in each round, instead of working on a copy from which loops are dropped. The sampler `stages`
/// processes groups of consecutive edges of the list, whose order should be random, and rewrites them too. Other variants only read the
/// list, and cuda variants work on a copy on the GPU. `labels` has one element per vertex. Throws what components() throws.
template <unsigned_index Id>
solve_report components_in_place(Id vertices, std::span<edge<Id>> edges, std::span<Id> labels, const solve_options& options = {},
                                 const execution& on = {});

}  // namespace copse
