// Turns rows into the arrays of an Euler tour: makes the list of arcs, ranks it, and reads the arrays from the ranks.
#pragma once
#include <copse/rooted_forest.hpp>
#include <copse/views.hpp>
#include <core/phase_times.hpp>

#include <span>
#include <string>

namespace copse::drivers {

/// `ranking`: a variant of list ranking, or auto. `labels`: the root of every vertex, which is the smallest of its tree. Rows must be
/// symmetric, sorted, and without a cycle.
template <unsigned_index Id, unsigned_index Offset>
forest_tour::arrays<Id> tour(csr_view<Id, Offset> rows, std::span<const Id> labels, const std::string& ranking, const execution& on,
                             solve_report& report, phase_times& times);

}  // namespace copse::drivers
