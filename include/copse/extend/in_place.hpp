// Components of a list of edges that the solve may overwrite, as Cong and Muzio's algorithms do (docs/explanation/reproduction.md). For
// use in addition to copse/components.hpp.
#pragma once
#include <copse/options.hpp>
#include <copse/types.hpp>

#include <span>

namespace copse {

template <unsigned_index Id>
struct edge;
struct solve_report;

/// components() of a list whose edges are no longer needed. Rules that move edges (cc_updt, sv_updt, Liu and Tarjan's with alter) rewrite
/// all of them where they lie, round after round, instead of a copy from which those that have become loops are dropped. The sampler stages
/// takes its groups as the list stands, which should be in random order, and rewrites them too. Other variants only read the list, and
/// cuda variants a copy on the GPU. `labels` has one element per vertex. Throws what components() throws.
template <unsigned_index Id>
solve_report components_in_place(Id vertices, std::span<edge<Id>> edges, std::span<Id> labels, const solve_options& options = {},
                                 const execution& on = {});

}  // namespace copse
