// Turns rows into the arrays of an Euler tour: makes the list of arcs, ranks it, and reads the arrays from the ranks.
#pragma once
#include <copse/rooted_forest.hpp>
#include <copse/views.hpp>
#include <core/phase_times.hpp>

#include <span>
#include <string>

namespace copse::drivers {

/// Computes the Euler tour of a forest. `rows`: the rows of the forest, symmetric and sorted. `labels`: for each vertex the root of its
/// tree, which is the smallest vertex of the tree. `ranking`: the name of a variant of list ranking, or auto. Adds the threads, and the
/// variant and device of the ranking, to `report`, and the times of the phases to `times`.
template <unsigned_index Id, unsigned_index Offset>
forest_tour::arrays<Id> tour(csr_view<Id, Offset> rows, std::span<const Id> labels, const std::string& ranking, const execution& on,
                             solve_report& report, phase_times& times);

}  // namespace copse::drivers
